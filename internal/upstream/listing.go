package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// lists are what a server may offer: the method, the member of its result that
// holds the entries, and the capability without which it is not asked.
var lists = []struct{ method, member, capability string }{
	{wire.MethodToolsList, "tools", "tools"},
	{wire.MethodPromptsList, "prompts", "prompts"},
	{wire.MethodResourcesList, "resources", "resources"},
	{wire.MethodTemplatesList, "resourceTemplates", "resources"},
}

// List asks a server for everything it offers, all pages of it, through do. A
// server that declares prompts or resources and then fails to list them has
// none; one that fails to list its tools has failed.
func (p *Pool) List(ctx context.Context, server string, do call.Func) (catalog.Listing, error) {
	s, err := p.server(server)
	if err != nil {
		return catalog.Listing{}, err
	}
	hello, err := p.Hello(ctx, server, call.Caller{})
	if err != nil {
		return catalog.Listing{}, err
	}
	l := catalog.Listing{
		Server: server, Identity: s.spec.Identity(), Taken: time.Now(),
		Era: hello.Era.String(), Version: hello.Version, ServerInfo: hello.ServerInfo,
		Instructions: hello.Instructions, Capabilities: hello.Capabilities,
	}
	caps, err := wire.ParseObject(hello.Capabilities)
	for _, what := range lists {
		if err != nil || caps.Get(what.capability) == nil {
			continue
		}
		entries, err := s.drain(ctx, what.method, what.member, do, &l)
		if err != nil && what.method != wire.MethodToolsList {
			s.log.Debug("server declares what it does not list", "method", what.method, "error", err)
			continue
		}
		if err != nil {
			return l, err
		}
		switch what.method {
		case wire.MethodToolsList:
			l.Tools = make([]catalog.Found, len(entries))
			for i, raw := range entries {
				l.Tools[i] = catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1}
			}
		case wire.MethodPromptsList:
			l.Prompts = entries
		case wire.MethodResourcesList:
			l.Resources = entries
		case wire.MethodTemplatesList:
			l.Templates = entries
		}
	}
	return l, nil
}

// maxList is how many bytes of entries one list may have; the longest of a real
// server has 2.1 MB.
const maxList = 64 << 20

// drain reads all pages of a list, and notes in l how long they hold. A cursor
// that comes again ends it: such a list has no end.
func (s *server) drain(ctx context.Context, method, member string, do call.Func, l *catalog.Listing) ([]json.RawMessage, error) {
	var entries []json.RawMessage
	var cursor []byte
	seen := map[string]bool{}
	pages, size := 0, 0
	for ; pages < maxPages && size < maxList; pages++ {
		r := &call.Request{Server: s.spec.Name, Method: method}
		if cursor != nil {
			r.Params = append(append([]byte(`{"cursor":`), cursor...), '}')
		}
		result, err := do(ctx, r)
		if err != nil {
			return nil, err
		}
		page, err := wire.ParseObject(result)
		if err != nil {
			return nil, fmt.Errorf("%s was answered with what is no result: %w", method, err)
		}
		list, err := wire.Elements(page.Get(member))
		if err != nil {
			return nil, fmt.Errorf("%s was answered without a list of %s", method, member)
		}
		for _, e := range list {
			entries = append(entries, e)
			size += len(e)
		}
		if ttl, ok := holds(page.Get("ttlMs")); ok && (l.TTL == 0 || ttl < l.TTL) {
			l.TTL = ttl
		}
		scope := page.Text("cacheScope")
		l.Private = l.Private || scope == "private" || scope == "" && l.Era == wire.Legacy.String() // where nothing says that others may see it
		cursor = page.Get("nextCursor")
		if cursor == nil || string(cursor) == "null" {
			return entries, nil
		}
		if seen[string(cursor)] {
			s.log.Warn("a list goes round in circles: it is taken as it is", "method", method, "cursor", clip(cursor))
			return entries, nil
		}
		seen[string(cursor)] = true
	}
	s.log.Warn("a list was cut", "method", method, "pages", pages, "bytes", size)
	return entries, nil
}

// holds reads a ttlMs. One that is no more than a moment counts as a moment:
// 0 in a listing means that the server said nothing.
func holds(raw []byte) (time.Duration, bool) {
	ms, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || ms < 0 {
		return 0, false
	}
	const most = 24 * time.Hour
	return max(time.Second, min(time.Duration(ms)*time.Millisecond, most)), true
}

// Live tells whether a server is connected.
func (p *Pool) Live(name string) bool {
	s, err := p.server(name)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == Ready
}
