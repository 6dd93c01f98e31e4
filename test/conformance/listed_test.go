package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The document has every list that the plan names, and no other.
func TestTheDocumentHasTheListsOfThePlan(t *testing.T) {
	got, err := readListed(filepath.Join("..", "..", "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, r := range plan() {
		if r.list == "" {
			continue
		}
		named[r.list] = true
		if _, ok := got[r.list]; !ok {
			t.Errorf("no list %q for the run %q", r.list, r.name)
		}
	}
	for name := range got {
		if !named[name] {
			t.Errorf("nothing uses the list %q", name)
		}
	}
}

func TestAListedScenarioNeedsAReason(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	text := "# A title\n| `ignored` | outside of a list |\n## One `first`\n\n| scenario | why |\n|---|---|\n| `a-b` | because |\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readListed(path)
	if err != nil || len(got) != 1 || len(got["first"]) != 1 || got["first"]["a-b"] != "because" {
		t.Errorf("got %v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(text+"| `c` | |\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readListed(path); err == nil {
		t.Error("a row without a reason was taken")
	}
}
