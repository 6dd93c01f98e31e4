//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the demo says to try works when it is tried.
func TestDemoIntroduction(t *testing.T) {
	cmd := exec.Command("toolcrib", "demo", "--http", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "GORACE="+quickExit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var text strings.Builder
	for s := bufio.NewScanner(out); s.Scan() && s.Text() != "Ctrl-C ends it."; {
		text.WriteString(s.Text() + "\n")
	}
	for _, want := range []string{"calculator", "notes", "text", "slow", "ask", "claude mcp add --transport http", "inspector --cli"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the introduction lacks %q:\n%s", want, text.String())
		}
	}
	if _, err := exec.LookPath("curl"); err == nil {
		lines := regexp.MustCompile(`(?s)  call\(\) .*?\n  call execute .*?\n`).FindString(text.String())
		b, err := exec.Command("sh", "-c", lines).CombinedOutput()
		for _, want := range []string{`"tools":[{"name":`, "1267650600228229401496703205376/7", `"sum":{"result":"3"`} {
			if err != nil || !strings.Contains(string(b), want) {
				t.Errorf("the lines to try do not answer %s: %v\n%s", want, err, b)
			}
		}
	}
	p := &process{t: t, cmd: cmd, log: &logLines{}}
	p.signal(syscall.SIGINT)
	if code := p.exit(15 * time.Second); code != 130 {
		t.Errorf("exit code %d", code)
	}
}
