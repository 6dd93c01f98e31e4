package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// An agent is the other end of calls: it hears what servers say meanwhile, and
// answers what they ask.
type agent struct {
	session *wire.Session
	caller  call.Caller
	answer  string // to every question; "" refuses

	mu    sync.Mutex
	heard []string // method and params
	asked []string
}

const allCapabilities = `{"sampling":{},"elicitation":{},"roots":{}}`

// newAgent opens a legacy session that ends with the test.
func newAgent(t testing.TB, id string) *agent {
	t.Helper()
	a := &agent{session: wire.NewSession(context.Background(), id)}
	a.session.Era = wire.Legacy
	a.session.Capabilities = wire.ParseCapabilities([]byte(allCapabilities))
	a.session.Back = a
	a.caller = call.Caller{Era: wire.Legacy, Session: a.session, Capabilities: a.session.Capabilities}
	t.Cleanup(a.leave)
	return a
}

// leave ends the session.
func (a *agent) leave() { a.session.Close(a) }

func (a *agent) Notify(method string, params []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.heard = append(a.heard, method+" "+string(params))
	return nil
}

func (a *agent) Request(_ context.Context, method string, params []byte) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, method)
	if a.answer == "" {
		return nil, errors.New("no answer here")
	}
	return []byte(a.answer), nil
}

func (a *agent) notices() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.heard...)
}

func (a *agent) questions() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.asked...)
}

// Serve, Notified and Closed make it a handler, which a session wants to close.
func (a *agent) Serve(context.Context, *wire.Incoming) ([]byte, error)   { return nil, nil }
func (a *agent) Notified(context.Context, *wire.Session, string, []byte) {}
func (a *agent) Closed(*wire.Session)                                    {}

// request is a call of a tool by this agent.
func (a *agent) request(server, tool, arguments string) *call.Request {
	q := request(server, tool, arguments)
	q.Caller, q.Back = a.caller, a
	return q
}

// modern is a call of a tool by an agent that speaks the modern era over HTTP,
// and so has no session.
func modern(server, tool, arguments string) *call.Request {
	q := request(server, tool, arguments)
	q.Caller = call.Caller{Era: wire.Modern, Capabilities: wire.ParseCapabilities([]byte(`{}`))}
	q.Params = fmt.Appendf(nil, `{"name":%q,"arguments":%s,"_meta":{%q:%q,%q:{}}}`, tool, arguments,
		wire.MetaVersion, wire.VersionModern, wire.MetaClientCapabilities)
	return q
}
