package app

import (
	"context"
	"sync"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/index"
)

// A Counter is what is known of all servers at one moment, as agents are told of
// it: the same answers to the same questions, for people.
type Counter struct {
	*disclose.Browser
	Snapshot *catalog.Snapshot
	index    func() *index.Index
}

// Counter is what is known now.
func (i *Inspection) Counter() *Counter {
	s := i.Snapshot()
	c := &Counter{Snapshot: s, index: sync.OnceValue(func() *index.Index { return index.New(nil, s, nil) })}
	states := i.disclosed(s)
	c.Browser = disclose.New(&disclose.Options{
		Snapshot:  func() *catalog.Snapshot { return s },
		Index:     c.index,
		Servers:   func() []disclose.ServerState { return states },
		Essential: i.c.Disclosure.Essential,
		Notes:     notes(i.gateOf(func() *catalog.Snapshot { return s }, nil, false), i.o.keeper, i.findings),
	})
	return c
}

// disclosed are the servers as answers tell how they stand. None of them runs.
func (i *Inspection) disclosed(known *catalog.Snapshot) []disclose.ServerState {
	var out []disclose.ServerState
	for _, s := range i.Servers(known) {
		state := disclose.ServerState{Name: s.Name, State: disclose.Idle}
		if s.Disabled {
			state.State = disclose.Disabled
		} else if s.Untrusted {
			state.State, state.Reason = disclose.NeedsApproval, waits(s.Name)
		}
		if s.Known != nil && s.Known.Failure() != nil {
			f := s.Known.Failure()
			state.State, state.Reason, state.Since = disclose.Failed, f.Reason, f.Since
		}
		out = append(out, state)
	}
	return out
}

// Explain tells of each tool that a search finds all that spoke for it, the
// strongest first.
func (c *Counter) Explain(ctx context.Context, q disclose.Search) map[catalog.ToolID][]string {
	why := map[catalog.ToolID][]string{}
	found := c.index().Search(ctx, &index.Query{Text: q.Query, Category: q.Category, Server: q.Server, Limit: min(q.Most, disclose.MaxResults)})
	for _, h := range found.Hits {
		why[h.Tool.ID()] = h.Matched
	}
	return why
}
