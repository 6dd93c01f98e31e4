package gateway

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// An agent is what we keep of a session.
type agent struct {
	out *outbox

	mu      sync.Mutex
	logs    string           // level; "" if it named none
	watches map[watched]bool // resources it subscribed to
	who     call.Caller      // for taking the subscriptions back
	session *wire.Session    // whose state this is

	scopes atomic.Pointer[[]string] // of the token that came last; nil if it had none
}

// allowed notes what the token of a request allows, which holds for what the session
// hears after it.
func (a *agent) allowed(scopes []string) {
	switch last := a.scopes.Load(); {
	case len(scopes) == 0 && last != nil:
		a.scopes.Store(nil)
	case len(scopes) > 0 && (last == nil || !slices.Equal(*last, scopes)):
		a.scopes.Store(&scopes)
	}
}

// caller is whom a session belongs to, between its requests.
func (a *agent) caller() call.Caller {
	who := call.Caller{Subject: a.session.Subject, Session: a.session, Era: a.session.Era}
	if scopes := a.scopes.Load(); scopes != nil {
		who.Scopes = *scopes
	}
	return who
}

type watched struct{ server, uri string }

// agentOf is the agent of a session. The first call makes it: transports hand
// a session to Serve with initialize before anything else.
func agentOf(s *wire.Session) *agent {
	if a, ok := s.State.(*agent); ok {
		return a
	}
	a := &agent{out: newOutbox(s.Back), watches: map[watched]bool{}, session: s}
	s.State = a
	return a
}

func (a *agent) level() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.logs
}

var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// setLevel notes what a legacy agent wants to be logged. Servers hear of it
// with its next request.
func (g *Gateway) setLevel(in *wire.Incoming) ([]byte, error) {
	o, err := wire.ParseObject(or(in.Params, []byte("{}")))
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	level := o.Text("level")
	if !slices.Contains(levels, level) {
		return nil, wire.Errorf(wire.CodeInvalidParams, "level must be one of %v", levels)
	}
	a := agentOf(in.Session)
	a.mu.Lock()
	a.logs = level
	a.mu.Unlock()
	return []byte("{}"), nil
}

// subscribe and unsubscribe a legacy agent to a resource.
func (g *Gateway) subscribe(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	o, err := wire.ParseObject(or(in.Params, []byte("{}")))
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	shown, ok := wire.Text(o.Get("uri"))
	if !ok {
		return nil, wire.Errorf(wire.CodeInvalidParams, "%s needs a uri, a string", in.Method)
	}
	w, err := g.watched(in, shown)
	if err != nil {
		return nil, err
	}
	a, who := agentOf(in.Session), caller(in)
	a.mu.Lock()
	has := a.watches[w]
	a.mu.Unlock()
	on := in.Method == wire.MethodSubscribe
	if has == on {
		return []byte("{}"), nil
	}
	if on {
		err = g.o.Servers.Subscribe(ctx, w.server, w.uri, who)
	} else {
		err = g.o.Servers.Unsubscribe(ctx, w.server, w.uri, who)
	}
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.who = who
	if on {
		a.watches[w] = true
	} else {
		delete(a.watches, w)
	}
	a.mu.Unlock()
	return []byte("{}"), nil
}

// watched is the resource behind an URI as agents see it.
func (g *Gateway) watched(in *wire.Incoming, shown string) (watched, error) {
	sight := g.sight(in)
	server, several := g.only(sight)
	if !several {
		return watched{server, shown}, sight.resources(server)
	}
	t, err := g.resolve(in, "uri", shown)
	if err != nil {
		return watched{}, err
	}
	return watched{t.server, t.name}, sight.resources(t.server)
}

// Notified takes a notification of a session.
func (g *Gateway) Notified(ctx context.Context, s *wire.Session, method string, params []byte) {
	switch method {
	case wire.MethodRootsChanged:
		g.audience.rootsChanged(s)
	default:
		// initialized needs nothing; others have no meaning here.
	}
}

// Closed forgets a session.
func (g *Gateway) Closed(s *wire.Session) {
	g.audience.leave(s)
	a, ok := s.State.(*agent)
	if !ok {
		return
	}
	a.mu.Lock()
	watches, who := a.watches, a.who
	a.watches = nil
	a.mu.Unlock()
	if len(watches) == 0 {
		return
	}
	g.work.Go(func() {
		for w := range watches {
			if err := g.o.Servers.Unsubscribe(g.ending, w.server, w.uri, who); err != nil {
				g.log.Debug("a subscription could not be taken back", "server", w.server, "error", err)
			}
		}
	})
}
