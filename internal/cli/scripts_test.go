package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every command has scripts that show it doing its work and its three most likely
// mistakes: a promise that is easily broken by the next command.
const leastMistakes = 3

func TestEveryCommandHasScripts(t *testing.T) {
	root := newRoot(testRoot(t))
	type uses struct{ good, bad int }
	used := map[*cobra.Command]*uses{}
	for cmd := range walk(root) {
		if shown(cmd) {
			used[cmd] = &uses{}
		}
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "cmd", "toolcrib", "testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut("\n"+string(text), "\n-- ")
		for line := range strings.Lines(script) {
			cmd, fails := commandOf(root, strings.Fields(line))
			switch u := used[cmd]; {
			case u == nil:
			case fails:
				u.bad++
			case cmd.HasSubCommands() || !strings.Contains(line, "--help"):
				u.good++
			}
		}
	}
	for cmd, u := range used {
		if u.good == 0 || u.bad < leastMistakes {
			t.Errorf("%s: %d scripts of its work, %d of mistakes; want 1 and %d at least, in cmd/toolcrib/testdata/script", cmd.CommandPath(), u.good, u.bad, leastMistakes)
		}
	}
}

// commandOf is the command that a line of a script runs, and whether that must fail;
// nil if it runs none.
func commandOf(root *cobra.Command, words []string) (cmd *cobra.Command, fails bool) {
	if len(words) < 2 {
		return nil, false
	}
	switch {
	case words[0] == "exec":
	case words[0] == "exits":
		fails = words[1] != "0"
	case words[0] == "!" && words[1] == "exec":
		fails = true
	default:
		return nil, false
	}
	for i, word := range words {
		if word != ownName {
			continue
		}
		// What cannot be understood is a mistake of the command it got to.
		at := root
		for _, word := range words[i+1:] {
			next := at
			for _, sub := range at.Commands() {
				if sub.Name() == word {
					next = sub
				}
			}
			if next == at {
				break
			}
			at = next
		}
		return at, fails
	}
	return nil, false
}
