package config

import (
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ownName is the name of this gateway in files of clients, and of its program.
const ownName = "toolcrib"

// sameLaunch tells whether two entries start, or reach, the very same server.
func sameLaunch(a, b Server) bool {
	a, b = a.plainly(), b.plainly()
	return sameProgram(a.Command, b.Command) && slices.Equal(a.Args, b.Args) && a.Dir == b.Dir && maps.Equal(a.Env, b.Env) &&
		strings.TrimSuffix(a.URL, "/") == strings.TrimSuffix(b.URL, "/") && maps.Equal(a.Headers, b.Headers)
}

// plainly is a server with each variable in the shorter of two forms, so that
// entries can be compared whose variables are not replaced.
func (s Server) plainly() Server {
	short := func(text string) string { return strings.ReplaceAll(text, "${env:", "${") }
	values := func(m map[string]string) map[string]string {
		m = maps.Clone(m)
		for k, v := range m {
			m[k] = short(v)
		}
		return m
	}
	s.Command, s.Dir, s.URL = short(s.Command), short(s.Dir), short(s.URL)
	s.Env, s.Headers, s.Args = values(s.Env), values(s.Headers), slices.Clone(s.Args)
	for i, arg := range s.Args {
		s.Args[i] = short(arg)
	}
	return s
}

// sameProgram takes a name and a path that ends in it for the same: clients that
// do not know PATH need the whole.
func sameProgram(a, b string) bool {
	if a == b {
		return true
	}
	bare := func(s string) bool { return s != "" && !strings.ContainsAny(s, `/\`) }
	return (bare(a) || bare(b)) && ProgramName(a) == ProgramName(b)
}

// ProgramName is a program's name without its directory and what Windows puts
// behind it.
func ProgramName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		if len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			return name[:len(name)-len(end)]
		}
	}
	return name
}

// ownPort is the port that serve --http is shown with, and ownPath where it serves.
const (
	ownPort = "7332"
	ownPath = "/mcp"
)

// pointsBack tells whether an entry is this very gateway: a gateway that starts
// itself would do so without end.
func (r *Reader) pointsBack(s Server) bool {
	if s.URL != "" {
		u, err := url.Parse(s.URL)
		if err != nil {
			return false
		}
		ip := net.ParseIP(u.Hostname())
		here := u.Port() == ownPort && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
		return here || s.Name == ownName && u.Path == ownPath
	}
	words := append([]string{s.Command}, s.Args...)
	for i, word := range words {
		name, _, _ := strings.Cut(ProgramName(word), "@")
		if strings.EqualFold(name, ownName) && serves(words[i+1:]) {
			return true
		}
	}
	self := r.Self
	if self == "" {
		self, _ = os.Executable()
	}
	return self != "" && filepath.IsAbs(s.Command) && sameFile(self, s.Command) && serves(s.Args)
}

// serves tells whether our own program is a gateway with these arguments. With
// others it may be one of the demo's servers.
func serves(args []string) bool {
	return slices.Contains(args, "serve") || slices.Contains(args, "demo")
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
