package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"toolcrib/internal/config"
)

// A pin is a package whose version is left open.
type pin struct{ config.Unpinned }

func (p pin) python() bool { return p.Kind == config.PythonPackage }

// hint is how to find a version, where this machine does not know one.
func (p pin) hint(version string) string {
	switch {
	case version != "":
		return ""
	case p.Kind == config.ImagePackage:
		return ", or better " + p.Name + "@sha256:DIGEST; docker images --digests prints those that you have"
	case p.python():
		return "; https://pypi.org/project/" + p.Name + " lists the versions"
	}
	return "; npm view " + p.Name + " version prints the newest"
}

// fetched is the version that the launcher fetched last, "" if that is not known.
func (p pin) fetched(getenv func(string) string) string {
	var pattern string
	if p.Kind == config.ImagePackage {
		return ""
	} else if p.python() {
		name := strings.NewReplacer("-", "_", ".", "_").Replace(p.Name)
		pattern = filepath.Join(uvCache(getenv), "archive-v0", "*", name+"-*.dist-info")
	} else {
		pattern = filepath.Join(npmCache(getenv), "_npx", "*", "node_modules", filepath.FromSlash(p.Name), "package.json")
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
	if p.python() {
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
