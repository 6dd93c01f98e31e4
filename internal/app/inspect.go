package app

import (
	"cmp"
	"fmt"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/discovery"
	"toolcrib/internal/store"
)

// An Inspection is the servers of a configuration as people look at them:
// what is saved of each, and after Refresh what it says now. It serves no agent,
// and before Refresh it starts nothing.
type Inspection struct {
	c        config.Config
	o        Options
	store    *store.Store
	identity map[string]string          // by server, of those that are not disabled
	listings map[string]catalog.Listing // by server, the latest
}

// A ServerState is what is known of one configured server.
type ServerState struct {
	Name      string
	Transport string
	Disabled  bool
	Untrusted bool            // of a project's own file, and not approved
	Source    string          // the file it is from, "" for the configuration itself
	Aliases   []string        // other names of the same server
	Known     *catalog.Server // nil if it was never listed, nor tried
	Listed    time.Time       // zero if it never listed itself
	Stale     bool            // the listing is older than it holds
}

// Inspect reads what is saved of the servers of c.
func Inspect(c config.Config, o Options) (*Inspection, error) {
	o.fill()
	o.Logins = cmp.Or(c.Logins.Store, o.Logins)
	o.redact(c)
	for _, w := range c.Warnings {
		o.Log.Warn("configuration", "problem", w.Error())
	}
	o.keeper = newKeeper(c, o, openPins(o))
	i := &Inspection{c: c, o: o, store: openStore(c, o), identity: map[string]string{}, listings: map[string]catalog.Listing{}}
	for _, spec := range specs(c) {
		if err := spec.Check(); err != nil {
			return nil, fmt.Errorf("apply the configuration: %w", err)
		}
		identity := spec.Identity()
		i.identity[spec.Name] = identity
		entry, _ := c.Server(spec.Name)
		if l, ok := o.authorizations.load(i.store, entry, identity); ok {
			i.listings[spec.Name] = i.o.known(l)
		}
	}
	return i, nil
}

// Snapshot is all that is known, merged.
func (i *Inspection) Snapshot() *catalog.Snapshot {
	var listings []catalog.Listing
	for _, s := range i.c.Servers {
		if l, ok := i.listings[s.Name]; ok {
			listings = append(listings, l)
		}
	}
	return catalog.Build(listings, rules(i.c), time.Now())
}

// Servers are all that are configured, in the order of the file, with what known
// tells of them.
func (i *Inspection) Servers(known *catalog.Snapshot) []ServerState {
	now := time.Now()
	states := make([]ServerState, 0, len(i.c.Servers))
	for _, s := range i.c.Servers {
		state := ServerState{Name: s.Name, Transport: string(s.Type), Disabled: s.Disabled, Untrusted: s.Untrusted, Source: s.Source, Aliases: s.Aliases}
		if l, ok := i.listings[s.Name]; ok {
			state.Known = known.Server(s.Name)
			if listedItself(l) {
				state.Listed = l.Taken
				state.Stale = now.Sub(l.Taken) > i.holds(s, l)
			}
		}
		states = append(states, state)
	}
	return states
}

// Unlisted are the servers, of those named or else of all, of which nothing is
// saved, not even that they failed.
func (i *Inspection) Unlisted(names ...string) []string {
	var out []string
	for _, s := range i.chosen(names) {
		if _, ok := i.listings[s.Name]; !ok {
			out = append(out, s.Name)
		}
	}
	return out
}

// chosen are the named servers, all if no names are given, that are not disabled.
func (i *Inspection) chosen(names []string) []config.Server {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var out []config.Server
	for _, s := range i.c.Servers {
		if s.Runs() && (len(names) == 0 || wanted[s.Name]) {
			out = append(out, s)
		}
	}
	return out
}

// holds is how long a listing does, by the rule that discovery has as well.
func (i *Inspection) holds(s config.Server, l catalog.Listing) time.Duration {
	return holds(&i.c, s, l)
}

func holds(c *config.Config, s config.Server, l catalog.Listing) time.Duration {
	for _, d := range []time.Duration{l.TTL, s.TTL, c.Discovery.TTL} {
		if d > 0 {
			return d
		}
	}
	return discovery.DefaultTTL
}

// listedItself tells whether a server ever answered the protocol: what was found
// out in other ways has no protocol version.
func listedItself(l catalog.Listing) bool { return l.Version != "" || l.Failure == nil }
