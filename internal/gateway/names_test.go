package gateway

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestToolNames checks that what agents see leads back to the one tool it
// stands for, and is never longer than model services accept.
func TestToolNames(t *testing.T) {
	servers := []string{"git", "git__hub", "a.b", "a_b", "ünï", strings.Repeat("s", 60)}
	tools := []string{"x", "create_issue", "hub__x", strings.Repeat("long", 30), strings.Repeat("long", 30) + "er", strings.Repeat("é", 50)}
	seen := map[string]string{}
	for _, server := range servers {
		for _, tool := range tools {
			name := toolName(server, tool)
			if len(name) > maxToolName || !utf8.ValidString(name) {
				t.Errorf("%s and %s make %q", server, tool, name)
			}
			whole := toolPrefix(server) + tool
			if other, twice := seen[name]; twice && other != whole {
				t.Errorf("%q stands for %s and %s", name, other, whole)
			}
			seen[name] = whole
			if len(whole) > maxToolName {
				continue
			}
			if _, got, ok := splitTool([]string{server}, name); !ok || got != tool {
				t.Errorf("%q leads to %q", name, got)
			}
		}
	}
	if server, tool, ok := splitTool(servers, "git__hub__x"); !ok || server != "git__hub" || tool != "x" {
		t.Errorf("the longer server name is meant: %s %s", server, tool)
	}
}

func TestURIs(t *testing.T) {
	servers := []string{"a", "a/b"}
	for _, uri := range []string{"file:///x y", "note://1", "", "toolcrib://a/b"} {
		if server, got, ok := splitURI(servers, resourceURI("a", uri)); !ok || server != "a" || got != uri {
			t.Errorf("%q came back as %q of %q", uri, got, server)
		}
	}
	if _, _, ok := splitURI(servers, "file:///x"); ok {
		t.Error("a foreign URI was taken for one of ours")
	}
}
