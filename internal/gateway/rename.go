package gateway

import (
	"bytes"
	"strconv"
	"time"

	"toolcrib/internal/wire"
)

// renameEntries gives the entries of a server's list the names that agents see
// when there are several servers. For tools it also returns what each shown
// name means; an entry that cannot be read is left out.
func renameEntries(server, method string, entries [][]byte) ([][]byte, map[string]target) {
	out := make([][]byte, 0, len(entries))
	var names map[string]target
	for _, raw := range entries {
		o, err := wire.ParseObject(raw)
		if err != nil {
			continue
		}
		switch method {
		case wire.MethodToolsList:
			name := o.Text("name")
			shown := toolName(server, name)
			if names == nil {
				names = map[string]target{}
			}
			names[shown] = target{server: server, name: name, many: true}
			out = append(out, o.With(wire.Change{Name: "name", Value: wire.Quote(shown)}))
		case wire.MethodPromptsList:
			out = append(out, o.With(wire.Change{Name: "name", Value: wire.Quote(promptName(server, o.Text("name")))}))
		case wire.MethodResourcesList:
			out = append(out, withOurURI(server, o, "uri"))
		case wire.MethodTemplatesList:
			out = append(out, withOurURI(server, o, "uriTemplate"))
		}
	}
	return out, names
}

func withOurURI(server string, o *wire.Object, member string) []byte {
	uri, ok := wire.Text(o.Get(member))
	if !ok {
		return o.With()
	}
	return o.With(wire.Change{Name: member, Value: wire.Quote(resourceURI(server, uri))})
}

// renameInResult makes the resources and tasks that a result speaks of ones
// that the agent can ask us for.
func renameInResult(server, method string, result []byte) []byte {
	if !bytes.Contains(result, []byte(`"uri"`)) && !bytes.Contains(result, []byte(`"taskId"`)) {
		return result
	}
	o, err := wire.ParseObject(result)
	if err != nil {
		return result
	}
	var changes []wire.Change
	change := func(member string, f func(server string, raw []byte) []byte) {
		if raw := o.Get(member); raw != nil {
			if now := f(server, raw); now != nil {
				changes = append(changes, wire.Change{Name: member, Value: now})
			}
		}
	}
	switch method {
	case wire.MethodResourcesRead:
		change("contents", each(uriOf))
	case wire.MethodToolsCall, wire.MethodTasksResult:
		change("content", each(block))
	case wire.MethodPromptsGet:
		change("messages", each(message))
	}
	change("taskId", ourTask)
	change("task", task)
	change("tasks", each(task))
	if changes == nil {
		return result
	}
	return o.With(changes...)
}

// Each of the functions below returns the changed bytes, nil if there was
// nothing to change.

func each(f func(server string, raw []byte) []byte) func(string, []byte) []byte {
	return func(server string, raw []byte) []byte {
		list, err := wire.Elements(raw)
		if err != nil {
			return nil
		}
		changed := false
		for i, e := range list {
			if now := f(server, e); now != nil {
				list[i], changed = now, true
			}
		}
		if !changed {
			return nil
		}
		return append(append([]byte{'['}, bytes.Join(list, []byte{','})...), ']')
	}
}

func member(name string, f func(server string, raw []byte) []byte) func(string, []byte) []byte {
	return func(server string, raw []byte) []byte {
		o, err := wire.ParseObject(raw)
		if err != nil || o.Get(name) == nil {
			return nil
		}
		now := f(server, o.Get(name))
		if now == nil {
			return nil
		}
		return o.With(wire.Change{Name: name, Value: now})
	}
}

func ourURI(server string, raw []byte) []byte {
	uri, ok := wire.Text(raw)
	if !ok {
		return nil
	}
	return wire.Quote(resourceURI(server, uri))
}

func ourTask(server string, raw []byte) []byte {
	id, ok := wire.Text(raw)
	if !ok {
		return nil
	}
	return wire.Quote(server + taskMark + id)
}

var (
	uriOf   = member("uri", ourURI)
	task    = member("taskId", ourTask)
	message = func(server string, raw []byte) []byte {
		if now := member("content", block)(server, raw); now != nil {
			return now
		}
		return member("content", each(block))(server, raw)
	}
)

// block changes a content block: a link to a resource, or an embedded one.
func block(server string, raw []byte) []byte {
	o, err := wire.ParseObject(raw)
	if err != nil {
		return nil
	}
	switch o.Text("type") {
	case "resource_link":
		return uriOf(server, raw)
	case "resource":
		return member("resource", uriOf)(server, raw)
	}
	return nil
}

func appendCaching(out []byte, ttl time.Duration, private bool) []byte {
	scope := `"public"`
	if private {
		scope = `"private"`
	}
	out = append(out, `,"ttlMs":`...)
	out = strconv.AppendInt(out, ttl.Milliseconds(), 10)
	return append(append(out, `,"cacheScope":`...), scope...)
}
