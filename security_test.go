package toolcrib_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// promises is how many there are, S01 to this one.
const promises = 23

// Every test that docs/security.md names is there, every promise names one
// that is named after it, and every promise that a test is named after is on the page.
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
	for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(page), -1) {
		if !there[m[1]] {
			t.Errorf("docs/security.md names %s, which is not there", m[1])
		}
	}
	for n := 1; n <= promises; n++ {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| S%02d \| .*\|$`, n)).FindString(string(page))
		if !strings.Contains(row, fmt.Sprintf("`TestS%02d", n)) {
			t.Errorf("docs/security.md has no row of S%02d that names a test named after it", n)
		}
	}
	promise := regexp.MustCompile(`^Test(S\d\d)[A-Z]`)
	for name := range there {
		if m := promise.FindStringSubmatch(name); m != nil && !strings.Contains(string(page), "| "+m[1]+" |") {
			t.Errorf("docs/security.md does not tell of %s, which %s is about", m[1], name)
		}
	}
}
