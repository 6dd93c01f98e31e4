package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// theTask is all that the agents are told: no server and no tool is named. The
// tool that does it gives the answers.
const theTask = `Task: evaluate the arithmetic expressions "2 ^ 100" and "(1 + 2) * 3 ^ 4 / 7"`

var theAnswers = []string{"1267650600228229401496703205376", "243/7"}

// checkAgents gives whole agents a task, one after another and at the same time
// with one gateway, and each with a gateway of its own on stdio.
func checkAgents(ctx context.Context, w *world) error {
	var agents []agent
	for _, a := range w.agents() {
		if a.program == "" {
			w.tally.skip(a.name+" as a whole", "npm could not install it here")
			continue
		}
		agents = append(agents, a)
	}
	if len(agents) == 0 {
		return nil
	}
	var err error
	if w.outside, err = startOutside(); err != nil {
		return err
	}
	path, err := w.demoConfig(ctx)
	if err != nil {
		return err
	}
	g, err := w.serve(ctx, "agents", path)
	if err != nil {
		return err
	}
	for _, a := range agents {
		w.checkAgent(ctx, a, "alone", g, path)
	}
	var all sync.WaitGroup
	for i := range 2 {
		for _, a := range agents {
			all.Go(func() { w.checkAgent(ctx, a, fmt.Sprintf("among others %d", i+1), g, path) })
		}
	}
	all.Wait()
	for _, a := range agents {
		if !a.webOnly {
			w.checkAgent(ctx, a, "stdio", nil, path)
		}
	}
	w.tally.check("agents: nothing beyond this machine was asked for", w.outside.untouched())
	return nil
}

// demoConfig writes a configuration with the servers that are part of the
// gateway, and lets it learn their tools, so that every gateway knows them from
// its start.
func (w *world) demoConfig(ctx context.Context) (string, error) {
	// Under this name its processes can be told from those of other runs.
	program := filepath.Join(w.dir, "toolcrib")
	if err := os.Symlink(w.toolcrib, program); err != nil {
		return "", err
	}
	var servers []server
	for _, name := range []string{"calculator", "notes", "text", "slow", "ask"} {
		args := []string{"demo-server", name}
		if name == "notes" {
			args = append(args, filepath.Join(w.dir, "notes"))
		}
		servers = append(servers, server{name, map[string]any{"command": program, "args": args}})
	}
	path, err := w.configFor("passthrough", "agents", servers...)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, w.toolcrib, "refresh", "--config", path)
	cmd.Env = w.environment(w.state())
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("learn the tools: %w: %s", err, out)
	}
	return path, nil
}

// state is where the agents' gateways keep what they know.
func (w *world) state() string { return "XDG_STATE_HOME=" + filepath.Join(w.dir, "state") }

// checkAgent lets an agent do the task and looks at all that was said.
func (w *world) checkAgent(ctx context.Context, a agent, how string, g *gateway, config string) {
	label := strings.ReplaceAll("agent "+a.name+" "+how, " ", "-")
	o, err := w.work(ctx, a, label, g, config, theTask)
	check := func(what string, err error) { w.tally.check(a.name+", "+how+": "+what, err) }
	check("gets the task done", errors.Join(err, o.hasAnswers()))
	if err != nil {
		return
	}
	check("speaks "+a.version, o.asked.speaks(a.version))
}

// hasAnswers checks what the agent said in the end.
func (o outcome) hasAnswers() error {
	for _, answer := range theAnswers {
		if !strings.Contains(o.said, answer) {
			return fmt.Errorf("it said %.2000q; the model was asked %d times, and besides %q", o.said, len(o.model.Seen()), o.model.Odd())
		}
	}
	return nil
}
