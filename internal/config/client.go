package config

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// A client is a program whose files name servers: where they are, and in what
// they differ from most. One file of this package describes one client.
type client struct {
	name, title string
	places      []place
	forms       form // of variables in its files

	root  []string                        // keys down to the mapping of servers; nil: mcpServers
	read  func(f *foreign, root *node)    // nil: every entry below root
	entry func(f *foreign, s *draft) bool // sees an entry last; false leaves it out
	unit  unit                            // of a time-out that is a number

	allowed     []place                              // files that say which tools need no asking
	readAllowed func(root *node) map[string][]string // by server

	write shape // of an entry that install writes
}

type unit uint8

const (
	millis unit = iota
	seconds
)

// A Scope is whose a file is.
type Scope string

// The scopes. Entries of a project's own files come from whoever wrote the
// project, not from the user.
const (
	UserScope    Scope = "user"
	ProjectScope Scope = "project"
	SystemScope  Scope = "system"
)

// A place is a path on a system. It may begin with ~, {config} (where programs of
// that system keep their settings), {local} (%LOCALAPPDATA%), {project} or a
// {VARIABLE}, and may hold * in its last parts.
type place struct {
	system string // "" for all
	scope  Scope
	path   string
}

// user, project and system make the places of all systems.
func user(paths ...string) []place    { return placesOf("", UserScope, paths) }
func project(paths ...string) []place { return placesOf("", ProjectScope, paths) }
func on(system string, scope Scope, paths ...string) []place {
	return placesOf(system, scope, paths)
}

func placesOf(system string, scope Scope, paths []string) []place {
	var out []place
	for _, p := range paths {
		out = append(out, place{system, scope, p})
	}
	return out
}

// clients are all that are known, in the order in which the first of two that
// use the same name wins.
var clients = []*client{
	&claudeCode, &claudeDesktop, &cursor, &vsCode, &vsCodeInsiders, &copilotCLI, &cline, &rooCode, &windsurf, &zed, &continueDev, &geminiCLI,
	&antigravity, &codex, &goose, &openCode, &lmStudio, &amazonQ, &kiro, &junie, &amp, &kimi, &factory, &trae, &qoder, &mistralVibe,
}

// Clients are the names of all clients whose files are read.
func Clients() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

func clientNamed(name string) *client {
	i := slices.IndexFunc(clients, func(c *client) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return clients[i]
}

// A located place is a path on this computer.
type located struct {
	scope Scope
	path  string
}

// locate finds out where places are on this computer, existing or not; of a
// pattern what there is.
func (r *Reader) locate(places []place) []located {
	var out []located
	for _, p := range places {
		if p.system != "" && p.system != r.system() {
			continue
		}
		path := r.expandPlace(p.path)
		if path == "" {
			continue // a directory that this system does not have
		}
		if !strings.Contains(path, "*") {
			out = append(out, located{p.scope, path})
			continue
		}
		found, _ := filepath.Glob(path) // the pattern is ours
		for _, f := range found {
			if strings.ContainsFunc(f, func(r rune) bool { return !unicode.IsPrint(r) }) {
				continue // whoever wrote a project chose the name, and it is shown on terminals
			}
			out = append(out, located{p.scope, f})
		}
	}
	return out
}

func (r *Reader) expandPlace(path string) string {
	first, rest, _ := strings.Cut(path, "/")
	base := ""
	switch first {
	case "~":
		base = r.home()
	case "{config}":
		base = r.configDir()
	case "{local}":
		base = r.getenv("LOCALAPPDATA")
	case "{project}":
		base = r.project()
	case "": // an absolute path
		base = "/"
	default:
		if name, ok := strings.CutPrefix(first, "{"); ok {
			base = r.getenv(strings.TrimSuffix(name, "}"))
		} else {
			base = first
		}
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, filepath.FromSlash(rest))
}

// configDir is where programs of the system keep their settings.
func (r *Reader) configDir() string {
	home := r.home()
	switch {
	case r.system() == "windows":
		return r.getenv("APPDATA")
	case home == "":
		return ""
	case r.system() == "darwin":
		return filepath.Join(home, "Library", "Application Support")
	}
	if dir := r.getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".config")
}
