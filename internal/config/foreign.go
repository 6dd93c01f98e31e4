package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A foreign file is read with patience: keys that we have no use for are left
// alone, and an entry that cannot be used is left out with a warning.
type foreign struct {
	*decoder
	client *client
	scope  Scope
	out    []Server
}

// A draft is an entry while it is read.
type draft struct {
	Server
	node *node
	word string // the type as it is written
}

// entries reads all entries of a mapping, or of a list whose items have names.
func (f *foreign) entries(n *node) {
	if n == nil {
		return
	}
	for _, e := range n.entries {
		f.server(e.key, e.at, e.value)
	}
	for _, item := range n.items {
		name := item.child("name")
		if name == nil || name.kind != textNode {
			f.warn(item.at, "a server without a name is left out")
			continue
		}
		f.server(name.text, name.at, item)
	}
}

// server reads one entry.
func (f *foreign) server(name string, at Position, n *node) {
	if !f.spend(at) {
		return
	}
	before := len(f.problems)
	f.quietly(func() {
		if f.scope != ProjectScope || f.variables.translate {
			f.draft(name, at, n, Claim{})
			return
		}
		c := f.claimOf(name, n)
		f.hold(!f.approved(&c, at))
		f.draft(name, at, n, c)
	})
	for _, p := range f.problems[before:] {
		p.Text = fmt.Sprintf("server %s is left out: %s", clip(name), p.Text)
		f.warnings = append(f.warnings, p)
	}
	f.problems, f.unset = f.problems[:before], nil
}

// claimOf is what is to be approved of an entry of a project's file.
func (f *foreign) claimOf(name string, n *node) Claim {
	var more []string
	for _, key := range []string{"envFile", "env_file"} {
		if file := n.child(key); file != nil && file.kind == textNode {
			if path, plain := f.folders(file.text); plain {
				more = append(more, f.path(path, f.variables.dir))
			} else {
				f.problem(file.at, "%s of a project's entry cannot hold variables", key)
			}
		}
	}
	return f.claim(claiming{root: f.project(), name: strings.TrimSpace(name), entries: []entry{{key: f.client.name, value: n}}, files: more})
}

// folders puts an editor's words for directories into a path. It is plain if there
// are no other variables in it.
func (f *foreign) folders(path string) (string, bool) {
	if f.client.forms&editorForms != 0 {
		for _, word := range []string{"workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator"} {
			path = strings.ReplaceAll(path, "${"+word+"}", f.variables.folder(word))
		}
	}
	return path, !strings.ContainsAny(path, "${}")
}

// hold has what follows read as it is written, or with its variables replaced:
// whoever wrote a project must not choose what of this computer is read.
func (f *foreign) hold(held bool) {
	if f.held, f.variables.forms = held, f.client.forms; held {
		f.variables.forms = 0
	}
}

func (f *foreign) draft(name string, at Position, n *node, c Claim) {
	if n.kind != mapNode {
		f.problem(n.at, "it must be a mapping, not %s", n.kind)
		return
	}
	if name = strings.TrimSpace(name); !validName(name) {
		f.problem(at, "its name cannot be used")
		return
	}
	s := &draft{Server: Server{Name: name, At: at, Client: f.client.name, Source: f.file, Untrusted: f.scope == ProjectScope && (f.held || f.variables.translate), Claim: c}, node: n}
	before := len(f.problems)
	for _, e := range n.entries {
		f.key(s, e)
	}
	if s.Disabled {
		f.forgive(before)
	}
	if len(f.problems) > before || f.client.entry != nil && !f.client.entry(f, s) || len(f.problems) > before {
		return
	}
	if !f.settle(s) {
		return
	}
	f.out = append(f.out, s.Server)
}

