package app

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"toolcrib/internal/config"
)

// Follow keeps the servers in step with the files that c was read from, by load,
// until ctx ends. A file that cannot be used changes nothing but what health says.
// The function that it returns waits for the end.
func (a *App) Follow(ctx context.Context, c config.Config, load func() (config.Config, error)) (wait func()) {
	var done sync.WaitGroup
	started := c
	done.Go(func() {
		config.Watch(ctx, c, config.WatchOptions{
			Load: a.loading(load),
			Apply: func(c config.Config) error {
				if err := a.Apply(c); err != nil {
					return err
				}
				a.sayFixed(started, c)
				return nil
			},
			Problem: a.note,
			Log:     a.o.Log,
		})
	})
	return done.Wait
}

// sayFixed warns of changes that only a restart brings into use.
func (a *App) sayFixed(started, now config.Config) {
	for _, part := range []struct {
		key      string
		was, are any
	}{
		{"disclosure", started.Disclosure, now.Disclosure},
		{"http", started.HTTP, now.HTTP},
		{"scripts", placeless(started.Scripts), placeless(now.Scripts)},
		{"tracing", started.Tracing, now.Tracing},
	} {
		if !reflect.DeepEqual(part.was, part.are) {
			a.o.Log.Warn("a part of the configuration changed that is only read at the start: restart the gateway to use it", "part", part.key)
		}
	}
}

// placeless are scripts without where they stand in the file.
func placeless(scripts []config.Script) []config.Script {
	out := slices.Clone(scripts)
	for i := range out {
		out[i].At = config.Position{}
	}
	return out
}
