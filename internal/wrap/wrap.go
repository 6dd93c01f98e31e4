// Package wrap adds to a server written with the official Go SDK what the
// gateway does for servers behind it: a reference of the tools in front of a
// caller's first result, categories, and tools to find tools with.
//
//	agent ─► SDK ─► Install's middleware ─► the server's own middlewares ─► its tools
//	                   │
//	                   ├─ tools/list: as it is, and the discovery tools behind it
//	                   └─ tools/call: a discovery tool is answered here; of all
//	                      others, a caller's first result gets the reference
//
// The server's tools are not touched: what there is to know of them is what the
// server itself answers to tools/list, asked in the name of the caller. So tools
// that are added later are known, and a caller is told of no tool that another
// middleware hides from it.
package wrap

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/disclose"
)

// Options of Install.
type Options struct {
	Name         string         // of the server, where it is spoken of; "" leaves it out
	Reference    disclose.Level // Brief, Full or None
	Discovery    bool           // adds the discovery tools
	Category     func(*mcp.Tool) string
	CallerHeader string // HTTP header that names a conversation, "" for none
	Callers      *Callers
	Log          *slog.Logger
}

// What a caller's first result may have in front.
const (
	Brief                = disclose.Brief
	Full                 = disclose.Full
	None  disclose.Level = ""
)

// A wrapping is what Install adds to one server.
type wrapping struct {
	o     Options
	views views
}

// installed are the servers that have been wrapped, as long as they are in use.
var installed sync.Map // of weak.Pointer[mcp.Server]

// Install adds it to a server. All fields of o but the optional ones are set.
func Install(server *mcp.Server, o Options) error {
	if server == nil {
		return errors.New("there is no server to wrap: make one with mcp.NewServer first")
	}
	self := weak.Make(server)
	if _, twice := installed.LoadOrStore(self, true); twice {
		return errors.New("this server is wrapped already: wrap it once, with all options")
	}
	runtime.AddCleanup(server, func(gone weak.Pointer[mcp.Server]) { installed.Delete(gone) }, self)
	w := &wrapping{o: o, views: views{name: o.Name, category: o.Category}}
	server.AddReceivingMiddleware(w.receive)
	return nil
}

// The methods that are of interest.
const (
	methodList = "tools/list"
	methodCall = "tools/call"
)

func (w *wrapping) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			if method == methodList && w.o.Discovery {
				return w.list(ctx, next, r)
			}
		case *mcp.CallToolRequest:
			if method == methodCall && r.Params != nil {
				return w.call(ctx, next, r)
			}
		}
		return next(ctx, method, req)
	}
}

// list is the server's own list, with the discovery tools at its end.
func (w *wrapping) list(ctx context.Context, next mcp.MethodHandler, r *mcp.ListToolsRequest) (mcp.Result, error) {
	whole := r.Params == nil || r.Params.Cursor == ""
	result, err := next(ctx, methodList, r)
	page, ok := result.(*mcp.ListToolsResult)
	if err != nil || !ok || page == nil || page.NextCursor != "" {
		return result, err
	}
	own := page.Tools
	if !whole {
		if own, err = listAll(ctx, next, r.Session, r.Extra); err != nil {
			return nil, err
		}
	}
	with := *page
	with.Tools = append(page.Tools[:len(page.Tools):len(page.Tools)], additions(own)...)
	return &with, nil
}

// call calls a tool.
func (w *wrapping) call(ctx context.Context, next mcp.MethodHandler, r *mcp.CallToolRequest) (mcp.Result, error) {
	if t := w.discoveryTool(r.Params.Name); t != nil {
		v, err := w.look(ctx, next, r)
		if err != nil {
			return nil, err
		}
		if v.lacks(t.name) {
			return t.answer(ctx, v, r.Params.Arguments), nil
		}
	}
	result, err := next(ctx, methodCall, r)
	own, ok := result.(*mcp.CallToolResult)
	if err != nil || !ok || own == nil || w.o.Reference == None || own.NeedsInput() || own.InputRequests != nil {
		return result, err
	}
	if !w.o.Callers.first(ctx, r, w.o.CallerHeader) {
		return own, nil
	}
	v, err := w.look(ctx, next, r)
	if err != nil {
		w.o.Log.Warn("a caller goes without the reference: the server did not list its tools", "error", err)
		return own, nil
	}
	return inFront(v.reference(w.o.Reference, w.o.Discovery), own), nil
}

// inFront is a result with a text before its content, and otherwise as it is.
func inFront(text string, result *mcp.CallToolResult) *mcp.CallToolResult {
	if text == "" {
		return result
	}
	with := *result
	with.Content = append([]mcp.Content{&mcp.TextContent{Text: text}}, result.Content...)
	return &with
}
