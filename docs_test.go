package toolcrib_test

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The programs in docs/library.md are whole, and can be compiled.
func TestDocumentedPrograms(t *testing.T) {
	page, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```go\n")[1:]
	if len(blocks) != 2 {
		t.Errorf("the page has %d programs", len(blocks))
	}
	for i, block := range blocks {
		source, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatalf("program %d has no end", i+1)
		}
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput(); err != nil {
			t.Errorf("program %d: %v\n%s", i+1, err, said)
		}
		if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
			t.Errorf("program %d is not formatted: %v", i+1, err)
		}
	}
}
