package mcptest

import (
	"context"
	"encoding/json"
	"slices"
)

func (g *good) opened(s *session) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sessions[s] = true
}

func (g *good) closed(s *session) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, s)
}

// prepare registers a modern subscription, so that whatever is requested after
// it is already told to it.
func (g *good) prepare(r *request) {
	if r.method != "subscriptions/listen" || !r.modern {
		return
	}
	l := &listen{id: r.id, back: r.back}
	if json.Unmarshal(r.params["notifications"], &l.wanted) != nil {
		return
	}
	r.listen = l
	r.back.notify("notifications/subscriptions/acknowledged", object{
		"_meta":         object{metaSubscription: l.id},
		"notifications": r.params["notifications"],
	})
	g.mu.Lock()
	g.listens[l] = true
	g.mu.Unlock()
}

// listen holds a modern subscription open until its client or the server ends it.
func (g *good) listen(ctx context.Context, r *request) (any, *rpcError) {
	if r.listen == nil {
		return nil, rpcErrorf(-32602, "notifications is missing or not an object")
	}
	<-ctx.Done()
	g.mu.Lock()
	delete(g.listens, r.listen)
	g.mu.Unlock()
	return object{"_meta": object{metaSubscription: r.listen.id}}, nil
}

// announce tells all who want to know that a list ("tools", "prompts",
// "resources") changed.
func (g *good) announce(what string) {
	g.tell("notifications/"+what+"/list_changed", object{},
		func(*session) bool { return true },
		func(l *listen) bool {
			return map[string]bool{"tools": l.wanted.Tools, "prompts": l.wanted.Prompts, "resources": l.wanted.Resources}[what]
		})
}

// updated tells all who subscribed to uri that it changed.
func (g *good) updated(uri string) {
	g.tell("notifications/resources/updated", object{"uri": uri},
		func(s *session) bool { return s.wants(uri) },
		func(l *listen) bool { return slices.Contains(l.wanted.URIs, uri) })
}

func (g *good) tell(method string, params object, legacy func(*session) bool, modern func(*listen) bool) {
	g.mu.Lock()
	var sessions []*session
	for s := range g.sessions {
		if legacy(s) {
			sessions = append(sessions, s)
		}
	}
	var listens []*listen
	for l := range g.listens {
		if modern(l) {
			listens = append(listens, l)
		}
	}
	g.mu.Unlock()
	for _, s := range sessions {
		s.send(notificationLine(method, params))
	}
	for _, l := range listens {
		marked := object{"_meta": object{metaSubscription: l.id}}
		for k, v := range params {
			marked[k] = v
		}
		l.back.notify(method, marked)
	}
}