// key reads one key of an entry, in the words of all clients.
func (f *foreign) key(s *draft, e entry) {
	n := e.value
	if n.kind == nullNode {
		return
	}
	switch e.key {
	case "command", "cmd":
		f.command(s, n)
	case "args":
		s.Args = append(s.Args, f.values(n, "args")...)
	case "env", "environment", "envs":
		s.Env = f.pairs(n, e.key)
	case "envFile", "env_file":
		s.EnvFile = f.value(n, e.key)
	case "cwd", "working_directory", "workingDirectory":
		s.Dir = f.value(n, e.key)
	case "url", "serverUrl", "httpUrl", "uri":
		s.URL = f.value(n, e.key)
	case "headers", "http_headers":
		s.Headers = f.merged(s.Headers, f.pairs(n, e.key))
	case "type", "transport":
		s.word = f.text(n, e.key)
	case "disabled":
		s.Disabled = f.boolean(n, e.key)
	case "enabled":
		s.Disabled = !f.boolean(n, e.key)
	case "timeout":
		s.CallTimeout = f.time(n, f.client.unit)
	case "tool_timeout_sec":
		s.CallTimeout = f.time(n, seconds)
	case "startup_timeout_sec":
		s.StartTimeout = f.time(n, seconds)
	case "startup_timeout_ms":
		s.StartTimeout = f.time(n, millis)
	case "autoApprove", "alwaysAllow", "includeTools", "enabled_tools", "available_tools", "tools", "allowedTools":
		s.Approved = append(s.Approved, f.names(n)...)
	case "disabledTools", "excludeTools", "disabled_tools":
		s.Hidden = append(s.Hidden, n.texts()...)
	}
}

// command reads a program's name, a list of it and its arguments, or a mapping of them.
func (f *foreign) command(s *draft, n *node) {
	switch n.kind {
	case listNode:
		if words := f.values(n, "command"); len(words) > 0 {
			s.Command, s.Args = words[0], append(words[1:], s.Args...)
		}
	case mapNode:
		for _, e := range n.entries {
			key := e.key
			if key == "path" {
				key = "command"
			}
			if key == "command" && e.value.kind == mapNode {
				continue
			}
			f.key(s, entry{key, e.at, e.value})
		}
	default:
		s.Command = f.value(n, "command")
	}
}

func (f *foreign) merged(a, b map[string]string) map[string]string {
	if a == nil {
		return b
	}
	maps.Copy(a, b)
	return a
}

// names are those of tools; a * names nothing.
func (f *foreign) names(n *node) []string {
	var out []string
	for _, item := range n.items {
		if item.kind == textNode && item.text != "" && !strings.Contains(item.text, "*") {
			out = append(out, item.text)
		}
	}
	return out
}

// time reads a number of the client's unit. What it cannot read it leaves at our
// own default: a time-out is no reason to do without a server.
func (f *foreign) time(n *node, u unit) time.Duration {
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		d, _ := time.ParseDuration(n.text)
		return max(0, min(d, longestTime))
	}
	each := time.Millisecond
	if u == seconds {
		each = time.Second
	}
	if v <= 0 || v > float64(longestTime/each) {
		return 0
	}
	return time.Duration(v * float64(each))
}

// settle makes a server of a draft that one can reach.
func (f *foreign) settle(s *draft) bool {
	kind := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s.word))
	switch {
	case s.Command != "" && s.URL != "" && (kind == "" || kind == "stdio" || kind == "local"):
		s.URL, s.Headers = "", nil
	case s.Command != "" && s.URL != "":
		s.Command, s.Args, s.Env = "", nil, nil
	case strings.TrimSpace(s.Command) == "" && s.URL == "":
		f.problem(s.At, "it has neither a command nor a url")
		return false
	}
	switch {
	case s.Command != "":
		s.Type = Stdio
	case kind == "sse":
		s.Type = SSE
	case slices.Contains([]string{"", "http", "streamablehttp", "remote"}, kind):
		if s.Type == "" {
			s.Type = Streamable
		}
	default:
		f.problem(s.At, "its type %q is not known", clip(s.word))
		return false
	}
	before := len(f.problems)
	if s.URL != "" {
		f.checkURL(&s.Server, s.node)
	}
	if s.EnvFile != "" && (!s.Untrusted || f.variables.translate) {
		f.envFile(&s.Server)
	}
	s.Approved = slices.Compact(s.Approved)
	return len(f.problems) == before
}
