package toolcrib_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test that docs/security.md names is there, and every test that is named after
// a promise is named by the page.
func TestSecurityPageNamesItsTests(t *testing.T) {
	page, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(page), -1) {
		named[m[1]] = true
		if !there[m[1]] {
			t.Errorf("docs/security.md names %s, which is not there", m[1])
		}
	}
	promise := regexp.MustCompile(`^TestS\d\d[A-Z]`)
	for name := range there {
		if promise.MatchString(name) && !named[name] {
			t.Errorf("docs/security.md does not name %s", name)
		}
	}
}
