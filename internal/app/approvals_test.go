package app

import "testing"

// A project's file chooses the names of its servers: nothing of a strange one is there
// to be pasted into a shell, in a terminal or from the page.
func TestTrustCommand(t *testing.T) {
	for name, want := range map[string]string{
		"files": "toolcrib trust files", "@scope/files.v1": "toolcrib trust @scope/files.v1",
		"": "toolcrib trust", "--yes": "toolcrib trust", "a b": "toolcrib trust", "a;id": "toolcrib trust", "$(id)": "toolcrib trust", "a'b": "toolcrib trust", "a\nb": "toolcrib trust", "a`id`": "toolcrib trust",
	} {
		if got := TrustCommand(name); got != want {
			t.Errorf("%q: %s", name, got)
		}
	}
}
