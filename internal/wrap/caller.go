package wrap

import (
	"context"
	"encoding/json"
	"runtime"
	"strconv"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/call"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// Callers is what is remembered of those who have read the reference. The zero
// value is ready for use, by any number of servers.
type Callers struct {
	ready sync.Once
	told  call.Func // does nothing; adds to its result what a caller is to be told

	mu          sync.Mutex
	connections map[weak.Pointer[mcp.ServerSession]]string
	count       int
}

// nothing is a result to which FirstCall can add something.
var nothing = []byte(`{"content":[]}`)

// first tells whether a call is the first of its caller's that can carry the
// reference. Of calls at the same time it is true for one.
//
// It is asked when the result of the call is there, so nothing has to be taken
// back where there is none.
func (c *Callers) first(ctx context.Context, r *mcp.CallToolRequest, header string) bool {
	c.ready.Do(func() {
		due := func() string { return "due" }
		c.told = disclose.NewFirstCall(due).Around(func(context.Context, *call.Request) ([]byte, error) { return nothing, nil })
	})
	result, err := c.told(ctx, c.request(r, header))
	return err == nil && len(result) > len(nothing)
}

// request is a call as disclose.CallerKey reads it: what tells one caller from
// another.
func (c *Callers) request(r *mcp.CallToolRequest, header string) *call.Request {
	out := &call.Request{Method: methodCall, Name: r.Params.Name}
	if meta := r.Params.GetMeta(); len(meta) > 0 {
		if params, err := json.Marshal(map[string]any{"_meta": meta}); err == nil { // it came as JSON
			out.Params = params
		}
	}
	who := &out.Caller
	if info := r.ClientInfo(); info != nil {
		who.ClientInfo = clientInfo(info.Name)
	}
	extra := r.Extra
	if extra == nil || extra.Header == nil {
		who.Session = &wire.Session{ID: c.connection(r.Session)}
		return out
	}
	if extra.TokenInfo != nil {
		who.Subject = extra.TokenInfo.UserID
	}
	if header != "" {
		who.Conversation = extra.Header.Get(header)
	}
	if id := r.Session.ID(); id != "" {
		who.Session = &wire.Session{ID: "http " + id}
	}
	if who.ClientInfo == nil {
		// Without sessions, an agent of the older protocol does not say again
		// with each call what it is.
		who.ClientInfo = clientInfo(extra.Header.Get("User-Agent"))
	}
	return out
}

func clientInfo(name string) []byte {
	return append(append([]byte(`{"name":`), wire.Quote(name)...), '}')
}

// connection is a name for a session that has none: a pipe, or a pair of streams
// that lasts. It is not given to another session, not even one that comes to be
// at the same address.
func (c *Callers) connection(s *mcp.ServerSession) string {
	key := weak.Make(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if name, known := c.connections[key]; known {
		return name
	}
	if c.connections == nil {
		c.connections = map[weak.Pointer[mcp.ServerSession]]string{}
	}
	c.count++
	name := "connection " + strconv.Itoa(c.count)
	c.connections[key] = name
	runtime.AddCleanup(s, c.forget, key)
	return name
}

func (c *Callers) forget(gone weak.Pointer[mcp.ServerSession]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.connections, gone)
}
