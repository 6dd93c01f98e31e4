package mcptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

// Servers that have to be ended by force. They are processes only: in memory
// they would turn the test itself deaf, or leave it with children.

var errProcessOnly = errors.New("this behaviour works as a process only: use Command")

// ignoreTerm is good, and stays when its input ends or it is asked to terminate.
func ignoreTerm(ctx context.Context, s *streams) error {
	if !s.process {
		return errProcessOnly
	}
	signal.Ignore(terminationSignals()...)
	u := rules{eras: Dual}
	if err := s.converse(ctx, newGood(&u), u, hooks{}); err != nil {
		return err
	}
	return stay() // its input has ended; only a kill ends it now
}

// forks is good and has n= children (3) that hold nothing and never end. With
// leave=true it exits on its own after the tool leave is called, and they stay.
// With pids=FILE it writes their process ids there, one a line; tool children
// returns them too.
func forks(ctx context.Context, s *streams) error {
	if !s.process {
		return errProcessOnly
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var pids []int
	for range s.args.num("n", 3) {
		child := exec.Command(self)
		child.Env = append(os.Environ(), processVariable+"=linger")
		if s.args.on("hold") { // keeps our stdout open after we are gone
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
		}
		if err := child.Start(); err != nil {
			return fmt.Errorf("start a grandchild: %w", err)
		}
		pids = append(pids, child.Process.Pid)
	}
	if file := s.args.text("pids", ""); file != "" {
		var b strings.Builder
		for _, pid := range pids {
			b.WriteString(strconv.Itoa(pid) + "\n")
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			return err
		}
	}
	u := rules{eras: Dual}
	g := newGood(&u)
	g.tools = append(g.tools, tool{name: "children", about: "Returns the process ids of its children", run: func(context.Context, *good, *toolCall) (any, *rpcError) {
		return show(object{"pids": pids}), nil
	}})
	return s.converse(ctx, g, u, hooks{received: func(_ context.Context, c *conn, m message) bool {
		if s.args.on("leave") && calledTool(m) == "leave" {
			c.exit(0)
			return true
		}
		return false
	}})
}

// linger is a grandchild: it does nothing until it is killed.
func linger(_ context.Context, s *streams) error {
	if !s.process {
		return errProcessOnly
	}
	_, _ = io.Copy(io.Discard, s.in)
	return stay()
}

// stay never returns. An empty select would be reported as a deadlock.
func stay() error {
	for {
		time.Sleep(time.Hour)
	}
}
