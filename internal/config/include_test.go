package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoClients is a home with Claude Code and Cursor in it.
func twoClients(t *testing.T) *Reader {
	t.Helper()
	r := testReader(map[string]string{"TOKEN": "secret"})
	r.Home, r.Project = t.TempDir(), t.TempDir()
	write(t, filepath.Join(r.Home, ".claude.json"), `{"mcpServers": {
		"github": {"type": "http", "url": "https://gh.example.com/mcp", "headers": {"A": "${TOKEN}"}},
		"files": {"command": "npx", "args": ["-y", "files"]},
		"ours": {"command": "/opt/bin/toolcrib", "args": ["serve"]}
	}}`, 0o600)
	write(t, filepath.Join(r.Home, ".cursor", "mcp.json"), `{"mcpServers": {
		"gh": {"url": "https://gh.example.com/mcp/", "headers": {"A": "${env:TOKEN}"}},
		"files": {"command": "uvx", "args": ["files"]},
		"fs": {"command": "/usr/local/bin/npx", "args": ["-y", "files"]},
		"own": {"command": "here"},
		"toolcrib": {"url": "http://127.0.0.1:7332/mcp"}
	}}`, 0o600)
	write(t, filepath.Join(r.Home, ".cursor", "permissions.json"), `{"mcpAllowlist": ["gh:list_issues"]}`, 0o600)
	write(t, filepath.Join(r.Project, ".mcp.json"), `{"mcpServers": {"team": {"command": "run-me"}}}`, 0o600)
	return r
}

type line struct {
	Name, Client string
	Aliases      []string
	Runs         bool
}

func lines(servers []Server) []line {
	var out []line
	for _, s := range servers {
		out = append(out, line{s.Name, s.Client, s.Aliases, s.Runs()})
	}
	return out
}

func TestIncludeMergesClients(t *testing.T) {
	r := twoClients(t)
	for _, include := range []string{"auto", "[claude-code, cursor]"} {
		c, err := r.Parse("a.yaml", []byte("include: "+include+"\nservers:\n  own: {command: mine}\n"))
		if err != nil {
			t.Fatal(err)
		}
		want := []line{
			{"own", "", nil, true}, {"github", "claude-code", []string{"gh"}, true}, {"files", "claude-code", []string{"fs"}, true}, {"team", "claude-code", nil, false},
		}
		if diff := cmp.Diff(want, lines(c.Servers)); diff != "" {
			t.Errorf("include %s (-want +got):\n%s", include, diff)
		}
		if s, _ := c.Server("gh"); s.Name != "github" || len(s.Approved) != 1 || s.Approved[0] != "list_issues" {
			t.Errorf("gh is %+v", s)
		}
		var conflicts []string
		for _, w := range c.Warnings {
			conflicts = append(conflicts, w.Error())
		}
		text := strings.Join(conflicts, "\n")
		for _, want := range []string{
			"mcp.json:3:3: server files of Cursor is not used: the one of " + filepath.Join(r.Home, ".claude.json") + ":3:3 is another server with the same name",
			"mcp.json:5:3: server own of Cursor is not used: the one of this configuration is another server",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no conflict %q in:\n%s", want, text)
			}
		}
		if len(conflicts) != 2 {
			t.Errorf("warnings: %s", text)
		}
	}
}

