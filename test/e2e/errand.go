package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/test/e2e/model"
)

// A task is all that an agent is told: no server is named. What it has to say in
// the end can only come from the right tool.
type task struct {
	text    string
	answers []string
	// structured tells that the tool's results have structured content. That
	// alone is what these agents show their model then: it does not see what
	// else is in the result.
	structured bool
}

var (
	sums = task{
		`Task: evaluate the arithmetic expressions "2 ^ 100" and "(1 + 2) * 3 ^ 4 / 7"`,
		[]string{"1267650600228229401496703205376", "243/7"},
		true,
	}
	echoes = task{
		`Task: echo back the messages "a hammer" and "a saw"`,
		[]string{"Echo: a hammer", "Echo: a saw"},
		false,
	}
)

// An errand is a task that one agent is given.
type errand struct {
	task   task
	agent  agent
	how    string   // in which way, for messages
	web    *gateway // that the agent connects to; nil if it starts one of its own
	config string   // of the gateway
	who    string   // what the agent calls itself in callerHeader
	told   int      // how often the agent is to get the reference of the tools
}

func (e errand) name() string { return e.agent.name + ", " + e.how }

// An outcome is what came of an errand.
type outcome struct {
	said  string // by the agent, in the end
	asked exchanges
	model *model.Server // closed; it knows what it was shown
}

// runErrand lets the agent do it, in a folder that nothing else is in.
func (w *world) runErrand(ctx context.Context, e errand) (o outcome, err error) {
	label := strings.NewReplacer(" ", "-", ",", "").Replace("agent " + e.name())
	s := setting{dir: filepath.Join(w.dir, label), who: e.who, task: e.task.text}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return o, err
	}
	if o.model, err = model.Start(); err != nil {
		return o, err
	}
	defer o.model.Close()
	s.model = o.model.URL()
	asked, err := w.connect(e, &s)
	if err != nil {
		return o, err
	}
	o.said, err = w.runAgent(ctx, e.agent, s, label)
	var err2 error
	o.asked, err2 = asked()
	return o, errors.Join(err, err2)
}

// connect puts something between the agent and the gateway that listens. What it
// has heard it tells when the agent has ended.
func (w *world) connect(e errand, s *setting) (asked func() (exchanges, error), err error) {
	if e.web != nil {
		tap, err := startTap(e.web)
		if err != nil {
			return nil, err
		}
		s.url = tap.url()
		return tap.exchanges, nil
	}
	self, err := os.Executable()
	file := filepath.Join(s.dir, "tap")
	s.start = []string{self, tapArg, file, "env", w.state(), w.toolcrib, "serve", "--config", e.config}
	return func() (exchanges, error) { return readTap(file) }, err
}

// runAgent runs an agent's program to its end and returns what it printed.
func (w *world) runAgent(ctx context.Context, a agent, s setting, label string) (string, error) {
	args, env, err := a.command(s)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.program, args...)
	cmd.Dir, cmd.Env = s.dir, append(append(w.environment("HOME="+s.dir), w.outside.proxy()...), env...)
	cmd.WaitDelay = 5 * time.Second
	log, err := os.Create(filepath.Join(w.logs, label+".log"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, log
	err = cmd.Run()
	_, err2 := fmt.Fprintf(log, "\n--- it printed:\n%s\n", out.String())
	if err = errors.Join(err, ctx.Err(), err2, log.Close()); err != nil {
		return "", fmt.Errorf("%s: %w; see %s", a.name, err, log.Name())
	}
	return out.String(), nil
}
