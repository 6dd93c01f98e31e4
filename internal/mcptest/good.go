package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// good is the server that does everything right, and remembers what was done to
// it. One good serves all connections of a process.
type good struct {
	mu       sync.Mutex
	count    int            // tool count
	gaveUp   int            // requests that their client cancelled
	calls    map[string]int // tools/call by tool
	requests map[string]int // by method
	faults   []string       // what clients did wrong
	extra    map[string]bool
	sessions map[*session]bool
	listens  map[*listen]bool
	tasks    map[string]*task

	rules *rules
	tools []tool
}

// A listen is a modern subscription.
type listen struct {
	id     json.RawMessage
	wanted struct {
		Tools     bool     `json:"toolsListChanged"`
		Prompts   bool     `json:"promptsListChanged"`
		Resources bool     `json:"resourcesListChanged"`
		URIs      []string `json:"resourceSubscriptions"`
	}
	back back
}

func newGood(u *rules) *good {
	return &good{
		calls: map[string]int{}, requests: map[string]int{},
		extra:    map[string]bool{},
		sessions: map[*session]bool{}, listens: map[*listen]bool{}, tasks: map[string]*task{},
		rules: u, tools: goodTools(),
	}
}

const goodInstructions = "A server for tests. Every tool does what its name says."

func serverInfo() object {
	return object{"name": "mcptest", "title": "Test server", "version": "1.0.0"}
}

func goodCapabilities() object {
	return object{
		"tools":       object{"listChanged": true},
		"prompts":     object{"listChanged": true},
		"resources":   object{"listChanged": true, "subscribe": true},
		"completions": object{},
		"logging":     object{},
		"extensions":  object{tasksExtension: object{}},
	}
}

func (g *good) serve(ctx context.Context, r *request) (any, *rpcError) {
	g.mu.Lock()
	g.requests[r.method]++
	g.mu.Unlock()
	result, fault := g.answer(ctx, r)
	if o, ok := result.(object); ok && fault == nil && r.modern {
		complete(o)
	}
	return result, fault
}

// complete adds what every modern result has.
func complete(o object) {
	if o["resultType"] == nil {
		o["resultType"] = "complete"
	}
	if o["_meta"] == nil {
		o["_meta"] = object{}
	}
	if meta, ok := o["_meta"].(object); ok {
		meta[metaServerInfo] = serverInfo()
	}
}

func (g *good) answer(ctx context.Context, r *request) (any, *rpcError) {
	switch r.method {
	case "initialize":
		return g.initialize(r), nil
	case "server/discover":
		if r.modern {
			return g.cacheable(r, object{
				"supportedVersions": g.rules.supported(),
				"capabilities":      goodCapabilities(),
				"instructions":      goodInstructions,
			}), nil
		}
	case "ping":
		if !r.modern {
			return object{}, nil
		}
	case "tools/list":
		return g.cacheable(r, object{"tools": g.toolList()}), nil
	case "tools/call":
		return g.callTool(ctx, r)
	case "prompts/list":
		return g.cacheable(r, object{"prompts": g.promptList()}), nil
	case "prompts/get":
		return g.getPrompt(ctx, r)
	case "resources/list":
		return g.cacheable(r, object{"resources": g.resourceList()}), nil
	case "resources/templates/list":
		return g.cacheable(r, object{"resourceTemplates": templateList()}), nil
	case "resources/read":
		return g.readResource(ctx, r)
	case "completion/complete":
		return completion(r)
	case "tasks/get", "tasks/update", "tasks/cancel":
		if r.modern {
			return g.serveTask(r)
		}
	case "subscriptions/listen":
		if r.modern {
			return g.listen(ctx, r)
		}
	case "resources/subscribe", "resources/unsubscribe":
		if !r.modern {
			r.session.subscribe(r.text("uri"), r.method == "resources/subscribe")
			return object{}, nil
		}
	case "logging/setLevel":
		if !r.modern {
			if severity(r.text("level")) < 0 {
				return nil, rpcErrorf(-32602, "no log level %q", r.text("level"))
			}
			r.session.setLogLevel(r.text("level"))
			return object{}, nil
		}
	}
	return nil, rpcErrorf(-32601, "method not found: %s", r.method)
}

func (g *good) initialize(r *request) object {
	var caps map[string]json.RawMessage
	if err := json.Unmarshal(r.params["capabilities"], &caps); err != nil {
		g.fault("initialize without capabilities: %v", err)
	}
	if r.params["clientInfo"] == nil {
		g.fault("initialize without clientInfo")
	}
	r.session.initialize(r.version, caps)
	return object{
		"protocolVersion": r.version,
		"capabilities":    goodCapabilities(),
		"serverInfo":      serverInfo(),
		"instructions":    goodInstructions,
	}
}

// cacheable adds what modern results that may be kept have.
func (g *good) cacheable(r *request, o object) object {
	if r.modern {
		o["ttlMs"], o["cacheScope"] = 60_000, "public"
	}
	return o
}

func (g *good) fault(format string, a ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, fmt.Sprintf(format, a...))
}

func (g *good) cancelled() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gaveUp++
}
