package app

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/discovery"
	"toolcrib/internal/probe"
	"toolcrib/internal/store"
	"toolcrib/internal/upstream"
)

// A knowledge is what is known of the servers: kept on disk, kept fresh, and
// found out in other ways where a server does not answer the protocol.
type knowledge struct {
	*discovery.Manager
	pool  *upstream.Pool
	do    call.Func
	store *store.Store
	o     Options

	patience time.Duration // how long one server may take to list itself

	mu     sync.Mutex
	rules  catalog.Rules
	by     map[string]config.Server // as configured
	last   *catalog.Snapshot
	probes config.Discovery

	order      []string          // the names of by, as configured
	marks      map[string]string // as whom servers are asked, by name
	search     *searching
	experience *experience

	stop context.CancelFunc
	done chan struct{}
}

// listingsDir is where listings are kept, below the state directory.
const listingsDir = "listings"

// listTime is how long a server may take to list itself before that has failed,
// and ladderTime what the other ways of learning its tools get after that.
const (
	listTime   = discovery.DefaultListTime
	ladderTime = 3 * probe.DefaultTimeout
)

// openKnowledge starts from what was saved. No server is started by it.
func openKnowledge(pool *upstream.Pool, do call.Func, c config.Config, o Options) *knowledge {
	k := newKnowledge(pool, do, openStore(c, o), c, o)
	k.experience = openExperience(k.store, c.Search, o)
	servers := k.servers()
	k.marks = map[string]string{}
	var saved []catalog.Listing
	for _, s := range servers {
		k.marks[s.Name] = s.Authorization
		if l, ok := k.load(s.Name); ok {
			saved = append(saved, o.known(l))
			k.store.Touch(s.Name, s.Identity)
		}
	}
	k.store.Prune()
	k.run(discovery.New(discovery.Options{
		List: k.list, Build: k.build, Save: k.save, Live: pool.Live, ListTime: listTime + ladderTime,
		TTL: c.Discovery.TTL, Parallel: c.Discovery.Parallel, Log: o.Log,
	}, servers, saved))
	return k
}

func openStore(c config.Config, o Options) *store.Store {
	dir := ""
	if o.StateDir != "" && !c.Discovery.NoCache {
		dir = filepath.Join(o.StateDir, listingsDir)
	}
	return store.Open(dir, &store.Options{Log: o.Log})
}

// newKnowledge does nothing before run.
func newKnowledge(pool *upstream.Pool, do call.Func, kept *store.Store, c config.Config, o Options) *knowledge {
	k := &knowledge{experience: &experience{}, pool: pool, do: do, store: kept, o: o, patience: listTime, done: make(chan struct{})}
	k.configure(c)
	return k
}

// run has m look after the servers until close.
func (k *knowledge) run(m *discovery.Manager) {
	k.Manager = m
	k.search = &searching{snapshot: m.Snapshot, with: k.experience}
	ctx, cancel := context.WithCancel(context.Background())
	k.stop = cancel
	go func() {
		defer close(k.done)
		k.Run(ctx)
	}()
}

// close ends all listing; nothing is saved any more afterwards.
func (k *knowledge) close() {
	k.stop()
	<-k.done
	k.search.close()
	k.experience.close()
}

// configure takes what the file says of tools.
func (k *knowledge) configure(c config.Config) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rules, k.probes = rules(c), c.Discovery
	k.by, k.order = map[string]config.Server{}, nil
	for _, s := range c.Servers {
		k.by[s.Name] = s
		k.order = append(k.order, s.Name)
	}
}

// configured are the names of all servers, also of those that are disabled.
func (k *knowledge) configured() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.order
}

// untrusted tells whether a server waits for its user's approval.
func (k *knowledge) untrusted(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.by[name].Untrusted && !k.by[name].Disabled
}

// apply is configure for a manager that runs.
func (k *knowledge) apply(ctx context.Context, c config.Config) {
	k.configure(c)
	k.become(ctx, k.servers())
}

// become looks after the servers as they are asked from now on. What is known of one for
// somebody else is forgotten, in memory and on disk.
func (k *knowledge) become(ctx context.Context, servers []discovery.Server) {
	known, marks := k.Snapshot(), map[string]string{}
	for _, s := range servers {
		marks[s.Name] = s.Authorization
		if at := known.Server(s.Name); at != nil {
			if l := at.Listing(); l.Private && (l.Identity != s.Identity || l.Authorization != s.Authorization) {
				k.store.Forget(l.Server, l.Identity)
			}
		}
	}
	k.mu.Lock()
	k.marks = marks
	k.mu.Unlock()
	k.SetServers(ctx, servers)
}

// recheck notices that somebody logged in or out: such servers are listed anew.
func (k *knowledge) recheck(ctx context.Context) {
	servers := k.servers()
	k.mu.Lock()
	marks := k.marks
	k.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(servers), func(s discovery.Server) bool { return marks[s.Name] == s.Authorization })
	if len(others) == 0 {
		return
	}
	k.become(ctx, servers)
	for _, s := range others {
		k.Changed(s.Name)
	}
}

func (k *knowledge) servers() []discovery.Server {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []discovery.Server
	for _, name := range k.pool.Names() {
		out = append(out, discovery.Server{
			Name: name, Identity: k.pool.Identity(name), TTL: k.by[name].TTL, Authorization: k.o.authorizations.of(k.by[name]),
		})
	}
	return out
}

// load is what was saved of a server and is still its.
func (k *knowledge) load(server string) (catalog.Listing, bool) {
	return k.o.authorizations.load(k.store, k.entry(server), k.pool.Identity(server))
}

func (k *knowledge) entry(server string) config.Server {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.by[server]
}

// build makes the next snapshot, taking over what the last one worked out.
func (k *knowledge) build(listings []catalog.Listing) *catalog.Snapshot {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last == nil {
		k.last = catalog.Build(listings, k.rules, time.Now())
	} else {
		k.last = k.last.Next(listings, k.rules, time.Now())
	}
	return k.last
}

func (k *knowledge) save(l catalog.Listing) {
	if err := k.store.Save(l); err != nil {
		k.o.Log.Debug("a listing is kept in memory only", "server", l.Server, "error", err)
	}
}

// rules translates what the file says of categories and tags.
func rules(c config.Config) catalog.Rules {
	var r catalog.Rules
	for _, one := range c.Categories {
		r.Categories = append(r.Categories, catalog.CategoryRule{Category: one.Category, Server: one.Server, Tools: one.Tools, Words: one.Words})
	}
	for _, s := range c.Servers {
		if s.Untrusted {
			continue // a name such as * would be about the tools of all
		}
		for _, alias := range s.Aliases {
			if r.Aliases == nil {
				r.Aliases = map[string]string{}
			}
			if r.Aliases[alias] == "" { // of two servers the first has it, as for people
				r.Aliases[alias] = s.Name
			}
		}
		if s.Category != "" {
			if r.Fallback == nil {
				r.Fallback = map[string]string{}
			}
			r.Fallback[s.Name] = s.Category
		}
		if len(s.Tags) > 0 {
			r.Tags = append(r.Tags, catalog.TagRule{Server: s.Name, Tags: s.Tags})
		}
	}
	return r
}
