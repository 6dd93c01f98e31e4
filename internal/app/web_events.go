package app

import (
	"context"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/trace"
	"toolcrib/internal/web"
)

// compareEvery is how often those who follow are told of what nobody announces.
const compareEvery = time.Second

// A feed is events for one who follows: what is added to the ring, and what is different
// from what they were told last.
type feed struct {
	l        *looking
	who      web.Caller
	follower *trace.Follower
	tick     *time.Ticker
	pending  []web.Event

	states  map[string]string // of servers, as they were told
	version string            // of the catalog
	applied *config.Config
	problem *failed
}

// Events begins with what happened after an activity.
func (l *looking) Events(who web.Caller, after uint64) web.Feed {
	f := &feed{
		l: l, who: who, follower: l.ring().Follow(after), tick: time.NewTicker(compareEvery), states: map[string]string{},
		version: l.eye(who).Snapshot().Version(), applied: l.config(), problem: l.problem.Load(),
	}
	for _, s := range l.Servers(who) {
		f.states[s.Name] = s.State
	}
	return f
}

// Close ends the feed.
func (f *feed) Close() {
	f.tick.Stop()
	f.follower.Close()
}

// Next waits for an event.
func (f *feed) Next(ctx context.Context) (web.Event, bool) {
	for {
		if len(f.pending) > 0 {
			e := f.pending[0]
			f.pending = f.pending[1:]
			return e, true
		}
		e, missed := f.follower.Next()
		if missed > 0 {
			f.pending = append(f.pending, web.Event{Kind: web.EventMissed, Data: web.Missed{Count: missed}})
		}
		if e != nil {
			if visible(e, f.who, f.l.eye(f.who)) {
				f.pending = append(f.pending, web.Event{ID: e.Seq, Kind: web.EventActivity, Data: f.l.activity(e)})
			}
			if e.Kind == trace.ReloadKind {
				f.look() // what a file says may be mended before the next tick
			}
			continue
		}
		if missed > 0 {
			continue
		}
		select {
		case <-f.follower.News():
		case <-f.tick.C:
			f.look()
		case <-ctx.Done():
			return web.Event{}, false
		case <-f.l.serving.Done():
			return web.Event{}, false
		case <-f.l.life.Done():
			return web.Event{}, false
		}
	}
}

// look finds what is different.
func (f *feed) look() {
	for _, s := range f.l.Servers(f.who) {
		if f.states[s.Name] != s.State {
			f.states[s.Name] = s.State
			f.pending = append(f.pending, web.Event{Kind: web.EventServer, Data: s})
		}
	}
	if s := f.l.eye(f.who).Snapshot(); s.Version() != f.version {
		f.version = s.Version()
		f.pending = append(f.pending, web.Event{Kind: web.EventCatalog, Data: web.CatalogChange{Version: f.version, Tools: s.Len()}})
	}
	if applied, problem := f.l.config(), f.l.problem.Load(); applied != f.applied || problem != f.problem {
		f.applied, f.problem = applied, problem
		f.pending = append(f.pending, web.Event{Kind: web.EventConfig, Data: web.ConfigChange{Used: problem == nil, Problems: f.l.Config(f.who).Problems}})
	}
}
