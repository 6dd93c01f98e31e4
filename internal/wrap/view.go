package wrap

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/index"
	"toolcrib/internal/wire"
)

// A view is the server's tools as one caller sees them. It never changes.
type view struct {
	tools    []*mcp.Tool
	snapshot *catalog.Snapshot
	server   *catalog.Server
	browser  *disclose.Browser

	brief, full [2]func() string // without and with discovery tools
}

// look is what a caller sees now.
func (w *wrapping) look(ctx context.Context, next mcp.MethodHandler, r *mcp.CallToolRequest) (*view, error) {
	tools, err := listAll(ctx, next, r.Session, r.Extra)
	if err != nil {
		return nil, err
	}
	return w.views.of(tools)
}

// maxPages is how many pages of a list are read. A server that never comes to
// an end would keep its callers waiting.
const maxPages = 1000

// listAll has the server list its tools, all pages, in the name of a caller.
func listAll(ctx context.Context, next mcp.MethodHandler, s *mcp.ServerSession, extra *mcp.RequestExtra) ([]*mcp.Tool, error) {
	var tools []*mcp.Tool
	params := &mcp.ListToolsParams{}
	for range maxPages {
		result, err := next(ctx, methodList, &mcp.ListToolsRequest{Session: s, Params: params, Extra: extra})
		if err != nil {
			return nil, fmt.Errorf("list the tools of the server: %w", err)
		}
		page, ok := result.(*mcp.ListToolsResult)
		if !ok || page == nil {
			return nil, fmt.Errorf("list the tools of the server: a middleware answered with %T", result)
		}
		tools = append(tools, page.Tools...)
		if page.NextCursor == "" {
			return tools, nil
		}
		params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
	return nil, fmt.Errorf("list the tools of the server: its list has more than %d pages", maxPages)
}

// maxViews is how many views are kept. There is one, unless the server shows
// its callers different tools.
const maxViews = 8

// views makes a view once for as long as the server lists the same.
type views struct {
	name     string
	category func(*mcp.Tool) string

	mu   sync.Mutex
	last []*view // the last used first
}

// of is the view of a list of tools. The SDK hands out the same tools as long as
// they were not replaced, so it is by their identity that a list is known again.
func (all *views) of(tools []*mcp.Tool) (*view, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for i, v := range all.last {
		if slices.Equal(v.tools, tools) {
			all.last = slices.Insert(slices.Delete(all.last, i, i+1), 0, v)
			return v, nil
		}
	}
	v, err := all.build(tools)
	if err != nil {
		return nil, err
	}
	all.last = slices.Insert(all.last, 0, v)[:min(len(all.last)+1, maxViews)]
	return v, nil
}

// unnamed is what the catalog calls a server whose name it was not told.
const unnamed = "server"

func (all *views) build(tools []*mcp.Tool) (*view, error) {
	listing := catalog.Listing{Server: all.name, Taken: time.Now()}
	if strings.TrimSpace(listing.Server) == "" {
		listing.Server = unnamed
	}
	for _, t := range tools {
		raw, err := all.define(t)
		if err != nil {
			return nil, err
		}
		listing.Tools = append(listing.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
	}
	s := catalog.Build([]catalog.Listing{listing}, catalog.Rules{}, listing.Taken)
	v := &view{tools: tools, snapshot: s, server: s.Server(listing.Server)}
	v.browser = disclose.New(&disclose.Options{
		Snapshot: func() *catalog.Snapshot { return s },
		Index:    sync.OnceValue(func() *index.Index { return index.New(nil, s, nil) }),
		Lists:    isDiscovery,
	})
	for i, discovery := range []bool{false, true} {
		v.brief[i] = sync.OnceValue(func() string { return v.briefReference(discovery) })
		v.full[i] = sync.OnceValue(func() string { return v.fullReference(discovery) })
	}
	return v, nil
}

// define is a tool as the server lists it, with the category that its author
// wants it to have.
func (all *views) define(t *mcp.Tool) (json.RawMessage, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("read the definition of tool %s: %w", t.Name, err)
	}
	if all.category == nil {
		return raw, nil
	}
	category := all.category(t)
	if category == "" {
		return raw, nil
	}
	return wire.ChangeMeta(raw, wire.Change{Name: "toolcrib/category", Value: wire.Quote(category)})
}

// lacks tells whether a discovery tool may have this name: the server has tools,
// and none that is called so.
func (v *view) lacks(name string) bool { return lacks(v.tools, name) }

func lacks(tools []*mcp.Tool, name string) bool {
	called := func(t *mcp.Tool) bool { return t != nil && t.Name == name }
	return len(tools) > 0 && !slices.ContainsFunc(tools, called)
}

// reference is what comes with a caller's first call, "" if there is nothing to
// say.
func (v *view) reference(level disclose.Level, discovery bool) string {
	i := 0
	if discovery {
		i = 1
	}
	if level == disclose.Full {
		return v.full[i]()
	}
	return v.brief[i]()
}
