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
		text := s.Unpinned()
		if text == "" || !s.Runs() {
			continue
		}
		file := s.Source
		if file == "" {
			file = c.File
		}
		c.Advice = append(c.Advice, Problem{File: file, At: s.At, Text: text})
	}
	return c
}

// Unpinned says what a server fetches without a version, and how to write one; "" if
// it fetches nothing, or always the same.
func (s Server) Unpinned() string {
	words := append([]string{programName(s.Command)}, s.Args...)
	for _, f := range fetchers {
		if rest, ok := cutWords(words, f.words); ok {
			what := f.what(rest)
			if what == "" || f.pinned(what) {
				return ""
			}
			return fmt.Sprintf("server %s runs %s %s without a version, so that each start may run something else: write %s, the version that you have looked at", s.Name, strings.Join(f.words, " "), clip(what), f.offer(what))
		}
	}
	return ""
}

func cutWords(words, first []string) ([]string, bool) {
	if len(words) < len(first) || !slices.Equal(words[:len(first)], first) {
		return nil, false
	}
	return words[len(first):], true
}

// A fetcher is a program that runs others which it fetches first.
type fetcher struct {
	words  []string
	what   func(args []string) string // is fetched; "" if that cannot be told
	pinned func(what string) bool
	offer  func(what string) string // the same with a version
}

var fetchers = []fetcher{
	npm("npx"), npm("bunx"), npm("pnpx"), npm("bun", "x"), npm("pnpm", "dlx"), npm("yarn", "dlx"), npm("npm", "exec"),
	python("@", "uvx"), python("@", "uv", "tool", "run"), python("==", "pipx", "run"),
	container("docker", "run"), container("podman", "run"), container("nerdctl", "run"), container("docker", "container", "run"),
}

func npm(words ...string) fetcher {
	return fetcher{words, func(args []string) string { return firstWord(args, "-p", "--package") }, func(what string) bool {
		_, version := npmName(what)
		return elsewhere(what) || version != "" && version[0] >= '0' && version[0] <= '9'
	}, func(what string) string {
		name, _ := npmName(what)
		return name + "@VERSION"
	}}
}

// npmName parts a package's name from its version. A name may begin with @.
func npmName(what string) (name, version string) {
	if i := strings.LastIndexByte(what, '@'); i > 0 {
		return what[:i], what[i+1:]
	}
	return what, ""
}

func python(mark string, words ...string) fetcher {
	return fetcher{words, func(args []string) string { return firstWord(args, "--from", "--spec") }, func(what string) bool {
		_, version := pythonName(what)
		return elsewhere(what) || version != "" && version[0] >= '0' && version[0] <= '9'
	}, func(what string) string {
		name, _ := pythonName(what)
		return name + mark + "VERSION"
	}}
}

// pythonName parts a package's name from a version of which there is only one.
func pythonName(what string) (name, version string) {
	for _, mark := range []string{"==", "@"} {
		if name, version, ok := strings.Cut(what, mark); ok {
			return name, version
		}
	}
	return strings.TrimRight(strings.Split(what, ">")[0], "~<"), ""
}

func container(words ...string) fetcher {
	return fetcher{words, imageOf, func(what string) bool {
		_, tag := imageName(what)
		return strings.Contains(what, "@sha256:") || tag != "" && tag != "latest"
	}, func(what string) string {
		name, _ := imageName(what)
		return name + ":TAG, or better " + name + "@sha256:DIGEST"
	}}
}

// imageName parts the name of an image from its tag. The name may have a port.
func imageName(what string) (name, tag string) {
	if i := strings.LastIndexByte(what, ':'); i > strings.LastIndexByte(what, '/') {
		return what[:i], what[i+1:]
	}
	return what, ""
}

// elsewhere tells what is no name of a registry: a path, an address.
func elsewhere(what string) bool {
	return strings.HasPrefix(what, ".") || strings.HasPrefix(what, "/") || strings.HasPrefix(what, "~") || strings.Contains(what, ":") || strings.ContainsAny(what, `\$`)
}

// firstWord is the value of one of flags, or else the first argument that is no flag.
// A flag with a value of its own may hide it; then what is found is no name.
func firstWord(args []string, flags ...string) string {
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case slices.Contains(flags, name) && joined:
			return value
		case slices.Contains(flags, name) && i+1 < len(args):
			return args[i+1]
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}

// alone are the flags of docker run that have no value behind them.
var alone = []string{
	"--rm", "--init", "--interactive", "--tty", "--detach", "--privileged", "--read-only", "--publish-all", "--quiet", "--no-healthcheck", "--oom-kill-disable", "--sig-proxy",
}

// imageOf is the image that docker run is given.
func imageOf(args []string) string {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case !strings.HasPrefix(arg, "-"):
			if strings.Contains(arg, "$") {
				return ""
			}
			return arg
		case slices.Contains(alone, arg), strings.Contains(arg, "="):
		case strings.HasPrefix(arg, "--"):
			i++
		case strings.Trim(arg[1:], "itdPq") == "": // several in one
		case len(arg) == 2:
			i++
		}
	}
	return ""
}
