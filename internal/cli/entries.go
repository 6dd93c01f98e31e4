package cli

import (
	"strings"

	"toolcrib/internal/disclose"
)

// called is how a tool of a list is called: server.tool(parameters).
func called(e disclose.Entry) string {
	server, _, ok := strings.Cut(e.Name, ".")
	if !ok || e.Signature == "" {
		return e.Name
	}
	return server + "." + e.Signature
}

// writeEntry writes a tool of a list on two lines: how it is called, behind lead,
// and what it does. The first is never cut.
func writeEntry(b *strings.Builder, e disclose.Entry, lead string, width int) {
	if width == 0 {
		width = longestLine
	}
	b.WriteString(lead + clean(called(e)) + "\n")
	var about []string
	for _, part := range []string{e.Relationship, marked(e), clean(e.Description)} {
		if part != "" {
			about = append(about, part)
		}
	}
	if len(about) > 0 {
		b.WriteString(cut(strings.Repeat(" ", max(len(lead), 2))+strings.Join(about, ": "), width) + "\n")
	}
}

// marked tells what keeps a tool of a list from being called.
func marked(e disclose.Entry) string {
	switch {
	case e.Provenance != "":
		return "[" + e.Provenance + ", cannot be called]"
	case e.State != "":
		return "[" + clean(e.State) + "]"
	}
	return ""
}

// entryJSON is a tool of a list.
type entryJSON struct {
	ID          string `json:"id"`
	Signature   string `json:"signature"`
	Description string `json:"description"`
	Category    string `json:"category"`
	Provenance  string `json:"provenance"`
	State       string `json:"state"`
}

func toEntryJSON(e disclose.Entry) entryJSON {
	out := entryJSON{ID: e.Name, Signature: called(e), Description: e.Description, Category: e.Category, Provenance: e.Provenance, State: e.State}
	if out.Provenance == "" {
		out.Provenance = "protocol"
	}
	if out.State == "" {
		out.State = available
	}
	return out
}

// available is the state of a tool that nothing keeps from being called.
const available = "available"
