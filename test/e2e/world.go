package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"toolcrib/test/internal/proc"
)

// A world is the processes and files of a run. Every path in it is inside one
// folder that no other run has, and so every process of the run can be told by
// its command line.
type world struct {
	tally                *tally
	node, toolcrib       string
	claude, codex        string // "" where they could not be installed
	inspector, scripts   string // of the npm packages, seen through the folder
	dir, home, logs      string
	filesDir, memoryFile string
	servers              []server
	gateways             map[string]*gateway
	processes            []*proc.Process
	files                []*os.File
	answers              answers
	outside              *outside // of the agents
}

// A gateway that runs over HTTP.
type gateway struct {
	name, addr string
	process    *proc.Process
}

func (g *gateway) url() string { return "http://" + g.addr + "/mcp" }

func newWorld(node, packages, claude, codex, toolcrib, logs string) (*world, error) {
	if err := absolute(&node, &packages, &claude, &codex, &toolcrib, &logs); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "toolcrib-e2e-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // the file server shows real paths
		return nil, err
	}
	w := &world{
		node: node, claude: claude, codex: codex, toolcrib: toolcrib, dir: dir, logs: logs,
		home: filepath.Join(dir, "home"), filesDir: filepath.Join(dir, "files"),
		gateways: map[string]*gateway{},
	}
	for _, d := range []string{w.home, w.filesDir, filepath.Join(w.filesDir, "written")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(w.hello(), []byte("h\u00e9llo \U0001F600\n\ttabs and \"quotes\"\n"), 0o600); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(logs); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return nil, err
	}
	seen := filepath.Join(dir, "npm")
	if err := os.Symlink(filepath.Join(packages, "node_modules"), seen); err != nil {
		return nil, err
	}
	w.scripts = filepath.Join(seen, "@modelcontextprotocol")
	w.inspector = filepath.Join(w.scripts, "inspector", "clients", "launcher", "build", "index.js")
	return w, nil
}

// environment keeps settings of whoever runs this out of it.
func (w *world) environment(more ...string) []string {
	path := filepath.Dir(w.node) + string(os.PathListSeparator) + os.Getenv("PATH")
	return append([]string{"PATH=" + path, "HOME=" + w.home, "TMPDIR=" + w.dir}, more...)
}

// listen starts a process that listens on the port in its PORT variable.
func (w *world) listen(ctx context.Context, name string, command []string) (addr string, err error) {
	if addr, err = proc.FreePort(); err != nil {
		return "", err
	}
	_, port, _ := splitAddr(addr)
	_, err = w.start(ctx, proc.Spec{Name: name, Command: command, Env: w.environment("PORT=" + port), Ready: addr})
	return addr, err
}

func (w *world) start(ctx context.Context, s proc.Spec) (*proc.Process, error) {
	log, err := os.Create(filepath.Join(w.logs, s.Name+".log"))
	if err != nil {
		return nil, err
	}
	w.files = append(w.files, log)
	s.Log, s.Dir = log, w.dir
	p, err := proc.Start(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	w.processes = append(w.processes, p)
	return p, nil
}

// config writes a configuration that shows some of the servers as they are.
func (w *world) config(name string, servers ...server) (string, error) {
	return w.configFor(map[string]any{"surface": "passthrough"}, name, servers...)
}

// configFor writes a configuration that says what agents see.
func (w *world) configFor(disclosure map[string]any, name string, servers ...server) (string, error) {
	entries := map[string]any{}
	for _, s := range servers {
		entries[s.name] = s.entry
	}
	b, err := json.MarshalIndent(map[string]any{
		"servers":    entries,
		"disclosure": disclosure,
		"http":       map[string]any{"auth": "none"},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(w.dir, name+".yaml") // JSON is YAML
	return path, os.WriteFile(path, b, 0o600)
}

// gateway starts a gateway in front of servers, or returns the one of that name.
func (w *world) gateway(ctx context.Context, name string, servers ...server) (*gateway, error) {
	if g, ok := w.gateways[name]; ok {
		return g, nil
	}
	path, err := w.config(name, servers...)
	if err != nil {
		return nil, err
	}
	g, err := w.serve(ctx, name, path)
	if err != nil {
		return nil, err
	}
	return g, g.complete(ctx, servers)
}

// serve starts a gateway over HTTP with a configuration.
func (w *world) serve(ctx context.Context, name, path string) (*gateway, error) {
	addr, err := proc.FreePort()
	if err != nil {
		return nil, err
	}
	p, err := w.start(ctx, proc.Spec{
		Name: "gateway-" + name, Env: w.environment(w.state()), Ready: addr,
		Command: []string{w.toolcrib, "serve", "--config", path, "--http", addr},
	})
	if err != nil {
		return nil, err
	}
	g := &gateway{name: name, addr: addr, process: p}
	w.gateways[name] = g
	return g, nil
}

// complete waits until the tools of all servers are listed: of several servers
// the gateway shows those that have started, and announces the rest when they
// come.
func (g *gateway) complete(ctx context.Context, servers []server) error {
	if len(servers) < 2 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		missing, err := g.missing(ctx, servers)
		if err == nil && len(missing) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("gateway %s lists no tools of %v", g.name, missing), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (g *gateway) missing(ctx context.Context, servers []server) ([]string, error) {
	c, err := dialRaw(ctx, g.url(), true)
	if err != nil {
		return nil, err
	}
	list, err := c.request(ctx, "tools/list", "", "")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range servers {
		if !bytes.Contains(list, []byte(`"name":"`+merged(s.name, "tools", ""))) {
			names = append(names, s.name)
		}
	}
	return names, nil
}

// close ends everything, gateways first, and checks that nothing is left.
func (w *world) close(ctx context.Context) {
	isGateway := map[*proc.Process]bool{}
	for _, g := range w.gateways {
		isGateway[g.process] = true
		began := time.Now()
		g.process.Stop(15 * time.Second)
		var err error
		if took := time.Since(began); took > 12*time.Second {
			err = fmt.Errorf("it took %s", took.Round(time.Second))
		}
		w.tally.check("gateway "+g.name+" ends when it is told to", err)
	}
	// The servers that the gateways started must be gone before ours are ended.
	if runtime.GOOS == "linux" && w.toolcrib != "" {
		own := map[int]bool{}
		for _, p := range w.processes {
			own[p.Pid] = true
		}
		w.tally.check("no process is left behind", w.waitUntilGone(own))
	}
	if w.outside != nil {
		_ = w.outside.http.Close()
	}
	for _, p := range w.processes {
		if !isGateway[p] {
			p.Stop(0)
		}
	}
	for _, f := range w.files {
		_ = f.Close()
	}
	_ = os.RemoveAll(w.dir)
}
