package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A pin is a package that a launcher fetches by its name.
type pin struct {
	launcher string // npx, uvx, ...
	name     string // of the package
	written  string // as it stands in args
	python   bool
}

// launchers are programs that fetch a package and run it, with what stands in
// front of its name and the flags that take a value.
var launchers = map[string]struct {
	words    []string // one of these stands in front
	takes    []string // flags with a value
	packages []string // flags whose value is the package
	python   bool
}{
	"npx":  {takes: []string{"-c", "--call", "--registry", "--cache", "-w", "--workspace"}, packages: []string{"-p", "--package"}},
	"bunx": {packages: []string{"-p", "--package"}},
	"pnpm": {words: []string{"dlx"}, packages: []string{"--package"}},
	"npm":  {words: []string{"exec", "x"}, packages: []string{"-p", "--package"}},
	"uvx":  {takes: []string{"-p", "--python", "--with", "--index", "--index-url", "--extra-index-url", "--directory", "--env-file"}, packages: []string{"--from"}, python: true},
	"uv":   {words: []string{"tool run"}, takes: []string{"-p", "--python", "--with", "--index", "--directory"}, packages: []string{"--from"}, python: true},
	"pipx": {words: []string{"run"}, takes: []string{"--python", "--index-url", "--pip-args"}, packages: []string{"--spec"}, python: true},
}

// unpinned tells whether a server is started by a launcher that takes whatever version
// is newest.
func unpinned(command string, args []string) (pin, bool) {
	name := programOf(command)
	if len(args) > 1 && (name == "cmd" || name == "env") && (name == "env" || strings.EqualFold(args[0], "/c")) {
		if name == "cmd" {
			args = args[1:]
		}
		name, args = programOf(args[0]), args[1:]
	}
	l, ok := launchers[name]
	if !ok {
		return pin{}, false
	}
	if len(l.words) > 0 {
		i := slices.IndexFunc(l.words, func(words string) bool { return strings.HasPrefix(strings.Join(args, " ")+" ", words+" ") })
		if i < 0 {
			return pin{}, false // such as npm start
		}
		args = args[len(strings.Fields(l.words[i])):]
	}
	for i := 0; i < len(args); i++ {
		flag, value, joined := strings.Cut(args[i], "=")
		switch {
		case slices.Contains(l.packages, flag):
			if !joined && i+1 < len(args) {
				value = args[i+1]
			}
			return loose(name, value, l.python)
		case args[i] == "--":
		case !strings.HasPrefix(args[i], "-"):
			return loose(name, args[i], l.python)
		case slices.Contains(l.takes, flag) && !joined:
			i++
		}
	}
	return pin{}, false
}

// loose reads a package as it is written, and tells whether its version is left open.
func loose(launcher, written string, python bool) (pin, bool) {
	if written == "" || strings.ContainsAny(written, `:\$`) || strings.HasPrefix(written, ".") || strings.HasPrefix(written, "/") || strings.HasPrefix(written, "~") {
		return pin{}, false // a path, an address or a variable
	}
	p := pin{launcher: launcher, name: written, written: written, python: python}
	if python {
		if i := strings.IndexAny(written, "=<>!~@["); i >= 0 {
			p.name = written[:i]
			_, version, exact := strings.Cut(written, "==")
			if !exact {
				_, version, exact = strings.Cut(written, "@")
			}
			return p, !exact || strings.TrimSpace(version) == "latest"
		}
		return p, true
	}
	if strings.Count(written, "/") > 1 || strings.Contains(written, "/") && written[0] != '@' {
		return pin{}, false // of a repository
	}
	at := strings.LastIndex(written, "@")
	if at <= 0 {
		return p, true
	}
	p.name = written[:at]
	version := written[at+1:]
	return p, version == "" || version[0] < '0' || version[0] > '9' // a tag, or a range
}

// pinned is the package with a version, or with a word in its place.
func (p pin) pinned(version string) string {
	if version == "" {
		version = "VERSION"
	}
	if p.python {
		return p.name + "==" + version
	}
	return p.name + "@" + version
}

// hint is how to find a version, where this machine does not know one.
func (p pin) hint(version string) string {
	switch {
	case version != "":
		return ""
	case p.python:
		return "; https://pypi.org/project/" + p.name + " lists the versions"
	}
	return "; npm view " + p.name + " version prints the newest"
}

// fetched is the version that the launcher fetched last, "" if that is not known.
func (p pin) fetched(getenv func(string) string) string {
	var pattern string
	if p.python {
		name := strings.NewReplacer("-", "_", ".", "_").Replace(p.name)
		pattern = filepath.Join(uvCache(getenv), "archive-v0", "*", name+"-*.dist-info")
	} else {
		pattern = filepath.Join(npmCache(getenv), "_npx", "*", "node_modules", filepath.FromSlash(p.name), "package.json")
	}
	newest, version := time.Time{}, ""
	found, _ := filepath.Glob(pattern) // names of packages have no characters of patterns
	for _, path := range found {
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().After(newest) {
			continue
		}
		if v := p.versionAt(path); v != "" {
			newest, version = info.ModTime(), v
		}
	}
	return version
}

// maxPackage bounds what is read of a package's description.
const maxPackage = 1 << 20

func (p pin) versionAt(path string) string {
	if p.python {
		base := strings.TrimSuffix(filepath.Base(path), ".dist-info")
		return base[strings.LastIndex(base, "-")+1:]
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxPackage {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var about struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(text, &about) // one that cannot be read tells nothing
	return clean(about.Version)
}

func npmCache(getenv func(string) string) string {
	if dir := getenv("npm_config_cache"); dir != "" {
		return dir
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(getenv("LOCALAPPDATA"), "npm-cache")
	}
	return filepath.Join(getenv("HOME"), ".npm")
}

func uvCache(getenv func(string) string) string {
	switch {
	case getenv("UV_CACHE_DIR") != "":
		return getenv("UV_CACHE_DIR")
	case getenv("XDG_CACHE_HOME") != "":
		return filepath.Join(getenv("XDG_CACHE_HOME"), "uv")
	case runtime.GOOS == "windows":
		return filepath.Join(getenv("LOCALAPPDATA"), "uv", "cache")
	}
	return filepath.Join(getenv("HOME"), ".cache", "uv")
}

// programOf is the name of a program without its directory and ending.
func programOf(command string) string {
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		if len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			return name[:len(name)-len(end)]
		}
	}
	return name
}
