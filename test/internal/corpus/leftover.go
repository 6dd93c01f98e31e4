package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// waitUntilGone gives processes that are ending a moment.
func waitUntilGone(dir string) error {
	deadline := time.Now().Add(5 * time.Second)
	for {
		left := leftover(dir)
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("still running: %q", left)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// leftover are the processes that have the trial's mark in their environment, or
// its folder in their command line or as their working directory. Where the
// system has no /proc, none are found.
func leftover(dir string) []string {
	var left []string
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		environment, _ := os.ReadFile(filepath.Join(p, "environ"))
		command, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		cwd, _ := os.Readlink(filepath.Join(p, "cwd"))
		switch {
		case len(command) == 0: // ended, or of the system
		case bytes.Contains(append(environment, 0), []byte(markVariable+"="+dir+"\x00")),
			bytes.Contains(command, []byte(dir+"\x00")), bytes.Contains(command, []byte(dir+"/")),
			cwd == dir, strings.HasPrefix(cwd, dir+"/"):
			left = append(left, filepath.Base(p)+" "+string(bytes.ReplaceAll(bytes.TrimRight(command, "\x00"), []byte{0}, []byte{' '})))
		}
	}
	return left
}
