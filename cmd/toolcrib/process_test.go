//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A process is toolcrib serving HTTP.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	url string
	log *logLines

	token string // sent with calls, if there is one
}

// startHTTP starts toolcrib and waits until it listens.
func startHTTP(t *testing.T, configText string, args ...string) *process {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "toolcrib.yaml")
	if err := os.WriteFile(file, []byte(configText), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("toolcrib", append([]string{"serve", "--config", file, "--http", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "GORACE="+quickExit)
	return startListening(t, cmd)
}

// startListening starts a command that serves HTTP.
func startListening(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, log: &logLines{}}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	found := make(chan string, 1)
	go p.log.read(stderr, regexp.MustCompile(`url=(\S+)`), found)
	select {
	case p.url = <-found:
	case <-time.After(30 * time.Second):
		t.Fatalf("toolcrib does not listen:\n%s", p.log.text())
	}
	return p
}

// call calls a tool as a modern agent does.
func (p *process) call(tool, arguments string) (string, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest(http.MethodPost, p.url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", resp.StatusCode, b)
	}
	return string(b), err
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// exit waits for the process and returns its exit code.
func (p *process) exit(within time.Duration) int {
	p.t.Helper()
	ended := make(chan struct{})
	go func() {
		p.cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(within):
		p.t.Fatalf("still running after %s:\n%s", within, p.log.text())
	}
	return p.cmd.ProcessState.ExitCode()
}

// untilCalled waits until a tool of the server has been called n times.
func (p *process) untilCalled(tool string, n int) {
	p.t.Helper()
	want := fmt.Sprintf(`"%s":%d`, tool, n)
	deadline := time.Now().Add(30 * time.Second)
	var last string
	for time.Now().Before(deadline) {
		answer, err := p.call("calls", "{}")
		if err == nil && strings.Contains(answer, want) {
			return
		}
		last = fmt.Sprint(answer, err)
	}
	p.t.Fatalf("%s was not called %d times: %s", tool, n, last)
}

const goodServer = `servers:
  good:
    command: mcpserver
    env: {TOOLCRIB_MCPTEST: good, GORACE: ` + quickExit + `}
http: {auth: none}
`

// logLines collects what a process logs.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *logLines) read(r io.Reader, look *regexp.Regexp, found chan<- string) {
	for s := bufio.NewScanner(r); s.Scan(); {
		l.mu.Lock()
		l.lines = append(l.lines, s.Text())
		l.mu.Unlock()
		if m := look.FindStringSubmatch(s.Text()); m != nil {
			select {
			case found <- m[1]:
			default:
			}
		}
	}
}

func (l *logLines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}
