package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/test/internal/proc"
)

// A newcomer is somebody whose clients have servers, and who has just installed the
// gateway: a home of their own, and nothing else.
type newcomer struct {
	*world
	home string
}

// checkNewUser goes the way of a new user, with the commands that each step names:
// toolcrib, import, doctor, serve, install, and a call by what was installed.
func checkNewUser(ctx context.Context, w *world) error {
	n, err := w.newcomer()
	if err != nil {
		return err
	}
	n.says(ctx, "toolcrib tells what is there and what to do", 0, []string{"cursor", "claude-code", "toolcrib import --write", "toolcrib install claude-code"})
	n.says(ctx, "doctor has the same advice", 3, []string{"there is none", "toolcrib import --write takes over the 2 servers"}, "doctor", "--offline")
	n.says(ctx, "import shows what it would do", 0, []string{"everything", "same as everything", "memory"}, "import")
	n.says(ctx, "import makes a configuration", 0, []string{"wrote"}, "import", "--write")
	n.says(ctx, "import has nothing to do the second time", 0, []string{"nothing new"}, "import", "--write")
	n.says(ctx, "toolcrib tells what is next", 0, []string{"with 2 servers", "toolcrib doctor"})
	n.says(ctx, "doctor finds the servers well", 0, []string{"2 of 2 servers answer", "all is well"}, "doctor", "--http", "127.0.0.1:0")
	if err := n.overHTTP(ctx); err != nil {
		return err
	}
	n.installed(ctx)
	n.says(ctx, "uninstall takes it out", 0, []string{"wrote"}, "uninstall", "cursor", "--yes")
	return nil
}

func (w *world) newcomer() (*newcomer, error) {
	n := &newcomer{w, filepath.Join(w.dir, "newcomer")}
	entries := func(servers ...server) []byte {
		all := map[string]any{}
		for _, s := range servers {
			all[s.name] = s.entry
		}
		b, _ := json.MarshalIndent(map[string]any{"mcpServers": all}, "", "  ") // texts alone
		return b
	}
	same := w.server("everything")
	same.name = "all-of-it"
	return n, errors.Join(
		os.MkdirAll(filepath.Join(n.home, ".cursor"), 0o700),
		os.WriteFile(filepath.Join(n.home, ".claude.json"), entries(w.server("everything")), 0o600),
		os.WriteFile(filepath.Join(n.home, ".cursor", "mcp.json"), entries(same, w.server("memory")), 0o600),
	)
}

func (n *newcomer) environment() []string { return n.world.environment("HOME=" + n.home) }

// says checks one command: how it ends, and what it prints on both streams.
func (n *newcomer) says(ctx context.Context, what string, code int, want []string, args ...string) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, n.toolcrib, args...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = n.environment(), n.home, 5*time.Second
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
	}
	if err == nil && cmd.ProcessState.ExitCode() != code {
		err = fmt.Errorf("exit code %d, not %d:\n%s", cmd.ProcessState.ExitCode(), code, out)
	}
	for _, text := range want {
		if err == nil && !strings.Contains(string(out), text) {
			err = fmt.Errorf("no %q in:\n%s", text, out)
		}
	}
	n.tally.check("new user: "+what, err)
}

// overHTTP serves what was imported and has Inspector list and call its tools, with the
// entry that install writes for a client.
func (n *newcomer) overHTTP(ctx context.Context) error {
	addr, err := proc.FreePort()
	if err != nil {
		return err
	}
	p, err := n.start(ctx, proc.Spec{Name: "gateway-newcomer", Env: n.environment(), Ready: addr, Command: []string{n.toolcrib, "serve", "--http", addr}})
	if err != nil {
		return err
	}
	n.gateways["newcomer"] = &gateway{name: "newcomer", addr: addr, process: p}
	n.says(ctx, "doctor finds the gateway at its port", 0, []string{"a gateway serves " + addr}, "doctor", "--offline", "--http", addr)
	n.says(ctx, "install puts the address and the token into a client's file", 0, []string{`"http://` + addr + `/mcp"`, "***", "wrote"}, "install", "claude-code", "--http", addr, "--yes")
	n.says(ctx, "a second time nothing changes", 0, []string{"has this gateway already"}, "install", "claude-code", "--http", addr, "--yes")
	entry, err := n.entryOf(".claude.json")
	n.tally.check("new user: the client's file has the entry", err)
	if err != nil {
		return nil
	}
	entry["type"] = "streamable-http" // Inspector's word for it
	for _, era := range eras {
		n.throughInspector(ctx, "over HTTP, "+era, entry, era)
	}
	if n.claude == "" {
		n.tally.skip("new user: Claude Code", "npm could not install it here")
	} else {
		out, err := n.runClaudeOf(ctx, n.home, "mcp", "list")
		n.tally.check("new user: Claude Code connects by what install wrote", connected("toolcrib", out, err))
	}
	delete(entry, "headers")
	if a, err := n.inspect(ctx, entry, eras[0], method("tools/list")...); err != nil || a.code == 0 {
		n.tally.check("new user: without the token nobody gets in", fmt.Errorf("exit code %d, %v", a.code, err))
	} else {
		n.tally.check("new user: without the token nobody gets in", nil)
	}
	return nil
}

// installed has Inspector start the gateway as a client would.
func (n *newcomer) installed(ctx context.Context) {
	n.says(ctx, "install puts the command into a client's file", 0, []string{`"toolcrib": {`, "wrote"}, "install", "cursor", "--yes")
	entry, err := n.entryOf(filepath.Join(".cursor", "mcp.json"))
	n.tally.check("new user: the other client's file has the entry", err)
	if err != nil {
		return
	}
	entry["env"] = map[string]string{"HOME": n.home}
	n.throughInspector(ctx, "as a client starts it", entry, eras[0])
}

// entryOf is what a client's file says of the gateway.
func (n *newcomer) entryOf(file string) (map[string]any, error) {
	text, err := os.ReadFile(filepath.Join(n.home, file))
	if err != nil {
		return nil, err
	}
	var all struct {
		Servers map[string]map[string]any `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	entry := all.Servers["toolcrib"]
	if entry == nil {
		return nil, fmt.Errorf("no toolcrib in %s", text)
	}
	return entry, nil
}

// throughInspector lists the tools and calls one of a server behind the gateway.
func (n *newcomer) throughInspector(ctx context.Context, how string, entry map[string]any, era string) {
	a, err := n.inspect(ctx, entry, era, method("tools/list")...)
	for _, name := range surfaces[0].tools {
		if err == nil && !strings.Contains(string(a.Result), `"name":"`+name+`"`) && !strings.Contains(string(a.Result), `"name": "`+name+`"`) {
			err = fmt.Errorf("exit code %d, no %s in %.500s %s", a.code, name, a.Result, a.text)
		}
	}
	n.tally.check("new user: Inspector lists the tools, "+how, err)
	a, err = n.inspect(ctx, entry, era, tool("call_tool", `{"tool":"everything.echo","arguments":{"message":"well met"}}`)...)
	if err == nil && !strings.Contains(string(a.Result), "well met") {
		err = fmt.Errorf("exit code %d, %.500s %s", a.code, a.Result, a.text)
	}
	n.tally.check("new user: a tool is called, "+how, err)
}
