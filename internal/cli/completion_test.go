package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolcrib/internal/config"
)

// Each script is what its shell can read, where the shell is installed.
func TestCompletionScripts(t *testing.T) {
	checks := map[string][]string{
		"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "--no-execute"},
		"powershell": {"pwsh", "-NoProfile", "-Command", "$e = $null; [void][System.Management.Automation.Language.Parser]::ParseFile($env:COMPLETION, [ref]$null, [ref]$e); exit $e.Count"},
	}
	for shell, check := range checks {
		t.Run(shell, func(t *testing.T) {
			var out bytes.Buffer
			if code := Run(t.Context(), []string{"completion", shell}, strings.NewReader(""), &out, os.Stderr, os.Getenv); code != 0 || out.Len() < 500 || !strings.Contains(out.String(), "__complete") {
				t.Fatalf("exit code %d, %d bytes", code, out.Len())
			}
			if _, err := exec.LookPath(check[0]); err != nil {
				t.Skipf("no %s here", check[0])
			}
			file := filepath.Join(t.TempDir(), "toolcrib."+shell)
			if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(check[0], check[1:]...)
			cmd.Env = append(os.Environ(), "COMPLETION="+file)
			if shell != "powershell" { // which has its name from the environment
				cmd.Args = append(cmd.Args, file)
			}
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}

// What is completed comes from files alone: the configuration's server would fail.
func TestCompletedWords(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "toolcrib.yaml")
	text := "servers:\n  alpha: {command: no-such-program}\n  beta: {url: 'https://example.com/mcp'}\n  off: {command: x, disabled: true}\nscripts: {report: {source: return 1}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] }
	for _, c := range []struct {
		line string
		want []string
	}{
		{"refresh --config FILE ", []string{"alpha", "beta"}},
		{"refresh --config FILE alpha ", []string{"beta"}},
		{"refresh --config FILE be", []string{"beta"}},
		{"login --config FILE beta ", nil},
		{"tools list --config FILE --server ", []string{"alpha", "beta"}},
		{"tools show --config FILE ", nil},
		{"tools show --config none.yaml ", nil},
		{"run --config FILE re", []string{"report"}},
		{"install cur", []string{"cursor"}},
		{"uninstall cursor ", nil},
		{"serve --log-level ", []string{"debug", "info", "warn", "error"}},
		{"man tools-s", []string{"tools-search", "tools-show"}},
		{"import ", config.Clients()},
	} {
		var out bytes.Buffer
		words := append([]string{"__complete"}, strings.Split(strings.ReplaceAll(c.line, "FILE", file), " ")...)
		if code := Run(t.Context(), words, strings.NewReader(""), &out, new(bytes.Buffer), getenv); code != 0 {
			t.Errorf("%s: exit code %d", c.line, code)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && word[0] != ':' {
				got = append(got, word)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}
