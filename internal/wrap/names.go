package wrap

import (
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
)

// The browser speaks of tools by their ids, server.tool. Here there is one server,
// and its tools are called by their own names.

// name is a tool's own name for its id; what is no id stays as it is.
func (v *view) name(id string) string {
	if t := v.snapshot.Tool(catalog.ToolID(id)); t != nil {
		return t.Name()
	}
	return id
}

// id is the browser's name for a tool; what is no tool stays as it is.
func (v *view) id(name string) string {
	if t := v.snapshot.Find(v.server.Name(), name); t != nil {
		return string(t.ID())
	}
	return name
}

// rename puts names in place of ids into an answer.
func (v *view) rename(a *disclose.Answer) {
	for i, id := range a.Names {
		a.Names[i] = v.name(id)
	}
	for i := range a.Tools {
		e := &a.Tools[i]
		id := e.Name
		e.Name = v.name(id)
		if _, parameters, ok := strings.Cut(e.Signature, "("); ok {
			e.Signature = disclose.Line(e.Name) + "(" + parameters
		}
		e.Omitted = strings.ReplaceAll(e.Omitted, id, e.Name)
	}
}

// renameAll puts names in place of ids where others are named.
func (v *view) renameAll(ids []string) {
	for i, id := range ids {
		head, rest, spaced := strings.Cut(id, " ")
		if ids[i] = v.name(head); spaced {
			ids[i] += " " + rest
		}
	}
}
