package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const fifty = 50

// fiftyServers writes a configuration of servers that note every start in the
// file starts. Their listings are stale at once.
func fiftyServers(t *testing.T) (config, starts string, env []string) {
	t.Helper()
	dir := t.TempDir()
	config, starts = filepath.Join(dir, "toolcrib.yaml"), filepath.Join(dir, "starts")
	var b strings.Builder
	b.WriteString("discovery: {ttl: 1ns}\ndisclosure: {surface: passthrough}\nservers:\n")
	for n := range fifty {
		fmt.Fprintf(&b, "  s%02d:\n    command: sh\n    args: [-c, 'echo %d >>%s; exec mcpserver']\n", n, n, starts)
		fmt.Fprintf(&b, "    env: {TOOLCRIB_MCPTEST: legacy, GORACE: %s}\n", quickExit)
	}
	if err := os.WriteFile(config, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return config, starts, append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "GORACE="+quickExit)
}

// Cold, fifty servers are listed in one pass, few of them at a time. After that a
// gateway answers at once for all of them, and starts none.
func TestFiftyServers(t *testing.T) {
	config, starts, env := fiftyServers(t)
	cmd := exec.Command("toolcrib", "refresh", "--config", config, "--json")
	cmd.Env = env
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cmd.Wait()
	}()
	most := mostChildren(cmd.Process.Pid, ended)
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, errors.String())
	}
	var result struct{ Listed, Failed int }
	if err := json.Unmarshal([]byte(out.String()), &result); err != nil || result.Listed != fifty || result.Failed != 0 {
		t.Fatalf("%v\n%s%s", err, out.String(), errors.String())
	}
	// Four may start at once; of those before them some may not have quite ended.
	if most > 12 {
		t.Errorf("%d servers ran at once", most)
	}
	if n := startsIn(t, starts); n != fifty {
		t.Errorf("%d starts for %d servers", n, fifty)
	}
	t.Logf("cold: %d servers in %s, at most %d at once", fifty, time.Since(began).Round(time.Millisecond), most)
	os.Remove(starts)
	warmStart(t, config, env)
	if n := startsIn(t, starts); n != 0 {
		t.Errorf("%d servers were started for a list that was known", n)
	}
}

// mostChildren is how many processes pid had at once, looked at every so often.
func mostChildren(pid int, until <-chan struct{}) int {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	most := 0
	for {
		select {
		case <-until:
			return most
		case <-tick.C:
			most = max(most, len(children(pid)))
		}
	}
}

func warmStart(t *testing.T, config string, env []string) {
	t.Helper()
	cmd := exec.Command("toolcrib", "serve", "--config", config)
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the gateway ended with %v", err)
		}
	}()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	lines := bufio.NewScanner(answers)
	lines.Buffer(nil, 16<<20)
	var answer struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &answer) != nil {
		t.Fatalf("no answer: %s", lines.Text())
	}
	took := time.Since(began)
	servers := map[string]bool{}
	for _, tool := range answer.Result.Tools {
		name, _, _ := strings.Cut(tool.Name, "__")
		servers[name] = true
	}
	if len(servers) != fifty {
		t.Errorf("tools of %d servers", len(servers))
	}
	if running := children(cmd.Process.Pid); len(running) != 0 {
		t.Errorf("children: %q", running)
	}
	t.Logf("warm: %d tools %s after the start", len(answer.Result.Tools), took.Round(time.Millisecond))
}

func startsIn(t *testing.T, file string) int {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}
