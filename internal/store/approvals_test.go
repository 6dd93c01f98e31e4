package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"toolcrib/internal/store"
)

func TestApprovals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "approvals")
	a := store.Open(dir, nil).Approvals()
	if b, err := a.Load("docs", "/p/.mcp.json"); b != nil || err != nil {
		t.Errorf("before anything was approved: %q, %v", b, err)
	}
	for _, text := range []string{`{"sum":"1"}`, `{"sum":"2"}`} {
		if err := a.Save("docs", "/p/.mcp.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := store.Open(dir, nil).Approvals().Load("docs", "/p/.mcp.json"); string(b) != text || err != nil {
			t.Errorf("another process reads %q, %v", b, err)
		}
	}
	if b, err := a.Load("docs", "/q/.mcp.json"); b != nil || err != nil {
		t.Errorf("another project has %q, %v", b, err)
	}
	path := a.Path("docs", "/p/.mcp.json")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	store.Open(dir, nil).Prune()
	if b, _ := a.Load("docs", "/p/.mcp.json"); b == nil {
		t.Error("it was cleared away")
	}
	if was, err := a.Remove("docs", "/p/.mcp.json"); !was || err != nil {
		t.Errorf("removed: %v, %v", was, err)
	}
	if was, err := a.Remove("docs", "/p/.mcp.json"); was || err != nil {
		t.Errorf("removed twice: %v, %v", was, err)
	}
}

// What is damaged was not approved, and it is said.
func TestDamagedApprovals(t *testing.T) {
	a := store.Open(t.TempDir(), nil).Approvals()
	if err := a.Save("docs", "p", []byte(`{"sum":"1"}`)); err != nil {
		t.Fatal(err)
	}
	path := a.Path("docs", "p")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", "torn", string(whole[:len(whole)-4]), strings.Replace(string(whole), `"sum":"1"`, `"sum":"2"`, 1), strings.Replace(string(whole), `"approval"`, `"pins"`, 1), string(whole) + "x",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if b, err := a.Load("docs", "p"); b != nil || err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %q, %v", text, b, err)
		}
	}
	if err := a.Save("docs", "p", []byte(`{"sum":"3"}`)); err != nil {
		t.Fatal(err)
	}
	if b, err := a.Load("docs", "p"); string(b) != `{"sum":"3"}` || err != nil {
		t.Errorf("approved anew: %q, %v", b, err)
	}
}

// Where nothing can be kept, nothing is approved.
func TestApprovalsWithoutADirectory(t *testing.T) {
	a := store.Open("", nil).Approvals()
	if err := a.Save("docs", "p", []byte("1")); err == nil {
		t.Error("kept nowhere")
	}
	if b, err := a.Load("docs", "p"); b != nil || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in := store.Open(file, nil).Approvals()
	if err := in.Save("docs", "p", []byte("1")); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("kept in a file: %v", err)
	}
	if b, err := in.Load("docs", "p"); b != nil || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}
