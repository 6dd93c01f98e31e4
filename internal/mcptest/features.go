package mcptest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// Prompts, resources, templates and completion of the good server.

const (
	textURI   = "test://text"
	blobURI   = "test://blob"
	askURI    = "test://asking"
	extraURI  = "test://extra"
	itemStart = "test://item/"
)

func (g *good) has(what string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.extra[what]
}

func (g *good) promptList() []object {
	list := []object{
		{"name": "greet", "title": "Greeting", "description": "Greets someone", "arguments": []any{
			object{"name": "who", "description": "Whom to greet", "required": true},
			object{"name": "tone", "description": "How"},
		}},
		{"name": "asking", "description": "Asks for a name first"},
	}
	if g.has("prompts") {
		list = append(list, object{"name": "extra", "description": "Was not here before"})
	}
	return list
}

func (g *good) getPrompt(ctx context.Context, r *request) (any, *rpcError) {
	var arguments map[string]string
	if raw := r.params["arguments"]; raw != nil {
		if err := json.Unmarshal(raw, &arguments); err != nil {
			return nil, rpcErrorf(-32602, "arguments: %v", err)
		}
	}
	message := func(text string) object {
		return object{"description": "A prompt", "messages": []any{
			object{"role": "user", "content": object{"type": "text", "text": text}},
		}}
	}
	switch name := r.text("name"); {
	case name == "greet" && arguments["who"] == "":
		return nil, rpcErrorf(-32602, "prompt greet needs the argument who")
	case name == "greet":
		return message("Greet " + arguments["who"] + " " + arguments["tone"]), nil
	case name == "asking":
		reply, question, fault := r.need(ctx, "name", "elicitation", "elicitation/create", askName("For whom?"))
		if fault != nil || question != nil {
			return question, fault
		}
		return message("The user said " + string(reply)), nil
	case name == "extra" && g.has("prompts"):
		return message("extra"), nil
	default:
		return nil, rpcErrorf(-32602, "unknown prompt %q", name)
	}
}

func (g *good) resourceList() []object {
	list := []object{
		{"uri": textURI, "name": "text", "title": "A text", "mimeType": "text/plain"},
		{"uri": blobURI, "name": "blob", "mimeType": "application/octet-stream"},
		{"uri": askURI, "name": "asking", "mimeType": "text/plain"},
	}
	if g.has("resources") {
		list = append(list, object{"uri": extraURI, "name": "extra"})
	}
	return list
}

func templateList() []object {
	return []object{{"uriTemplate": itemStart + "{id}", "name": "item", "description": "An item by its id", "mimeType": "text/plain"}}
}

func (g *good) readResource(ctx context.Context, r *request) (any, *rpcError) {
	uri := r.text("uri")
	text := func(s string) (any, *rpcError) {
		return g.cacheable(r, object{"contents": []any{object{"uri": uri, "mimeType": "text/plain", "text": s}}}), nil
	}
	switch {
	case uri == textURI:
		return text("the text")
	case uri == blobURI:
		return g.cacheable(r, object{"contents": []any{object{"uri": uri, "mimeType": "application/octet-stream", "blob": "AAEC/w=="}}}), nil
	case uri == askURI:
		reply, question, fault := r.need(ctx, "name", "elicitation", "elicitation/create", askName("Who reads?"))
		if fault != nil || question != nil {
			return question, fault
		}
		return text("read by " + string(reply))
	case uri == extraURI && g.has("resources"):
		return text("extra")
	case strings.HasPrefix(uri, itemStart) && len(uri) > len(itemStart):
		return text("item " + uri[len(itemStart):])
	}
	e := rpcErrorf(-32002, "no resource %s", uri)
	if r.modern {
		e.Code = -32602
	}
	e.Data = object{"uri": uri}
	return nil, e
}

// completion completes the names of the greeted and the ids of items.
func completion(r *request) (any, *rpcError) {
	var p struct {
		Ref      struct{ Type, Name, URI string }
		Argument struct{ Name, Value string }
	}
	if err := json.Unmarshal(encode(r.params), &p); err != nil {
		return nil, rpcErrorf(-32602, "completion: %v", err)
	}
	var all []string
	switch {
	case p.Ref.Type == "ref/prompt" && p.Ref.Name == "greet" && p.Argument.Name == "who":
		all = []string{"Ada", "Alan", "Barbara"}
	case p.Ref.Type == "ref/resource" && p.Ref.URI == itemStart+"{id}" && p.Argument.Name == "id":
		all = []string{"1", "10", "2"}
	case p.Ref.Type == "ref/prompt" || p.Ref.Type == "ref/resource":
		all = []string{}
	default:
		return nil, rpcErrorf(-32602, "cannot complete %q", p.Ref.Type)
	}
	values := slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, p.Argument.Value) })
	return object{"completion": object{"values": values, "total": len(values), "hasMore": false}}, nil
}
