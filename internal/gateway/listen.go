package gateway

import (
	"context"

	"toolcrib/internal/wire"
)

// A listener is a modern agent's subscription.
type listener struct {
	id      wire.ID // of its request: every notice carries it
	out     *outbox
	lists   map[string]bool // notifications it wants
	watches map[watched]bool
}

// filterNames are the members of a subscription's filter.
var filterNames = map[string]string{
	"toolsListChanged":     wire.MethodToolsChanged,
	"promptsListChanged":   wire.MethodPromptsChanged,
	"resourcesListChanged": wire.MethodResourcesChanged,
}

func (l *listener) wants(method string) bool { return l.lists[method] }

// send tags a notice with the subscription it belongs to.
func (l *listener) send(method string, params []byte) {
	tagged, err := wire.ChangeMeta(params, wire.Change{Name: wire.MetaSubscription, Value: []byte(l.id)})
	if err != nil {
		return // a server's params that are no object are of no use to anybody
	}
	l.out.Notify(method, tagged)
}

// listen serves a subscription until the agent or the gateway ends it.
func (g *Gateway) listen(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	o, err := wire.ParseObject(or(in.Params, []byte("{}")))
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	filter, err := wire.ParseObject(o.Get("notifications"))
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "subscriptions/listen needs notifications, an object that says which")
	}
	l := &listener{id: in.ID, out: newOutbox(in.Back), lists: map[string]bool{}, watches: map[watched]bool{}}
	granted := []byte{'{'}
	grant := func(name string, value []byte) {
		if len(granted) > 1 {
			granted = append(granted, ',')
		}
		granted = append(append(append(granted, wire.Quote(name)...), ':'), value...)
	}
	for name, method := range filterNames {
		if string(filter.Get(name)) == "true" {
			l.lists[method] = true
			grant(name, []byte("true"))
		}
	}
	uris := g.watchAll(ctx, in, l, filter.Get("resourceSubscriptions"))
	defer g.unwatchAll(in, l)
	if uris != nil {
		grant("resourceSubscriptions", uris)
	}
	a := &g.audience
	a.mu.Lock()
	l.send(wire.MethodAcknowledged, append(append([]byte(`{"notifications":`), append(granted, '}')...), '}'))
	a.listeners[l] = true
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		delete(a.listeners, l)
		a.mu.Unlock()
	}()
	g.wake(in)
	var over <-chan struct{}
	if in.Session != nil {
		over = in.Session.Context().Done()
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-over:
	case <-g.ending.Done():
	}
	l.out.flush(ctx)
	return []byte(`{"resultType":"complete","_meta":{"` + wire.MetaSubscription + `":` + string(l.id) + `}}`), nil
}

// wake connects to the servers: one that does not run has nothing to tell.
func (g *Gateway) wake(in *wire.Incoming) {
	if server, several := g.only(g.sight(in)); !several {
		who := caller(in)
		g.work.Go(func() {
			if _, err := g.o.Servers.Hello(g.ending, server, who); err != nil {
				g.log.Debug("a subscription's server could not be reached", "server", server, "error", err)
			}
		})
	}
}

// watchAll subscribes to the resources that a filter names and returns those
// that could be, nil if none was named.
func (g *Gateway) watchAll(ctx context.Context, in *wire.Incoming, l *listener, raw []byte) []byte {
	list, err := wire.Elements(raw)
	if raw == nil || err != nil {
		return nil
	}
	out := []byte{'['}
	for _, e := range list {
		shown, ok := wire.Text(e)
		if !ok {
			continue
		}
		w, err := g.watched(in, shown)
		if err != nil || l.watches[w] {
			continue
		}
		if err := g.o.Servers.Subscribe(ctx, w.server, w.uri, caller(in)); err != nil {
			g.log.Info("a resource cannot be watched", "server", w.server, "uri", w.uri, "error", err)
			continue
		}
		l.watches[w] = true
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	return append(out, ']')
}

func (g *Gateway) unwatchAll(in *wire.Incoming, l *listener) {
	for w := range l.watches {
		if err := g.o.Servers.Unsubscribe(g.ending, w.server, w.uri, caller(in)); err != nil {
			g.log.Debug("a subscription could not be taken back", "server", w.server, "error", err)
		}
	}
}
