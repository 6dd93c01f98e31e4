package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testRoot is the tree of commands as it is run.
func testRoot(t *testing.T) *streams {
	t.Helper()
	return &streams{in: strings.NewReader(""), out: new(bytes.Buffer), err: new(bytes.Buffer), getenv: func(string) string { return "" }}
}

var roffRequest = regexp.MustCompile(`(?m)^[.'].*$`)

func TestManPages(t *testing.T) {
	root := newRoot(testRoot(t))
	dir, names := t.TempDir(), []string{}
	for cmd := range walk(root) {
		if !shown(cmd) {
			continue
		}
		page := manPage(cmd)
		name := filepath.Join(dir, manName(cmd)+".1")
		names = append(names, name)
		if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(page, ".TH ") || strings.Contains(page, "\n\n") {
			t.Errorf("%s does not begin with its title, or has an empty line", cmd.CommandPath())
		}
		at := 0
		for _, section := range []string{".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n"} {
			next := strings.Index(page, section)
			if next < at || strings.Count(page, section) != 1 {
				t.Errorf("%s: %q is missing, or out of order", cmd.CommandPath(), section)
			}
			at = next
		}
		for _, request := range roffRequest.FindAllString(page, -1) {
			switch word, _, _ := strings.Cut(request, " "); word {
			case ".TH", ".SH", ".TP", ".PP", ".B", ".BR", ".nf", ".fi":
			default:
				t.Errorf("%s: a line of text is a request: %s", cmd.CommandPath(), request)
			}
		}
		if cmd.Example != "" && !strings.Contains(page, ".SH EXAMPLES\n") || strings.Contains(cmd.Long, "Exit codes:") != strings.Contains(page, ".SH EXIT STATUS\n") {
			t.Errorf("%s lacks examples or exit codes", cmd.CommandPath())
		}
	}
	t.Run("formatter", func(t *testing.T) {
		for _, formatter := range [][]string{{"mandoc", "-Tlint", "-Wwarning"}, {"groff", "-man", "-Tascii", "-ww", "-z"}, {"man", "--warnings", "-E", "ASCII", "-l"}} {
			if _, err := exec.LookPath(formatter[0]); err != nil {
				continue
			}
			if out, err := exec.Command(formatter[0], append(formatter[1:], names...)...).CombinedOutput(); err != nil || formatter[0] != "man" && len(out) > 0 {
				t.Errorf("%s: %v\n%s", formatter[0], err, out)
			}
			return
		}
		t.Skip("no formatter of manual pages is installed")
	})
}
