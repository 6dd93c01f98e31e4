package main

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// checkKilled ends a gateway without any chance to clean up: its servers must
// not outlive it.
func checkKilled(ctx context.Context, w *world) error {
	if runtime.GOOS != "linux" {
		w.tally.skip("a killed gateway", "only Linux ends children with their parent")
		return nil
	}
	before := w.known()
	g, err := w.gateway(ctx, "killed", w.server("everything"), w.server("files"), w.server("memory"))
	if err != nil {
		return err
	}
	through := map[string]any{"url": g.url()}
	if err := w.succeeds(ctx, through, "legacy", tool("everything__echo", `{"message":"hello"}`)); err != nil {
		return err
	}
	var started error
	if n := len(w.leftover(before)); n < 2 { // the gateway itself and at least one server
		started = fmt.Errorf("%d processes", n)
	}
	w.tally.check("killed: servers run", started)
	g.process.Kill()
	delete(w.gateways, "killed")
	began := time.Now()
	err = w.waitUntilGone(before)
	w.tally.check(fmt.Sprintf("killed: no server outlives its gateway (%.1f s)", time.Since(began).Seconds()), err)
	return nil
}
