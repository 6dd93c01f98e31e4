package gateway

import (
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// A Usage counts which tools are called after a search showed them, and which are
// called together: store.Usage in production. It is told ids and nothing else.
type Usage interface {
	Searched(caller string, tools []string, now time.Time)
	Called(caller, tool string, now time.Time)
}

func (g *Gateway) found(in *wire.Incoming, a *disclose.Answer) {
	if g.o.Usage == nil {
		return
	}
	ids := make([]string, len(a.Tools))
	for i, e := range a.Tools {
		ids[i] = e.Name
	}
	g.o.Usage.Searched(disclose.CallerKey(&call.Request{Caller: g.callerOf(in), Params: in.Params}), ids, time.Now())
}

func (g *Gateway) counted(r *call.Request, t *catalog.Tool) {
	if g.o.Usage != nil {
		g.o.Usage.Called(disclose.CallerKey(r), string(t.ID()), time.Now())
	}
}
