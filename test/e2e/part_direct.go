package main

import (
	"context"
	"fmt"
)

// checkDirect makes the answers that the others are compared with, and shows
// that servers and clients of this run work without a gateway.
func checkDirect(ctx context.Context, w *world) error {
	for _, name := range []string{"web", "files", "memory"} {
		inParallel(ctx, w.probes(name), func(p probe) {
			a, err := w.direct(ctx, name, p)
			if err == nil && a.code != p.code {
				err = fmt.Errorf("exit code %d, not %d: %s", a.code, p.code, a.text)
			}
			w.tally.check("direct "+name+": "+p.name, err)
		})
	}
	for _, name := range []string{"everything", "events"} {
		a, err := w.inspect(ctx, w.server(name).entry, "legacy", tool("echo", `{"message":"hello"}`)...)
		if err == nil && a.code != 0 {
			err = fmt.Errorf("exit code %d: %s", a.code, a.text)
		}
		w.tally.check("direct "+name+": echo", err)
	}
	return w.sdkDirect(ctx)
}
