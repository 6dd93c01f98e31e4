package gateway

import (
	"context"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// listed names the member of a list result that holds the entries.
var listed = map[string]string{
	wire.MethodToolsList:     "tools",
	wire.MethodPromptsList:   "prompts",
	wire.MethodResourcesList: "resources",
	wire.MethodTemplatesList: "resourceTemplates",
}

// capabilityOf names the capability behind a list.
var capabilityOf = map[string]string{
	wire.MethodToolsList:     "tools",
	wire.MethodPromptsList:   "prompts",
	wire.MethodResourcesList: "resources",
	wire.MethodTemplatesList: "resources",
}

const (
	listTTL  = 5 * time.Minute
	listTime = 60 * time.Second // one server's whole list
	maxPages = 1000

	// A list is answered without the servers that are still starting once
	// somebody has answered and listPatience is over, and without any after
	// listLimit. Those that come later are announced as a change.
	listPatience = 2 * time.Second
	listLimit    = 10 * time.Second
)

// lists keeps what several servers offer, renamed as agents see it.
type lists struct {
	g *Gateway

	mu    sync.Mutex
	parts map[partKey]*part
	tools map[string]target // by the name we show
}

type partKey struct{ server, method string }

// A part is one server's share of a list.
type part struct {
	ready   chan struct{} // closed when what follows is set
	entries [][]byte
	private bool
	ttl     time.Duration
	until   time.Time
	err     error
	late    bool // somebody was answered without it
}

func newLists(g *Gateway) *lists {
	return &lists{g: g, parts: map[partKey]*part{}, tools: map[string]target{}}
}

// find returns the tool that we show under a name.
func (l *lists) find(shown string) (target, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.tools[shown]
	return t, ok
}

// part returns a server's share, fetching it in the background if there is
// none or it is too old.
func (l *lists) part(server, method string, who call.Caller) *part {
	key := partKey{server, method}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.parts[key]; p != nil && !p.stale() {
		return p
	}
	p := &part{ready: make(chan struct{})}
	l.parts[key] = p
	l.g.work.Go(func() { l.fetch(key, p, who) })
	return p
}

// stale tells whether a part must be fetched anew. One on its way never is.
func (p *part) stale() bool {
	select {
	case <-p.ready:
		return time.Now().After(p.until)
	default:
		return false
	}
}

func (l *lists) fetch(key partKey, p *part, who call.Caller) {
	ctx, cancel := context.WithTimeout(l.g.ending, listTime)
	defer cancel()
	// A listing is nobody's in particular: it must not depend on who came first.
	entries, ttl, private, err := l.g.drain(ctx, key.server, key.method, call.Caller{Era: who.Era})
	var names map[string]target
	if err == nil {
		entries, names = renameEntries(key.server, key.method, entries)
	} else {
		l.g.log.Warn("a server could not be listed", "server", key.server, "method", key.method, "error", err)
		ttl = 5 * time.Second // soon again
	}
	l.mu.Lock()
	p.entries, p.private, p.ttl, p.err, p.until = entries, private, ttl, err, time.Now().Add(ttl)
	for shown, t := range names {
		l.tools[shown] = t
	}
	late := p.late
	close(p.ready)
	l.mu.Unlock()
	if late && err == nil && len(entries) > 0 {
		l.g.audience.changed(key.server, key.method)
	}
}

// forget has a list fetched anew when it is next asked for.
func (l *lists) forget(server, method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.parts, partKey{server, method})
}

// merged answers a list request for several servers.
func (g *Gateway) merged(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	who := caller(in)
	names := g.o.Servers.Names()
	parts := make([]*part, len(names))
	for i, name := range names {
		parts[i] = g.lists.part(name, in.Method, who)
	}
	g.lists.wait(ctx, parts)
	return g.lists.join(in, parts), nil
}

// wait returns when all parts are there, or it is not worth waiting longer.
func (l *lists) wait(ctx context.Context, parts []*part) {
	patience, limit := time.After(listPatience), time.After(listLimit)
	var some bool // a part is there
	for _, p := range parts {
	waiting:
		for {
			select {
			case <-p.ready:
				some = some || p.err == nil
				break waiting
			case <-patience:
				if some || l.anyReady(parts) {
					return
				}
				patience = time.After(listPatience / 10)
			case <-limit:
				return
			case <-ctx.Done():
				return
			}
		}
	}
}

func (l *lists) anyReady(parts []*part) bool {
	for _, p := range parts {
		select {
		case <-p.ready:
			if p.err == nil {
				return true
			}
		default:
		}
	}
	return false
}

// join makes one result of the parts that are there, in the order of the servers.
func (l *lists) join(in *wire.Incoming, parts []*part) []byte {
	out := append(append([]byte{'{'}, wire.Quote(listed[in.Method])...), ":["...)
	ttl, private, n := listTTL, false, 0
	l.mu.Lock()
	for _, p := range parts {
		select {
		case <-p.ready:
		default:
			p.late = true
			ttl = 0 // incomplete: do not keep it
			continue
		}
		if p.err != nil {
			ttl = 0
			continue
		}
		ttl, private = min(ttl, p.ttl), private || p.private
		for _, e := range p.entries {
			if n > 0 {
				out = append(out, ',')
			}
			n++
			out = append(out, e...)
		}
	}
	l.mu.Unlock()
	out = append(out, ']')
	if in.Era == wire.Modern {
		out = appendCaching(append(out, `,"resultType":"complete"`...), ttl, private)
	}
	return append(out, '}')
}

// drain reads all pages of a list. A server without the capability has an
// empty one.
func (g *Gateway) drain(ctx context.Context, server, method string, who call.Caller) (entries [][]byte, ttl time.Duration, private bool, err error) {
	ttl = listTTL
	hello, err := g.o.Servers.Hello(ctx, server, who)
	if err != nil {
		return nil, 0, false, err
	}
	if caps, e := wire.ParseObject(hello.Capabilities); e != nil || caps.Get(capabilityOf[method]) == nil {
		return nil, ttl, false, nil
	}
	var cursor []byte
	seen := map[string]bool{}
	for range maxPages {
		r := &call.Request{Server: server, Method: method, Caller: who}
		if cursor != nil {
			r.Params = append(append([]byte(`{"cursor":`), cursor...), '}')
		}
		result, err := g.o.Call(ctx, r)
		if err != nil {
			return nil, 0, false, err
		}
		page, err := wire.ParseObject(result)
		if err != nil {
			return nil, 0, false, err
		}
		list, err := wire.Elements(page.Get(listed[method]))
		if err != nil {
			return nil, 0, false, wire.Errorf(wire.CodeUpstreamFailed, "server %s answered %s without a list of %s", server, method, listed[method])
		}
		entries = append(entries, list...)
		if t, ok := milliseconds(page.Get("ttlMs")); ok {
			ttl = min(ttl, t)
		}
		private = private || page.Text("cacheScope") == "private"
		cursor = page.Get("nextCursor")
		if cursor == nil || string(cursor) == "null" || seen[string(cursor)] {
			return entries, ttl, private, nil
		}
		seen[string(cursor)] = true
	}
	g.log.Warn("a list was cut: too many pages", "server", server, "method", method, "pages", maxPages)
	return entries, ttl, private, nil
}
