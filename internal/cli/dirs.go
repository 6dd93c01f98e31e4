package cli

import (
	"os"
	"path/filepath"
	"runtime"
)

// stateDir is where we keep what we made ourselves, "" where there is no home.
func stateDir(getenv func(string) string) string {
	dir := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // a relative one would be the working directory's
		dir = ""
		switch runtime.GOOS {
		case "darwin", "ios", "windows":
			dir, _ = os.UserConfigDir()
		default:
			if home := getenv("HOME"); home != "" {
				dir = filepath.Join(home, ".local", "state")
			}
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "toolcrib")
}
