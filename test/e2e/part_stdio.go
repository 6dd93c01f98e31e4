package main

import (
	"context"
	"fmt"
)

// checkStdio lets Inspector start the gateway as its stdio server.
func checkStdio(ctx context.Context, w *world) error {
	path, err := w.config("stdio", w.server("everything"))
	if err != nil {
		return err
	}
	through := map[string]any{"command": w.toolcrib, "args": []string{"serve", "--config", path}}
	for _, era := range eras {
		inParallel(ctx, w.probesIn("everything", era), func(p probe) {
			w.tally.check(fmt.Sprintf("gateway on stdio, %s: %s", era, p.name), w.compare(ctx, "everything", through, era, p))
		})
	}
	w.tally.check("gateways on stdio end with their agent", w.waitUntilGone(w.known()))
	return nil
}

// known are the processes that are meant to run, with their children.
func (w *world) known() map[int]bool {
	all := map[int]bool{}
	for _, p := range w.processes {
		all[p.Pid] = true
	}
	for pid := range descendants(all) {
		all[pid] = true
	}
	return all
}
