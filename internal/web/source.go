package web

import (
	"context"
	"encoding/json"
)

// A Source is where everything comes from that is shown, and what does the little that
// can be done. It is one thing with many methods, because all of them have to agree
// on what a caller may see: what is not for a caller is answered as if it did not
// exist. Its methods may be called at the same time. Lists are never nil.
type Source interface {
	Overview(who Caller) Overview

	Servers(who Caller) []Server
	Server(who Caller, name string) (*ServerDetail, *Problem)

	Tools(who Caller, q ToolQuery) (*ToolPage, *Problem)
	Tool(who Caller, id string) (*ToolDetail, *Problem)
	Categories(who Caller) []Category
	Tags(who Caller) []Tag
	Search(ctx context.Context, who Caller, q SearchQuery) (*SearchResult, *Problem)

	Activities(who Caller, q ActivityQuery) *ActivityPage
	Activity(who Caller, id uint64) (*ActivityDetail, *Problem)
	// Events begins with what happened after an activity, 0 for nothing but news.
	Events(who Caller, after uint64) Feed

	Trust(who Caller) Trust
	Config(who Caller) Config
	Scripts(who Caller) []Script

	// What follows does something, and is asked only where actions are enabled.

	Refresh(ctx context.Context, who Caller, server string) (*Refreshed, *Problem)
	// Call goes the way of every other call: policy, limits and audit hold.
	Call(ctx context.Context, who Caller, tool string, arguments json.RawMessage) (*CallResult, *Problem)
	// Approve makes a definition count that somebody has read, by its fingerprint;
	// Reject leaves the one of before in place and no longer asks about the new one.
	Approve(who Caller, tool, fingerprint string) (*Approved, *Problem)
	Reject(who Caller, tool, fingerprint string) (*Approved, *Problem)
}

// A Feed is events as they come. Whoever reads too slowly loses some, and is told how
// many by one of kind EventMissed.
type Feed interface {
	// Next waits for an event. It returns false when ctx ends, or the gateway does.
	Next(ctx context.Context) (Event, bool)
	// Close must be called in the end.
	Close()
}
