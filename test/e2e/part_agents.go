package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// checkAgents gives whole agents a task: one after another and at the same time
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
	// Under this name its processes can be told from those of other runs.
	if err := os.Symlink(w.toolcrib, w.demoProgram()); err != nil {
		return err
	}
	for _, s := range surfaces {
		if err := w.checkSurface(ctx, s, agents); err != nil {
			return err
		}
	}
	w.tally.check("agents: nothing beyond this machine was asked for", w.outside.untouched())
	return nil
}

// checkSurface has one gateway for all agents, and some that they start.
func (w *world) checkSurface(ctx context.Context, s surface, agents []agent) error {
	path, err := w.agentsConfig(ctx, s.name)
	if err != nil {
		return err
	}
	g, err := w.serve(ctx, "agents-"+s.name, path)
	if err != nil {
		return err
	}
	do := func(a agent, how string, e errand) {
		e.agent, e.how, e.config, e.who = a, s.name+", "+how, path, a.who+e.who
		w.checkErrand(ctx, e, s)
	}
	for _, a := range agents {
		do(a, "first", errand{task: sums, web: g, told: s.told})
	}
	if !s.thorough {
		return nil
	}
	for _, a := range agents {
		if a.unnamed {
			do(a, "second, not to be told from the first", errand{task: echoes, web: g})
		} else {
			do(a, "second", errand{task: echoes, web: g, told: s.told})
		}
	}
	var all sync.WaitGroup
	for i, t := range []task{sums, echoes} {
		for _, a := range agents {
			who := fmt.Sprintf("among others %d", i+1)
			all.Go(func() { do(a, who, errand{task: t, web: g, who: who, told: s.told}) })
		}
	}
	all.Wait()
	for _, a := range agents {
		if !a.webOnly {
			do(a, "stdio", errand{task: echoes, told: s.told})
		}
	}
	return nil
}

// agentsConfig writes a configuration with the servers that are part of the
// gateway and one that is not, and lets it learn their tools, so that every
// gateway knows them from its start.
func (w *world) agentsConfig(ctx context.Context, surface string) (string, error) {
	servers := []server{w.server("everything")}
	for _, name := range []string{"calculator", "notes", "text", "slow", "ask"} {
		args := []string{"demo-server", name}
		if name == "notes" {
			args = append(args, filepath.Join(w.dir, "notes"))
		}
		servers = append(servers, server{name, map[string]any{"command": w.demoProgram(), "args": args}})
	}
	path, err := w.configFor(map[string]any{"surface": surface, "caller_header": callerHeader}, "agents-"+surface, servers...)
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

func (w *world) demoProgram() string { return filepath.Join(w.dir, "toolcrib") }

// state is where the gateways keep what they know.
func (w *world) state() string { return "XDG_STATE_HOME=" + filepath.Join(w.dir, "state") }

// checkErrand lets an agent do the task and looks at all that was said.
func (w *world) checkErrand(ctx context.Context, e errand, s surface) {
	o, err := w.runErrand(ctx, e)
	check := func(what string, err error) { w.tally.check(e.name()+": "+what, err) }
	check("gets the task done", errors.Join(err, o.hasAnswers(e.task)))
	if err != nil {
		return
	}
	check("speaks "+e.agent.version, o.asked.speaks(e.agent.version))
	if s.tools == nil {
		return
	}
	size, err := o.seesTools(s.tools, e.agent.hides)
	check(fmt.Sprintf("its model sees our %d tools (%s)", len(s.tools), size), err)
	size, err = o.seesInstructions()
	check(fmt.Sprintf("its model is told what is behind them (%s)", size), err)
	check("finds the tool before it calls it", o.takesSteps("search_tools", "tool_details", "call_tool", "call_tool"))
	check(fmt.Sprintf("is given the reference %s", []string{"no more", "once, with its first call"}[e.told]), o.givenReference(e.task, e.told))
	if !e.task.structured {
		check("its model reads it as often", o.readsReference(e.task, e.told))
	}
}
