package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Whoever writes a script needs to know how a command ends.
func TestEveryCommandTellsItsExitCodes(t *testing.T) {
	for cmd := range walk(newRoot(testRoot(t))) {
		if !shown(cmd) || cmd.HasSubCommands() || strings.HasPrefix(cmd.CommandPath(), "toolcrib completion ") {
			continue
		}
		if !strings.Contains(cmd.Long, "\n\nExit codes: 0 ") {
			t.Errorf("the help of %s says nothing of exit codes", cmd.CommandPath())
		}
	}
}

// And what it prints as JSON.
func TestJSONIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## JSON\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for cmd := range walk(newRoot(testRoot(t))) {
		if !shown(cmd) || cmd.LocalFlags().Lookup("json") == nil {
			continue
		}
		name := regexp.QuoteMeta(strings.TrimPrefix(cmd.CommandPath(), ownName+" "))
		if !regexp.MustCompile("`" + name + "`[^\n.]*:").MatchString(section) {
			t.Errorf("docs/cli.md does not say what %s --json prints", cmd.CommandPath())
		}
	}
}
