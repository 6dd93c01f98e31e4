package gateway

import (
	"slices"
	"sync"
	"time"

	"toolcrib/internal/wire"
)

// The audience is everyone who hears what servers say on their own: legacy
// sessions, and modern agents that listen.
type audience struct {
	g *Gateway

	mu        sync.Mutex
	sessions  map[*wire.Session]*agent
	listeners map[*listener]bool
	due       map[string]bool // notices of changes that are on their way
}

// settle is how long changes are gathered: servers announce several at once.
const settle = 100 * time.Millisecond

func (a *audience) init(g *Gateway) {
	a.g = g
	a.sessions = map[*wire.Session]*agent{}
	a.listeners = map[*listener]bool{}
	a.due = map[string]bool{}
}

func (a *audience) join(s *wire.Session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessions[s] = agentOf(s)
}

func (a *audience) leave(s *wire.Session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.sessions, s)
}

// Event takes what a server says on its own. It does not block.
func (g *Gateway) Event(server, method string, params []byte, only *wire.Session) {
	a := &g.audience
	switch method {
	case wire.MethodToolsChanged, wire.MethodPromptsChanged, wire.MethodResourcesChanged:
		if _, several := g.only(g.all); !several {
			a.announce(method) // of several, the next snapshot tells whether it is one for agents
		}
	case wire.MethodResourceUpdated:
		a.updated(server, params)
	default:
		a.tell(server, method, params, only)
	}
}

// noticeOf is the notification that announces a change of a list.
var noticeOf = map[string]string{
	wire.MethodToolsList:     wire.MethodToolsChanged,
	wire.MethodPromptsList:   wire.MethodPromptsChanged,
	wire.MethodResourcesList: wire.MethodResourcesChanged,
	wire.MethodTemplatesList: wire.MethodResourcesChanged,
}

// changed announces that a list is another one.
func (a *audience) changed(method string) { a.announce(noticeOf[method]) }

// announce sends a notice of a change, together with what else changes at the
// moment.
func (a *audience) announce(notice string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.due[notice] {
		return
	}
	a.due[notice] = true
	time.AfterFunc(settle, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.due, notice)
		for _, agent := range a.sessions {
			agent.out.Notify(notice, nil)
		}
		for l := range a.listeners {
			if l.wants(notice) {
				l.send(notice, nil)
			}
		}
	})
}

// updated tells those who subscribed to a resource.
func (a *audience) updated(server string, params []byte) {
	o, err := wire.ParseObject(params)
	if err != nil {
		return
	}
	uri := o.Text("uri")
	w := watched{server, uri}
	if _, several := a.g.only(a.g.all); several {
		params = withOurURI(server, o, "uri")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, agent := range a.sessions {
		agent.mu.Lock()
		has := agent.watches[w]
		agent.mu.Unlock()
		if has {
			agent.out.Notify(wire.MethodResourceUpdated, params)
		}
	}
	for l := range a.listeners {
		if l.watches[w] {
			l.send(wire.MethodResourceUpdated, params)
		}
	}
}

// tell passes on what belongs to no request and no list. Without a session that
// it is for, log messages go to everyone who wants such; anything else only
// where there is a single session, since it may be of one agent's concern.
func (a *audience) tell(server, method string, params []byte, only *wire.Session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for s, agent := range a.sessions {
		switch {
		case only != nil && s != only:
		case a.g.withholds(s, server):
		case method == wire.MethodLogMessage:
			if severe(params, agent.level()) {
				agent.out.Notify(method, params)
			}
		case only != nil || len(a.sessions) == 1:
			agent.out.Notify(method, params)
		}
	}
}

// severe tells whether a log message reaches a level; "" is any.
func severe(params []byte, level string) bool {
	if level == "" {
		return true
	}
	o, err := wire.ParseObject(params)
	return err == nil && slices.Index(levels, o.Text("level")) >= slices.Index(levels, level)
}

// rootsChanged is for servers that asked for an agent's roots: those of a
// connection that the agent has for itself hear of it.
func (a *audience) rootsChanged(s *wire.Session) {
	a.g.o.Servers.RootsChanged(s)
}