// A project cannot put a server of its own in the place of the user's.
func TestProjectsComeLast(t *testing.T) {
	r := twoClients(t)
	write(t, filepath.Join(r.Project, ".mcp.json"), `{"mcpServers": {"gh": {"command": "evil"}, "fs": {"command": "evil"}, "mine": {"command": "evil"}}}`, 0o600)
	write(t, filepath.Join(r.Home, ".cursor", "mcp.json"), `{"mcpServers": {"mine": {"command": "good"}}}`, 0o600)
	for _, include := range []string{"auto", "[claude-code, cursor]"} {
		c, err := r.Parse("a.yaml", []byte("include: "+include+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if s, _ := c.Server("mine"); s.Command != "good" || !s.Runs() {
			t.Errorf("mine is %+v", s)
		}
		for _, s := range c.Servers {
			if s.Command == "evil" && s.Runs() {
				t.Errorf("%+v would be started", s)
			}
		}
	}
}

// The first that is named wins.
func TestIncludeInTheOrderOfTheFile(t *testing.T) {
	c, err := twoClients(t).Parse("a.json", []byte(`{"include": ["cursor", "claude-code"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := c.Server("files"); s.Client != "cursor" || s.Command != "uvx" {
		t.Errorf("files is %+v", s)
	}
}

// Every file that could change what is included is known, also those to come.
func TestIncludeKnowsItsFiles(t *testing.T) {
	r := twoClients(t)
	c, err := r.Parse("a.yaml", []byte("include: cursor\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		filepath.Join(r.Home, ".cursor", "mcp.json"), filepath.Join(r.Home, ".cursor", "permissions.json"), filepath.Join(r.Project, ".cursor", "mcp.json"),
	} {
		if !strings.Contains(strings.Join(c.Used, "\n"), file) {
			t.Errorf("%s is not among %v", file, c.Used)
		}
	}
}

func TestIncludeProblems(t *testing.T) {
	_, err := Parse("a.yaml", []byte("include: [claude, cursr]\n"))
	for _, want := range []string{`a.yaml:1:11: "claude" is no client whose files are read`, `a.yaml:1:19: "cursr" is no client whose files are read; did you mean cursor?; there are auto, claude-code`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestPointsBack(t *testing.T) {
	r := testReader(nil)
	self := write(t, filepath.Join(t.TempDir(), "crib"), "#!", 0o755)
	r.Self = self
	for _, c := range []struct {
		s    Server
		want bool
	}{
		{Server{Command: "toolcrib", Args: []string{"serve"}}, true},
		{Server{Command: `C:\bin\Toolcrib.exe`, Args: []string{"serve"}}, true},
		{Server{Command: self, Args: []string{"serve"}}, true},
		{Server{Command: self, Args: []string{"demo-server", "clock"}}, false},
		{Server{Command: "toolcrib", Args: []string{"demo-server", "clock"}}, false},
		{Server{Command: "npx", Args: []string{"-y", "toolcrib@1.2.3", "serve"}}, true},
		{Server{Command: "env", Args: []string{"A=b", "/usr/bin/toolcrib", "serve"}}, true},
		{Server{Command: "npx", Args: []string{"-y", "server", "--name", "toolcrib"}}, false},
		{Server{URL: "http://localhost:7332/mcp"}, true},
		{Server{URL: "http://[::1]:7332/mcp"}, true},
		{Server{URL: "http://example.com:7332/mcp"}, false},
		{Server{URL: "http://127.0.0.1:8080/mcp"}, false},
	} {
		if got := r.pointsBack(c.s); got != c.want {
			t.Errorf("%+v: %v", c.s, got)
		}
	}
}

// What a client hides nobody sees, unless a rule of the user's says otherwise.
func TestHiddenToolsAreRules(t *testing.T) {
	r := twoClients(t)
	write(t, filepath.Join(r.Home, ".cursor", "mcp.json"), `{"mcpServers": {"one": {"command": "x", "disabledTools": ["drop_*", "wipe"]}}}`, 0o600)
	c, err := r.Parse("a.yaml", []byte("include: cursor\nservers:\n  two: {command: y, excludeTools: [burn], disabled_tools: [sink]}\npolicy:\n  rules: [{tools: [wipe], verdict: allow}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, r := range c.Policy.Rules {
		rules = append(rules, strings.Join(append(r.Servers, r.Tools...), " ")+": "+string(r.Verdict))
	}
	if diff := cmp.Diff([]string{"wipe: allow", "two burn sink: deny", "one drop_* wipe: deny"}, rules); diff != "" {
		t.Error(diff)
	}
	again, err := testReader(nil).Parse("a.yaml", []byte(c.YAML()))
	if err != nil || len(again.Policy.Rules) != 3 {
		t.Errorf("shown and read again: %v\n%s", err, c.YAML())
	}
}
