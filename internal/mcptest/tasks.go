package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// The tasks extension of the modern era, as far as tool job needs it.

const tasksExtension = "io.modelcontextprotocol/tasks"

// A task is a call of tool job that goes on after its answer.
type task struct {
	id      string
	started time.Time
	needed  time.Duration
	stopped bool
}

func (t *task) status() string {
	switch {
	case t.stopped:
		return "cancelled"
	case time.Since(t.started) < t.needed:
		return "working"
	}
	return "completed"
}

func (t *task) describe() object {
	at := t.started.UTC().Format(time.RFC3339)
	return object{"taskId": t.id, "status": t.status(), "createdAt": at, "lastUpdatedAt": at, "ttlMs": 3_600_000, "pollIntervalMs": 10}
}

// extension says whether the client declared an extension.
func (r *request) extension(name string) bool {
	var caps struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	return json.Unmarshal(r.meta[metaCapabilities], &caps) == nil && caps.Extensions[name] != nil
}

// job answers at once for a client that knows no tasks, and else with a task
// that is done after ms milliseconds.
func job(ctx context.Context, g *good, c *toolCall) (any, *rpcError) {
	ms, fault := c.num("ms", 0)
	if fault != nil {
		return nil, fault
	}
	needed := time.Duration(ms) * time.Millisecond
	if !c.modern || !c.extension(tasksExtension) {
		if !pause(ctx, needed) {
			return nil, rpcErrorf(-32603, "interrupted")
		}
		return say("job done"), nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &task{id: fmt.Sprintf("task-%d", len(g.tasks)+1), started: time.Now(), needed: needed}
	g.tasks[t.id] = t
	result := t.describe()
	result["resultType"] = "task"
	return result, nil
}

// serveTask answers tasks/get, tasks/update and tasks/cancel.
func (g *good) serveTask(r *request) (any, *rpcError) {
	if !r.extension(tasksExtension) {
		e := rpcErrorf(-32021, "this needs the extension %s", tasksExtension)
		e.Data = object{"requiredCapabilities": object{"extensions": object{tasksExtension: object{}}}}
		return nil, e
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.tasks[r.text("taskId")]
	if t == nil {
		return nil, rpcErrorf(-32602, "no task %q", r.text("taskId"))
	}
	switch r.method {
	case "tasks/get":
		result := t.describe()
		if t.status() == "completed" {
			result["result"] = say("job done")
		}
		return result, nil
	case "tasks/cancel":
		t.stopped = t.stopped || t.status() == "working"
	}
	return object{}, nil
}
