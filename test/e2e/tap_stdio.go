package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// tapArg makes this program run another and keep what goes in and out of it:
//
//	e2e tap FILE COMMAND ARGS...
//
// An agent that starts the gateway itself starts it so. FILE.in has the agent's
// lines and FILE.out the gateway's.
const tapArg = "tap"

func runTap(ctx context.Context, args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: e2e tap FILE COMMAND ARGS...")
		return 2
	}
	in, err1 := os.Create(args[0] + ".in")
	out, err2 := os.Create(args[0] + ".out")
	if err := errors.Join(err1, err2); err != nil {
		fmt.Fprintf(os.Stderr, "e2e tap: %v\n", err)
		return 1
	}
	cmd := exec.CommandContext(ctx, args[1], args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = io.TeeReader(os.Stdin, in), io.MultiWriter(os.Stdout, out), os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err := errors.Join(cmd.Run(), in.Close(), out.Close())
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintf(os.Stderr, "e2e tap: %v\n", err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

// readTap pairs what runTap kept.
func readTap(file string) (exchanges, error) {
	in, err1 := os.ReadFile(file + ".in")
	out, err2 := os.ReadFile(file + ".out")
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("the agent did not start its gateway: %w", err)
	}
	var all exchanges
	for line := range bytes.Lines(in) {
		var e exchange
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("the agent wrote %.200q: %w", line, err)
		}
		if e.Method != "" && e.ID != nil {
			all = append(all, e)
		}
	}
	for line := range bytes.Lines(out) {
		var a exchange
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, fmt.Errorf("the gateway wrote %.200q: %w", line, err)
		}
		for i, e := range all {
			if a.Method == "" && bytes.Equal(a.ID, e.ID) {
				all[i].Result, all[i].Error = a.Result, a.Error
			}
		}
	}
	return all, nil
}
