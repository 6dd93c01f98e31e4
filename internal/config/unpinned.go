package config

import (
	"fmt"
	"slices"
	"strings"
)

// withAdvice tells of servers whose program is fetched anew by a name alone: what
// runs at the next start is then whatever its publisher, or whoever has become it,
// published last.
func (c Config) withAdvice() Config {
	for _, s := range c.Servers {
		u, ok := s.Unpinned()
		if !ok || !s.Runs() {
			continue
		}
		file := s.Source
		if file == "" {
			file = c.File
		}
		c.Advice = append(c.Advice, Problem{File: file, At: s.At, Text: fmt.Sprintf("server %s: %s", s.Name, u)})
	}
	return c
}

// Unpinned is what a launcher fetches by a name alone and runs.
type Unpinned struct {
	Launcher string // npx, uvx, docker, ...
	Written  string // as it stands in args
	Name     string // of the package or image
	Kind     PackageKind
}

// A PackageKind is where a package is from.
type PackageKind string

// The kinds.
const (
	NodePackage   PackageKind = "npm"
	PythonPackage PackageKind = "python"
	ImagePackage  PackageKind = "image"
)

// Pinned is how to write it with a version, or with a word in its place.
func (u Unpinned) Pinned(version string) string {
	if version == "" {
		version = "VERSION"
	}
	switch u.Kind {
	case PythonPackage:
		return u.Name + "==" + version
	case ImagePackage:
		return u.Name + ":" + version
	}
	return u.Name + "@" + version
}

// String says what is risked, and what to write instead.
func (u Unpinned) String() string {
	return fmt.Sprintf("%s starts whatever version of %s is newest on that day: write %s, the one that you have looked at", u.Launcher, clip(u.Name), clip(u.Pinned("")))
}

// A launcher is a program that fetches another one and runs it.
type launcher struct {
	kind     PackageKind
	words    []string // one of these stands in front
	takes    []string // flags with a value
	packages []string // flags whose value is the package
}

var launchers = func() map[string]launcher {
	node := launcher{kind: NodePackage, takes: []string{"-c", "--call", "--registry", "--cache", "-w", "--workspace"}, packages: []string{"-p", "--package"}}
	python := launcher{
		kind: PythonPackage, packages: []string{"--from", "--spec"},
		takes: []string{"-p", "--python", "--with", "--index", "--index-url", "--extra-index-url", "--directory", "--env-file", "--pip-args"},
	}
	image := launcher{kind: ImagePackage}
	after := func(l launcher, words ...string) launcher {
		l.words = words
		return l
	}
	return map[string]launcher{
		"npx": node, "bunx": node, "pnpx": node, "bun": after(node, "x"), "pnpm": after(node, "dlx"), "yarn": after(node, "dlx"), "npm": after(node, "exec", "x"),
		"uvx": python, "uv": after(python, "tool run"), "pipx": after(python, "run"),
		"docker": after(image, "run", "container run"), "podman": after(image, "run", "container run"), "nerdctl": after(image, "run"),
	}
}()

// Unpinned tells whether a server is started by a launcher that takes whatever version
// is newest.
func (s Server) Unpinned() (Unpinned, bool) {
	name, args := ProgramName(s.Command), s.Args
	if len(args) > 1 && (name == "env" || name == "cmd" && strings.EqualFold(args[0], "/c")) {
		if name == "cmd" {
			args = args[1:]
		}
		name, args = ProgramName(args[0]), args[1:]
	}
	l, ok := launchers[name]
	if !ok {
		return Unpinned{}, false
	}
	if len(l.words) > 0 {
		i := slices.IndexFunc(l.words, func(words string) bool { return strings.HasPrefix(strings.Join(args, " ")+" ", words+" ") })
		if i < 0 {
			return Unpinned{}, false // such as npm start
		}
		args = args[len(strings.Fields(l.words[i])):]
	}
	u := Unpinned{Launcher: name, Kind: l.kind, Written: l.fetched(args)}
	if u.Written == "" || strings.ContainsAny(u.Written, `\$`) || strings.HasPrefix(u.Written, ".") || strings.HasPrefix(u.Written, "/") || strings.HasPrefix(u.Written, "~") {
		return Unpinned{}, false // a path or a variable
	}
	return u, u.loose()
}

// fetched is the package that a launcher is given, "" if that cannot be told.
func (l launcher) fetched(args []string) string {
	for i := 0; i < len(args); i++ {
		flag, value, joined := strings.Cut(args[i], "=")
		switch {
		case slices.Contains(l.packages, flag):
			if !joined && i+1 < len(args) {
				value = args[i+1]
			}
			return value
		case args[i] == "--":
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		case joined:
		case l.kind == ImagePackage && !alone(args[i]), slices.Contains(l.takes, flag):
			i++
		}
	}
	return ""
}

// alone tells whether a flag of docker run has no value behind it.
func alone(flag string) bool {
	switch flag {
	case "--rm", "--init", "--interactive", "--tty", "--detach", "--privileged", "--read-only", "--publish-all", "--quiet", "--no-healthcheck", "--oom-kill-disable", "--sig-proxy":
		return true
	}
	// Short ones may stand together, or right in front of their value.
	return !strings.HasPrefix(flag, "--") && (strings.Trim(flag[1:], "itdPq") == "" || len(flag) > 2)
}

// loose reads what is fetched, and tells whether its version is left open.
func (u *Unpinned) loose() bool {
	u.Name = u.Written
	digit := func(version string) bool { return version != "" && version[0] >= '0' && version[0] <= '9' }
	switch u.Kind {
	case ImagePackage:
		if strings.Contains(u.Written, "@sha256:") {
			return false
		}
		tag := ""
		if i := strings.LastIndexByte(u.Written, ':'); i > strings.LastIndexByte(u.Written, '/') { // else it is a port
			u.Name, tag = u.Written[:i], u.Written[i+1:]
		}
		return tag == "" || tag == "latest"
	case PythonPackage:
		if strings.Contains(u.Written, ":") {
			return false // an address
		}
		i := strings.IndexAny(u.Written, "=<>!~@[")
		if i < 0 {
			return true
		}
		u.Name = u.Written[:i]
		_, version, exact := strings.Cut(u.Written, "==")
		if !exact {
			_, version, exact = strings.Cut(u.Written, "@")
		}
		return !exact || !digit(strings.TrimSpace(version))
	}
	if strings.Contains(u.Written, ":") || strings.Count(u.Written, "/") > 1 || strings.Contains(u.Written, "/") && u.Written[0] != '@' {
		return false // an address, or a repository
	}
	at := strings.LastIndex(u.Written, "@")
	if at <= 0 {
		return true
	}
	u.Name = u.Written[:at]
	return !digit(u.Written[at+1:]) // a tag, or a range
}
