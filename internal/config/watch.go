package config

import (
	"context"
	"log/slog"
	"reflect"
	"slices"
	"time"
)

// Watching keeps what runs in step with the files:
//
//	a directory says that something happened, or the clock does
//	  ──► wait until it is quiet ──► same content as last time? then nothing
//	  ──► load everything ──► bad? say so, and keep what runs
//	                      ──► says the same as what runs? then nothing
//	                      ──► apply
//
// What happens to a file on its way does not matter: renamed over, a link that is
// swapped, emptied and written, deleted and made again. Only what it holds once it
// is quiet does.
const (
	// settleTime is how long nothing must happen before files are read.
	settleTime = 100 * time.Millisecond

	// mostUnsettled is how long they are not read because something always does.
	mostUnsettled = time.Second

	// pollTime is how often they are looked at though nothing was heard: of
	// network drives and the like one hears nothing.
	pollTime = 10 * time.Second
)

// WatchOptions are how files are watched. Load and Apply are needed.
type WatchOptions struct {
	Load  func() (Config, error) // everything, anew
	Apply func(Config) error     // makes it so

	// Problem is told why the files are not used, and nil when they are again.
	// What ran before goes on running. It may be nil.
	Problem func(error)

	Log *slog.Logger // nil discards

	notifier notifier                          // nil: of the file system
	read     func(path string) ([]byte, error) // nil: of the file system
}

// A notifier says that something happened to files that it was told of.
type notifier interface {
	watch(files []string) // these from now on
	events() <-chan struct{}
	close()
}

// A watcher is one Watch.
type watcher struct {
	WatchOptions
	now    Config // what runs
	files  []string
	seen   digest // of files when they were last read
	broken bool   // they could not be used
}

// Watch keeps what runs in step with the files that c came from until ctx ends.
func Watch(ctx context.Context, c Config, o WatchOptions) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.read == nil {
		o.read = func(path string) ([]byte, error) { return readSmall(path, maxForeign) }
	}
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	if o.notifier == nil {
		o.notifier = newNotifier(o.Log)
	}
	defer o.notifier.close()
	w := &watcher{WatchOptions: o, now: c}
	w.follow(c)
	// Whoever changed a file since c was read is not to be missed.
	w.look(true)
	w.run(ctx)
}

func (w *watcher) run(ctx context.Context) {
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	quiet := time.NewTimer(0)
	quiet.Stop()
	var since, last time.Time // the first thing that happened since it was quiet, and the last at all
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.notifier.events():
			last = time.Now()
			if since.IsZero() {
				since = last
			}
			quiet.Reset(min(settleTime, max(0, mostUnsettled-time.Since(since))))
		case <-quiet.C:
			settled := time.Since(since) < mostUnsettled
			since = time.Time{}
			if !w.look(settled) {
				since = time.Now()
				quiet.Reset(settleTime)
			}
		case <-poll.C:
			if time.Since(last) > settleTime {
				w.look(true)
			}
		}
	}
}

// follow watches the files of c.
func (w *watcher) follow(c Config) {
	w.files = slices.Concat([]string{c.File}, c.Used)
	slices.Sort(w.files)
	w.files = slices.Compact(w.files)
	w.notifier.watch(w.files)
}

// look reads the files if they are others than last time. It returns false where
// they are to be looked at again soon: while somebody is still at them what is
// wrong is not said.
func (w *watcher) look(settled bool) bool {
	w.notifier.watch(w.files) // directories may have come, and links lead elsewhere
	seen := digestOf(w.files, w.read)
	if seen == w.seen {
		return true
	}
	c, err := w.Load()
	if err != nil && !settled {
		return false
	}
	w.seen = seen
	if err != nil {
		w.fail(err)
		return true
	}
	w.follow(c)
	// Files that are new here were not among those that were compared.
	again := !slices.Equal(w.now.Used, c.Used)
	if again {
		w.seen = digest{}
	}
	switch {
	case w.now.means(c):
		w.now.Used = c.Used
	default:
		if err := w.Apply(c); err != nil {
			w.fail(err)
			return true
		}
		w.now = c
		w.Log.Info("the configuration changed and is in use", "file", c.File, "servers", len(c.Servers))
	}
	if w.broken {
		w.mended()
	}
	return !again
}

func (w *watcher) fail(err error) {
	w.broken = true
	w.Log.Error("the configuration changed and cannot be used; what ran before goes on running", "problem", err.Error())
	w.Problem(err)
}

func (w *watcher) mended() {
	w.broken = false
	w.Log.Info("the configuration can be used again", "file", w.now.File)
	w.Problem(nil)
}

// means tells whether two configurations say the same, wherever it stands.
func (c Config) means(o Config) bool { return reflect.DeepEqual(c.placeless(), o.placeless()) }

func (c Config) placeless() Config {
	c.Used, c.Private, c.Warnings, c.Advice = nil, nil, nil, nil
	c.Servers = slices.Clone(c.Servers)
	for i := range c.Servers {
		c.Servers[i].At = Position{}
	}
	c.Policy.Rules = slices.Clone(c.Policy.Rules)
	for i := range c.Policy.Rules {
		c.Policy.Rules[i].At = Position{}
	}
	c.Scripts = slices.Clone(c.Scripts)
	for i := range c.Scripts {
		c.Scripts[i].At = Position{}
	}
	return c
}
