package app

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

func behaves(t *testing.T, name, behaviour string, args ...string) config.Server {
	t.Helper()
	command, arguments, env := mcptest.Command(t, behaviour, args...)
	return config.Server{Name: name, Type: config.Stdio, Command: command, Args: arguments, Env: env}
}

func inspect(t *testing.T, c config.Config, o Options) *Inspection {
	t.Helper()
	i, err := Inspect(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func refresh(t *testing.T, i *Inspection, o RefreshOptions, names ...string) []Outcome {
	t.Helper()
	outcomes, err := i.Refresh(t.Context(), names, o)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes
}

// What one inspection lists the next one knows, in the order of the file.
func TestInspectKnowsWhatWasListed(t *testing.T) {
	t.Parallel()
	off := behaves(t, "off", "good")
	off.Disabled = true
	c := config.Config{Servers: []config.Server{behaves(t, "z", "good"), off, behaves(t, "a", "legacy"), {Name: "gone", Type: config.Stdio, Command: "no-such-program"}}}
	o := Options{StateDir: t.TempDir()}
	i := inspect(t, c, o)
	if got := i.Unlisted(); !slices.Equal(got, []string{"z", "a", "gone"}) {
		t.Errorf("unlisted before: %v", got)
	}
	outcomes := refresh(t, i, RefreshOptions{})
	if len(outcomes) != 3 || outcomes[0].Failure != nil || outcomes[1].Failure != nil || outcomes[2].Failure == nil {
		t.Fatalf("outcomes: %+v", outcomes)
	}
	if len(outcomes[0].Added) == 0 || outcomes[0].Tools != len(outcomes[0].Added) {
		t.Errorf("a first listing adds everything: %+v", outcomes[0])
	}
	for name, i := range map[string]*Inspection{"same": i, "next": inspect(t, c, o)} {
		var names []string
		states := i.Servers(i.Snapshot())
		for _, s := range states {
			names = append(names, s.Name)
		}
		if !slices.Equal(names, []string{"z", "off", "a", "gone"}) {
			t.Errorf("%s: order %v", name, names)
		}
		if s := states[0]; s.Known == nil || s.Known.Len() == 0 || s.Listed.IsZero() || s.Known.Failure() != nil {
			t.Errorf("%s: listed: %+v", name, s)
		}
		if s := states[1]; !s.Disabled || s.Known != nil {
			t.Errorf("%s: disabled: %+v", name, s)
		}
		if s := states[3]; s.Known == nil || s.Known.Failure() == nil || !s.Listed.IsZero() {
			t.Errorf("%s: failed: %+v", name, s)
		}
		if got := i.Unlisted(); len(got) != 0 {
			t.Errorf("%s: unlisted %v", name, got)
		}
	}
	again := refresh(t, inspect(t, c, o), RefreshOptions{}, "a")
	if len(again) != 1 || again[0].Server != "a" || len(again[0].Added)+len(again[0].Removed)+len(again[0].Changed) != 0 {
		t.Errorf("again: %+v", again)
	}
}

// The server's word on how long its listing holds comes before the file's.
func TestInspectStale(t *testing.T) {
	c := config.Config{Servers: []config.Server{
		{Name: "default", Type: config.Stdio, Command: "x"},
		{Name: "own", Type: config.Stdio, Command: "x", TTL: time.Hour},
		{Name: "told", Type: config.Stdio, Command: "x", TTL: time.Hour},
	}}
	i := inspect(t, c, Options{})
	for _, s := range c.Servers {
		l := catalog.Listing{Server: s.Name, Taken: time.Now().Add(-10 * time.Minute), Version: "2025-11-25"}
		if s.Name == "told" {
			l.TTL = time.Second
		}
		i.listings[s.Name] = l
	}
	var stale []string
	for _, s := range i.Servers(i.Snapshot()) {
		if s.Stale {
			stale = append(stale, s.Name)
		}
	}
	if !slices.Equal(stale, []string{"default", "told"}) {
		t.Errorf("stale: %v", stale)
	}
}

// A server that fails keeps its tools; every server is told of once.
func TestRefreshFailureKeepsTools(t *testing.T) {
	c := config.Config{Servers: []config.Server{{Name: "dead", Type: config.Stdio, Command: "no-such-program"}}}
	i := inspect(t, c, Options{StateDir: t.TempDir()})
	i.listings["dead"] = catalog.Listing{
		Server: "dead", Identity: i.identity["dead"], Taken: time.Now(), Version: "2025-11-25",
		Tools: []catalog.Found{{Raw: []byte(`{"name":"kept"}`), Provenance: catalog.Protocol, Confidence: 1}},
	}
	var told []string
	outcomes := refresh(t, i, RefreshOptions{
		Began: func(server string) { told = append(told, "began "+server) },
		Ended: func(o Outcome) { told = append(told, "ended "+o.Server) },
	})
	if o := outcomes[0]; o.Failure == nil || o.Tools != 1 || len(o.Removed) != 0 {
		t.Errorf("outcome: %+v", o)
	}
	if diff := cmp.Diff([]string{"began dead", "ended dead"}, told); diff != "" {
		t.Error(diff)
	}
	tool := i.Snapshot().Find("dead", "kept")
	if tool == nil || tool.State().Available || tool.State().Reason == "" {
		t.Errorf("the tool: %+v", tool)
	}
}

// Whoever gives up gets what there is. That a server was not waited for is no
// failure of its own, and not remembered as one.
func TestRefreshInterrupted(t *testing.T) {
	t.Parallel()
	c := config.Config{Servers: []config.Server{behaves(t, "mute", "mute")}}
	o := Options{StateDir: t.TempDir()}
	i := inspect(t, c, o)
	ctx, cancel := context.WithCancelCause(t.Context())
	outcomes, err := i.Refresh(ctx, nil, RefreshOptions{
		Began: func(string) { cancel(errors.New("enough")) },
		Ended: func(out Outcome) { t.Errorf("ended: %+v", out.Failure) },
	})
	if err != nil || len(outcomes) != 1 || outcomes[0].Failure == nil || outcomes[0].Failure.String() != "it was not listed: enough; try again" {
		t.Errorf("%+v %v", outcomes, err)
	}
	for name, i := range map[string]*Inspection{"same": i, "next": inspect(t, c, o)} {
		if got := i.Unlisted(); !slices.Equal(got, []string{"mute"}) {
			t.Errorf("%s: unlisted %v", name, got)
		}
	}
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	found, err := Discover(t.Context(), behaves(t, "good", "good"), Options{}, DiscoverOptions{Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if found.Failure != nil || found.Rung != "protocol" || found.Server.Len() == 0 || !found.Launched {
		t.Errorf("good: %+v", found)
	}
	found, err = Discover(t.Context(), behaves(t, "mute", "mute"), Options{}, DiscoverOptions{Timeout: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if found.Failure == nil || found.Failure.Kind != NoAnswer || found.Rung != "none" || found.Server.Len() != 0 {
		t.Errorf("mute: %+v %+v", found, found.Failure)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Discover(ctx, behaves(t, "mute", "mute"), Options{}, DiscoverOptions{}); err == nil {
		t.Error("an ended context was no error")
	}
}
