package upstream

import (
	"context"

	"toolcrib/internal/wire"
)

// Noise is told of what a server prints on its standard output that is no message.
func (c *conn) Noise(line []byte) {
	c.srv.noisy.Do(func() {
		c.srv.log.Warn("server prints on its standard output what is no message; it is ignored (further lines at debug level)", "line", clip(line))
	})
	c.srv.log.Debug("stdout", "line", clip(line))
}

func clip(b []byte) string { return string(b[:min(len(b), 200)]) }

// Notification passes on what a server says on its own.
func (c *conn) Notification(related any, method string, params []byte) {
	c.hears()
	switch method {
	case wire.MethodProgress:
		c.progress(params)
		return
	case wire.MethodAcknowledged:
		c.acknowledged(related)
		return
	case wire.MethodToolsChanged, wire.MethodPromptsChanged, wire.MethodResourcesChanged, wire.MethodResourceUpdated:
		c.publish(method, params)
		return
	}
	f, alone := c.belongs(related)
	if f == nil {
		if alone {
			c.publish(method, params)
		} else {
			c.srv.log.Debug("notification dropped: calls of several agents are under way, and it does not say to which it belongs", "method", method)
		}
		return
	}
	if method == wire.MethodLogMessage && !loggable(params, f.Caller.LogLevel, f.Caller.Era) {
		return
	}
	if f.Back != nil {
		f.Back.Notify(method, params) // an agent that is gone needs no notice
	}
}

func (c *conn) publish(method string, params []byte) {
	c.srv.pool.publish(Event{Server: c.srv.spec.Name, Method: method, Params: params, Session: c.session})
}

// progress gives a notice its caller's own token back.
func (c *conn) progress(params []byte) {
	o, err := wire.ParseObject(params)
	if err != nil {
		return
	}
	c.mu.Lock()
	f := c.tokens[string(o.Get("progressToken"))]
	c.mu.Unlock()
	if f == nil || f.Back == nil {
		return // late, or of nobody
	}
	f.Back.Notify(wire.MethodProgress, o.With(wire.Change{Name: "progressToken", Value: f.Caller.Progress}))
}

// belongs finds the request that a message is about. On a stream of its own
// that is known; on one that all share it is only when all that is under way is
// of one agent. With none under way, f is nil and alone is true.
func (c *conn) belongs(related any) (f *flight, alone bool) {
	if f, ok := related.(*flight); ok {
		return f, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.flights {
		if other.Back == nil {
			continue // ours, such as a listing: nobody is behind it
		}
		if f != nil && (f.Caller.Session == nil || other.Caller.Session != f.Caller.Session) {
			return nil, false
		}
		if f == nil || other.likelier(f) {
			f = other
		}
	}
	return f, true
}

// likelier guesses, among calls of one agent, which a message is about: one
// that does not wait for an answer already, a tool call, the newest.
func (f *flight) likelier(other *flight) bool {
	if asks, asked := f.waiting == 0, other.waiting == 0; asks != asked {
		return asks
	}
	if tool, other := f.Method == wire.MethodToolsCall, other.Method == wire.MethodToolsCall; tool != other {
		return tool
	}
	return f.number > other.number
}

// Request answers a server that asks for something only an agent can give.
func (c *conn) Request(ctx context.Context, related any, method string, params []byte) ([]byte, error) {
	c.hears()
	switch method {
	case wire.MethodElicit, wire.MethodSample, wire.MethodRootsList:
	default:
		return nil, wire.Errorf(wire.CodeMethodNotFound, "method %s is not known here", method)
	}
	f, alone := c.belongs(related)
	switch {
	case f != nil:
		return c.passOn(ctx, f, method, params)
	case c.session != nil && c.session.Back != nil && wire.Askable(method, c.session.Capabilities):
		return c.session.Back.Request(ctx, method, params)
	case method == wire.MethodRootsList:
		return []byte(`{"roots":[]}`), nil // no agent's roots are everybody's
	case alone:
		return nil, wire.Errorf(wire.CodeAgentRefused, "no agent's call is under way that this could be asked for")
	}
	c.srv.log.Warn("a request of the server was refused: calls of several agents are under way on its one connection, and it does not say for which it asks; set sessions: per_agent for this server", "method", method)
	return nil, wire.Errorf(wire.CodeAgentRefused, "calls of several agents are under way, and the request does not say for which of them it is")
}

func (c *conn) passOn(ctx context.Context, f *flight, method string, params []byte) ([]byte, error) {
	if f.Back == nil || !wire.Askable(method, f.Caller.Capabilities) {
		return nil, wire.Errorf(wire.CodeMethodNotFound, "the agent cannot answer %s: it did not declare that capability", method)
	}
	c.count(f, 1)
	defer c.count(f, -1)
	return f.Back.Request(ctx, method, params)
}

// count notes for how many answers of its agent a call waits.
func (c *conn) count(f *flight, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiting += n
}
