package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A process is found by its environment, its command line or its folder.
func TestLeftover(t *testing.T) {
	for name, command := range map[string]func(dir string) *exec.Cmd{
		"environment": func(dir string) *exec.Cmd {
			cmd := exec.Command("sleep", "600")
			cmd.Env = append(os.Environ(), markVariable+"="+dir)
			return cmd
		},
		"command": func(dir string) *exec.Cmd { return exec.Command("sh", "-c", "read line <$0; true 600", dir+"/pipe") },
		"folder": func(dir string) *exec.Cmd {
			cmd := exec.Command("sleep", "600")
			cmd.Dir = dir
			return cmd
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil { // nothing ever comes from it
				t.Fatal(err)
			}
			cmd := command(dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			left := leftover(dir)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if len(left) != 1 || !strings.Contains(left[0], "600") {
				t.Errorf("found %q", left)
			}
			if left := leftover(dir); len(left) != 0 {
				t.Errorf("found %q after its end", left)
			}
		})
	}
}
