package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"toolcrib/internal/config"
)

// keepTime is how often saved listings are looked at by Keep: other processes
// write them.
const keepTime = 2 * time.Second

// Keep shows what is known of the servers of c, and shows it again whenever the
// files of c or the saved listings may have changed, until ctx ends or show fails.
// changed tells that it is the configuration that did.
func Keep(ctx context.Context, c config.Config, load func() (config.Config, error), o Options, show func(in *Inspection, c config.Config, changed bool) error) error {
	o.fill()
	ctx, stop := context.WithCancel(ctx)
	news := make(chan config.Config, 1) // the newest of them
	var watching sync.WaitGroup
	defer watching.Wait()
	defer stop()
	watching.Go(func() {
		config.Watch(ctx, c, config.WatchOptions{Load: load, Log: o.Log, Apply: func(c config.Config) error {
			select {
			case <-news:
			default:
			}
			news <- c
			return nil
		}})
	})
	tick := time.NewTicker(keepTime)
	defer tick.Stop()
	changed := true
	for {
		looking := o
		if !changed {
			looking.Log = slog.New(slog.DiscardHandler) // its warnings were said
		}
		in, err := Inspect(c, looking)
		if err == nil {
			err = show(in, c, changed)
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			changed = false
		case c = <-news:
			changed = true
		}
	}
}
