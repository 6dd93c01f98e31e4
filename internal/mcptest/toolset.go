package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

var (
	aString = object{"type": "string"}
	anInt   = object{"type": "integer"}
)

// goodTools are the tools of the good server.
func goodTools() []tool {
	return []tool{
		{name: "echo", about: "Returns its argument text", params: object{"text": aString}, needed: []string{"text"}, reads: true, run: echo},
		{name: "add", about: "Adds a and b", params: object{"a": object{"type": "number"}, "b": object{"type": "number"}}, needed: []string{"a", "b"}, reads: true, run: add},
		{name: "big", about: "Returns a text of bytes bytes", params: object{"bytes": anInt}, reads: true, run: big},
		{name: "slow", about: "Answers after ms milliseconds, or stops when it is cancelled", params: object{"ms": anInt}, run: slow},
		{name: "progress", about: "Reports steps steps, ms milliseconds apart", params: object{"steps": anInt, "ms": anInt}, run: progress},
		{name: "log", about: "Sends times log messages of a level", params: object{"level": aString, "text": aString, "times": anInt}, run: logTool},
		{name: "elicit", about: "Asks the user for a name, rounds times", params: object{"message": aString, "rounds": anInt}, run: elicit},
		{name: "sample", about: "Asks the client's model", params: object{"prompt": aString}, run: sample},
		{name: "roots", about: "Asks for the client's roots", run: roots},
		{name: "url", about: "Fails until a URL is visited (2025-11-25)", run: urlNeeded},
		{name: "count", about: "Returns how often it was called", run: count},
		{name: "env", about: "Returns the environment of the process", reads: true, run: env},
		{name: "pid", about: "Returns the process id", reads: true, run: pid},
		{name: "fail", about: "Fails as a tool", params: object{"text": aString}, run: fail},
		{name: "rpcerror", about: "Fails as JSON-RPC, with the code and data that were given", params: object{"code": anInt, "data": object{}}, run: rpcFail},
		{name: "meta", about: "Returns the _meta of its call", reads: true, run: metaTool},
		{name: "region", about: "Returns region, which HTTP clients also send as a header", params: object{"region": object{"type": "string", "x-mcp-header": "Region"}}, needed: []string{"region"}, reads: true, run: region},
		{name: "job", about: "Is done after ms milliseconds, as a task for clients that know tasks", params: object{"ms": anInt}, run: job},
		{name: "change", about: "Changes a list (tools, prompts, resources) and says so times times", params: object{"what": aString, "times": anInt}, run: change},
		{name: "touch", about: "Says that the resource uri was updated", params: object{"uri": aString}, needed: []string{"uri"}, run: touch},
		{name: "stderr", about: "Writes text to standard error", params: object{"text": aString}, needed: []string{"text"}, run: stderrTool},
		{name: "cancelled-count", about: "Returns how many requests were cancelled by their clients", reads: true, run: cancelledCount},
		{name: "calls", about: "Returns how often each tool was called", reads: true, run: calls},
		{name: "requests", about: "Returns how often each method was requested", reads: true, run: requests},
		{name: "faults", about: "Returns what clients did wrong", reads: true, run: faults},
	}
}

func echo(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	var text string
	if fault := c.into("text", &text); fault != nil {
		return nil, fault
	}
	return say(text), nil
}

func add(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	var a, b float64
	if fault := c.into("a", &a); fault != nil {
		return nil, fault
	}
	if fault := c.into("b", &b); fault != nil {
		return nil, fault
	}
	return show(object{"sum": a + b}), nil
}

func big(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	n, fault := c.num("bytes", 1<<20)
	if fault != nil {
		return nil, fault
	}
	return say(strings.Repeat("x", max(n, 0))), nil
}

func slow(ctx context.Context, _ *good, c *toolCall) (any, *rpcError) {
	ms, fault := c.num("ms", 1000)
	if fault != nil {
		return nil, fault
	}
	if !pause(ctx, time.Duration(ms)*time.Millisecond) {
		return nil, rpcErrorf(-32603, "interrupted")
	}
	return say("done"), nil
}

func progress(ctx context.Context, _ *good, c *toolCall) (any, *rpcError) {
	steps, fault := c.num("steps", 3)
	if fault != nil {
		return nil, fault
	}
	ms, fault := c.num("ms", 0)
	if fault != nil {
		return nil, fault
	}
	for i := 1; i <= steps; i++ {
		if ms > 0 && !pause(ctx, time.Duration(ms)*time.Millisecond) {
			return nil, rpcErrorf(-32603, "interrupted")
		}
		c.progress(i, steps)
	}
	return say("done"), nil
}

func logTool(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	level, text := "info", "hello from the log"
	times, fault := c.num("times", 1)
	for name, v := range map[string]any{"level": &level, "text": &text} {
		if f := c.into(name, v); f != nil {
			fault = f
		}
	}
	if fault != nil {
		return nil, fault
	}
	for range times {
		c.log(level, text)
	}
	return say("logged"), nil
}

func fail(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	text := "this tool always fails"
	if fault := c.into("text", &text); fault != nil {
		return nil, fault
	}
	return failed(text), nil
}

func rpcFail(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	code, fault := c.num("code", -32050)
	if fault != nil {
		return nil, fault
	}
	e := rpcErrorf(code, "this call always fails")
	e.Data = object{"reason": "asked for", "big": json.RawMessage("9223372036854775807")}
	if raw := c.arguments["data"]; raw != nil {
		e.Data = raw
	}
	return nil, e
}

func region(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	var text string
	if fault := c.into("region", &text); fault != nil {
		return nil, fault
	}
	return say(text), nil
}

func metaTool(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	raw := c.params["_meta"]
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	return show(raw), nil
}

func env(context.Context, *good, *toolCall) (any, *rpcError) {
	vars := object{}
	for _, kv := range os.Environ() {
		k, v, _ := strings.Cut(kv, "=")
		vars[k] = v
	}
	return show(vars), nil
}

func pid(context.Context, *good, *toolCall) (any, *rpcError) {
	return show(object{"pid": os.Getpid(), "ppid": os.Getppid()}), nil
}

func stderrTool(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
	var text string
	if fault := c.into("text", &text); fault != nil {
		return nil, fault
	}
	if n, ok := c.back.(*conn); ok {
		fmt.Fprintln(n.streams.errOut, text)
	}
	return say("written"), nil
}
