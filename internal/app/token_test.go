package app

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestTokenIsMadeOnceAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "toolcrib")
	first, err := openToken(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(first.path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	text, err := os.ReadFile(first.path)
	if err != nil || len(strings.TrimSpace(string(text))) != 43 { // 32 bytes in base64
		t.Errorf("token %q, %v", text, err)
	}
	second, err := openToken(dir)
	if err != nil || second.sum != first.sum {
		t.Errorf("the second start has another token (%v)", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "token-*")); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestTokenOfManyStartsAtOnce(t *testing.T) {
	dir := t.TempDir()
	tokens := make([]*token, 16)
	var wg sync.WaitGroup
	for i := range tokens {
		wg.Go(func() {
			made, err := openToken(dir)
			if err != nil {
				t.Error(err)
				return
			}
			tokens[i] = made
		})
	}
	wg.Wait()
	for _, other := range tokens {
		if other == nil || other.sum != tokens[0].sum {
			t.Fatal("two starts have different tokens")
		}
	}
}

func TestTokenFileThatCannotBeTrusted(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		mode             os.FileMode
	}{
		{"readable by others", strings.Repeat("x", 43), "run chmod 600", 0o644},
		{"empty", "", "holds no secret", 0o600},
		{"short", "hunter2", "holds no secret", 0o600},
		{"two words", strings.Repeat("x", 32) + " y", "holds no secret", 0o600},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.mode != 0o600 && runtime.GOOS == "windows" {
				t.Skip("modes mean nothing here")
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "token")
			if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
				t.Fatal(err)
			}
			_, err := openToken(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
			if err != nil && c.text != "" && strings.Contains(err.Error(), c.text) {
				t.Errorf("the error repeats the token: %v", err)
			}
		})
	}
	if _, err := openToken(""); err == nil {
		t.Error("no directory was accepted")
	}
}

func TestTokenCheck(t *testing.T) {
	dir := t.TempDir()
	tok, err := openToken(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(tok.path)
	if err != nil {
		t.Fatal(err)
	}
	good := strings.TrimSpace(string(b))
	for _, c := range []struct {
		headers []string
		ok      bool
	}{
		{[]string{"Bearer " + good}, true},
		{[]string{"bearer " + good}, true},
		{nil, false},
		{[]string{""}, false},
		{[]string{good}, false},
		{[]string{"Bearer"}, false},
		{[]string{"Bearer "}, false},
		{[]string{"Basic " + good}, false},
		{[]string{"Bearer " + good[:42]}, false},
		{[]string{"Bearer " + good + "x"}, false},
		{[]string{"Bearer " + strings.ToUpper(good)}, false},
		{[]string{"Bearer " + good, "Bearer " + good}, false},
	} {
		r := &http.Request{Header: http.Header{"Authorization": c.headers}}
		who, err := tok.check(r)
		if (err == nil) != c.ok || (who.Subject != "") != c.ok {
			t.Errorf("%q: subject %q, %v", c.headers, who.Subject, err)
		}
	}
}
