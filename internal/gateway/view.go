package gateway

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// A Catalog is what is known of what servers offer: discovery.Manager in
// production.
type Catalog interface {
	// Snapshot is what is known now; it never changes.
	Snapshot() *catalog.Snapshot
	// Need waits until servers that were never listed have been, for as long
	// as ctx allows.
	Need(ctx context.Context, servers ...string)
	// Asked says that a server is being used. It does not block.
	Asked(server string)
}

// listed names the member of a list result that holds the entries.
var listed = map[string]string{
	wire.MethodToolsList:     "tools",
	wire.MethodPromptsList:   "prompts",
	wire.MethodResourcesList: "resources",
	wire.MethodTemplatesList: "resourceTemplates",
}

// A list is answered without the servers that are still starting once somebody
// has answered and listPatience is over, and without any after listLimit. Those
// that come later are announced as a change.
const (
	listPatience = 2 * time.Second
	listLimit    = 10 * time.Second
	listTTL      = 5 * time.Minute

	// greetPatience is how long a greeting waits for what its summary is about.
	// Codex begins without the tools of a server that takes a second.
	greetPatience = 400 * time.Millisecond
)

// A view is a snapshot as agents see it when there are several servers: every
// name says whose it is. It is made once for each snapshot.
type view struct {
	of    *catalog.Snapshot
	names []string
	lists map[string]shownList // by method
	tools map[string]target    // by the name we show
	own   *toolSet             // what is shown in place of their tools; nil on passthrough
	known bool                 // all servers have been listed, or could not be
	shown atomic.Bool          // some agent was answered from it, or from one before it
}

// A shownList is one list, ready to be sent.
type shownList struct {
	entries []byte // [...]
	ttl     time.Duration
	private bool
}

// views holds the current view.
type views struct {
	current atomic.Pointer[view]
	mu      sync.Mutex // one is made at a time
}

// view is what agents see now.
func (g *Gateway) view(s *Sight) *view {
	snapshot, names := s.Snapshot(), g.names(s)
	if v := s.views.current.Load(); v != nil && v.of == snapshot && slices.Equal(v.names, names) {
		return v
	}
	s.views.mu.Lock()
	defer s.views.mu.Unlock()
	old := s.views.current.Load()
	if old != nil && old.of == snapshot && slices.Equal(old.names, names) {
		return old
	}
	v := newView(snapshot, names)
	g.disclose(s, v)
	s.views.current.Store(v)
	if old != nil && old.shown.Load() { // else nobody has anything to forget
		v.shown.Store(true) // what agents were told earlier they still know
		for method := range listed {
			if !bytes.Equal(old.lists[method].entries, v.lists[method].entries) {
				g.audience.changed(method)
			}
		}
	}
	return v
}

// Learned tells the gateway that there is a new snapshot. Agents hear of it if
// what they see has changed.
func (g *Gateway) Learned() {
	g.sights.Range(func(key, _ any) bool {
		s := key.(*Sight)
		if _, several := g.only(s); several || g.o.Surface == Auto {
			g.view(s)
		}
		return true
	})
}

// disclose puts our own tools and resources into a view, unless its servers are to
// be seen as they are.
func (g *Gateway) disclose(s *Sight, v *view) {
	switch g.surface(v.of) {
	case Standard:
		v.own = g.standard
	case Lean:
		v.own = g.lean
	default:
		return
	}
	v.lists[wire.MethodToolsList] = shownList{entries: v.own.list(s.Browser.Behind()), ttl: listTTL}
	for method, entry := range map[string]string{wire.MethodResourcesList: ownResources, wire.MethodTemplatesList: ownTemplates} {
		list := v.lists[method]
		list.entries = joinLists([]byte("["+entry+"]"), list.entries)
		v.lists[method] = list
	}
}

// joinLists is the entries of two lists in one.
func joinLists(a, b []byte) []byte {
	if len(b) == len("[]") {
		return a
	}
	return slices.Concat(a[:len(a)-1], []byte{','}, b[1:])
}

func newView(snapshot *catalog.Snapshot, names []string) *view {
	v := &view{of: snapshot, names: slices.Clone(names), lists: map[string]shownList{}, tools: map[string]target{}, known: true}
	listings := map[string]catalog.Listing{}
	for _, s := range snapshot.Servers() {
		listings[s.Name()] = s.Listing()
	}
	for method := range listed {
		list := shownList{entries: []byte{'['}, ttl: listTTL}
		for _, name := range names {
			l, ok := listings[name]
			if !ok {
				v.known = false
				list.ttl = 0 // incomplete: not to be kept
				continue
			}
			if l.Failure != nil {
				list.ttl = 0
			}
			if l.TTL > 0 {
				list.ttl = min(list.ttl, l.TTL)
			}
			list.private = list.private || l.Private
			for _, e := range v.rename(method, l) {
				if len(list.entries) > 1 {
					list.entries = append(list.entries, ',')
				}
				list.entries = append(list.entries, e...)
			}
		}
		list.entries = append(list.entries, ']')
		v.lists[method] = list
	}
	return v
}

// rename gives a server's entries the names that agents see. Tools that cannot
// be called are known under theirs, and not listed.
func (v *view) rename(method string, l catalog.Listing) [][]byte {
	var raw [][]byte
	switch method {
	case wire.MethodToolsList:
		for _, f := range l.Tools {
			if f.Provenance == catalog.Protocol {
				raw = append(raw, f.Raw)
			} else if name, ok := wire.Text(wire.Find(f.Raw, "name")); ok {
				v.tools[toolName(l.Server, name)] = target{server: l.Server, name: name, many: true, guessed: f.Provenance}
			}
		}
	case wire.MethodPromptsList:
		raw = asBytes(l.Prompts)
	case wire.MethodResourcesList:
		raw = asBytes(l.Resources)
	case wire.MethodTemplatesList:
		raw = asBytes(l.Templates)
	}
	entries, tools := renameEntries(l.Server, method, raw)
	for shown, t := range tools {
		v.tools[shown] = t
	}
	return entries
}

func asBytes[T ~[]byte](list []T) [][]byte {
	out := make([][]byte, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}

// merged answers a list request for several servers. Our own tools are the same
// whatever the servers have.
func (g *Gateway) merged(ctx context.Context, in *wire.Incoming, s *Sight) ([]byte, error) {
	v := g.view(s)
	if v.own == nil || in.Method != wire.MethodToolsList {
		v = g.patiently(ctx, s)
	}
	v.shown.Store(true)
	l := v.lists[in.Method]
	out := make([]byte, 0, len(l.entries)+96)
	out = append(append(append(out, '{'), wire.Quote(listed[in.Method])...), ':')
	out = append(out, l.entries...)
	if in.Era == wire.Modern {
		out = appendCaching(append(out, `,"resultType":"complete"`...), l.ttl, l.private || s.Private)
	}
	return append(out, '}'), nil
}

// patiently waits for servers that nothing is known of yet, though not for
// long if others have something to show.
func (g *Gateway) patiently(ctx context.Context, s *Sight) *view {
	v := g.briefly(ctx, s, listPatience)
	if v.known || len(v.names) == 0 || v.of.Len() > 0 {
		return v
	}
	long, cancel := context.WithTimeout(ctx, listLimit-listPatience)
	defer cancel()
	g.o.Catalog.Need(long)
	return g.view(s)
}

// briefly waits for servers that nothing is known of yet, for so long at most.
func (g *Gateway) briefly(ctx context.Context, s *Sight, patience time.Duration) *view {
	if v := g.view(s); v.known || len(v.names) == 0 {
		return v
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	g.o.Catalog.Need(ctx)
	return g.view(s)
}
