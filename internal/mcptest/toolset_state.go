package mcptest

import (
	"context"
	"maps"
	"slices"
)

// The tools here read or change what the good server remembers.

func count(_ context.Context, g *good, _ *toolCall) (any, *rpcError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count++
	return show(object{"count": g.count}), nil
}

func cancelledCount(_ context.Context, g *good, _ *toolCall) (any, *rpcError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return show(object{"count": g.gaveUp}), nil
}

func calls(_ context.Context, g *good, _ *toolCall) (any, *rpcError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return show(maps.Clone(g.calls)), nil
}

func requests(_ context.Context, g *good, _ *toolCall) (any, *rpcError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return show(maps.Clone(g.requests)), nil
}

func faults(_ context.Context, g *good, _ *toolCall) (any, *rpcError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return show(object{"faults": append([]string{}, g.faults...)}), nil
}

func change(_ context.Context, g *good, c *toolCall) (any, *rpcError) {
	what := "tools"
	if fault := c.into("what", &what); fault != nil {
		return nil, fault
	}
	times, fault := c.num("times", 1)
	if fault != nil {
		return nil, fault
	}
	if !slices.Contains([]string{"tools", "prompts", "resources"}, what) {
		return nil, rpcErrorf(-32602, "cannot change %q: use tools, prompts or resources", what)
	}
	g.mu.Lock()
	g.extra[what] = !g.extra[what]
	g.mu.Unlock()
	for range times {
		g.announce(what)
	}
	return say("changed"), nil
}

func touch(_ context.Context, g *good, c *toolCall) (any, *rpcError) {
	var uri string
	if fault := c.into("uri", &uri); fault != nil {
		return nil, fault
	}
	g.updated(uri)
	return say("touched"), nil
}
