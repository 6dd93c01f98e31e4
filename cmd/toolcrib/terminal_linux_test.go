package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// On a terminal the lines of servers at work are kept up to date; on a dumb one
// and where colours are not wanted, less of that.
func TestProgressOnATerminal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "toolcrib.yaml")
	config := "servers:\n  calculator: {command: toolcrib, args: [demo-server, calculator]}\n  gone: {command: no-such-program}\n"
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	const up, red = "\x1b[1A", "\x1b[31m"
	for _, c := range []struct {
		name         string
		env          string
		live, colour bool
	}{
		{"xterm", "TERM=xterm", true, true},
		{"NO_COLOR", "NO_COLOR=1", true, false},
		{"dumb", "TERM=dumb", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := append(os.Environ(), "TERM=xterm", "NO_COLOR=", "XDG_STATE_HOME="+filepath.Join(dir, c.name), c.env)
			out, shown := onTerminal(t, env, "refresh", "--config", file)
			for _, want := range []string{"calculator", "5 tools in", "1 server listed, 1 failed"} {
				if !strings.Contains(shown, want) {
					t.Errorf("the terminal does not show %q:\n%q", want, shown)
				}
			}
			if got := strings.Contains(shown, up); got != c.live {
				t.Errorf("lines are kept up to date: %v\n%q", got, shown)
			}
			if got := strings.Contains(shown, red); got != c.colour {
				t.Errorf("in colour: %v\n%q", got, shown)
			}
			if strings.Contains(out, "\x1b") || !strings.Contains(out, "calculator  5 tools") {
				t.Errorf("standard output, which is no terminal: %q", out)
			}
		})
	}
}

// A person who starts it as an agent would is told what it waits for.
func TestServeOnATerminal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "toolcrib.yaml")
	if err := os.WriteFile(file, []byte(goodServer), 0o600); err != nil {
		t.Fatal(err)
	}
	_, tty := openTerminal(t)
	cmd := exec.Command("toolcrib", "serve", "--config", file)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "GORACE="+quickExit)
	cmd.Stdin = tty
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil || !strings.Contains(line, "--http 127.0.0.1:7332 serves agents at an address") {
		t.Errorf("it says %q, %v", line, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
}

// onTerminal runs toolcrib with its standard error on a terminal.
func onTerminal(t *testing.T, env []string, args ...string) (stdout, shown string) {
	t.Helper()
	master, tty := openTerminal(t)
	cmd := exec.Command("toolcrib", args...)
	cmd.Env = append(env, "GORACE="+quickExit)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	b, _ := io.ReadAll(master) // ends with an error when the other end is closed
	cmd.Wait()
	return out.String(), string(b)
}

// openTerminal returns both ends of a terminal of 100 by 30 characters.
func openTerminal(t *testing.T) (master, tty *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { tty.Close() })
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 100}); err != nil {
		t.Fatal(err)
	}
	return master, tty
}
