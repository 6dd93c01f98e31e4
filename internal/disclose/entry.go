package disclose

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// A Level is how much is told of each tool.
type Level string

// The levels.
const (
	Minimal Level = "minimal" // names
	Brief   Level = "brief"   // a line and a signature
	Full    Level = "full"    // the schema
)

// An Entry is one tool in a list.
type Entry struct {
	Name         string          `json:"name"` // its id: server.tool
	Signature    string          `json:"signature,omitempty"`
	Description  string          `json:"description,omitempty"`
	Category     string          `json:"category,omitempty"`
	Tags         []string        `json:"tags,omitempty"`
	Relevance    int             `json:"relevance,omitempty"` // 1 to 100
	Matched      string          `json:"matched,omitempty"`   // what spoke for it
	Relationship string          `json:"relationship,omitempty"`
	Provenance   string          `json:"provenance,omitempty"` // only where it was not listed by its server
	State        string          `json:"state,omitempty"`      // only where it cannot be called now
	Annotations  json.RawMessage `json:"annotations,omitempty"`
	Schema       json.RawMessage `json:"schema,omitempty"`
	Output       json.RawMessage `json:"output_schema,omitempty"`
	Omitted      string          `json:"omitted,omitempty"` // what was left out for its size
}

// A room is what one entry may take of an answer.
type room struct {
	signature   int // tokens
	description int
	signals     int // of a search: how many are told
}

// ample is for lists, where the reader has asked for that many.
var ample = room{signature: 60, description: 36}

const (
	// maxSchema is the most characters of a schema in a list. Longer ones are
	// shown by tool_details.
	maxSchema = 8000
	// fullBudget is how many characters of schemas one list holds in all.
	fullBudget = 30000
)

// briefEntry is a tool in a line.
func briefEntry(t *catalog.Tool, r room) Entry {
	e := Entry{
		Name:        string(t.ID()),
		Signature:   signature(t, r.signature),
		Description: brief(described(t), r.description),
		Category:    Line(t.Category()),
		State:       unavailable(t),
	}
	if !t.Callable() {
		e.Provenance = string(t.Provenance())
	}
	return e
}

// ToolEntry is a tool in a line.
func ToolEntry(t *catalog.Tool) Entry { return briefEntry(t, ample) }

// ScriptEntry is a stored script in a line.
func ScriptEntry(name, description string, schema json.RawMessage) Entry {
	return Entry{Name: name, Signature: signatureOf(name, schema, ample.signature), Description: brief(description, ample.description)}
}

// described is the best text that there is.
func described(t *catalog.Tool) string {
	if strings.TrimSpace(t.Description()) == "" {
		return t.Title()
	}
	return t.Description()
}

// unavailable says why a tool cannot be called now, "" if it can.
func unavailable(t *catalog.Tool) string {
	s := t.State()
	if s.Available {
		return ""
	}
	return fmt.Sprintf("unavailable since %s: %s", stamp(s.Since), Cut(Line(s.Reason), maxReason))
}

// maxReason bounds what is told of why a server failed.
const maxReason = 160

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04Z") }

// fullEntry is a tool with its schema, as long as left has room for it.
func fullEntry(t *catalog.Tool, left *int) Entry {
	e := briefEntry(t, ample)
	e.Tags = cleanTags(t.Tags())
	e.Annotations = annotations(t)
	schema, output := cleanJSON(t.InputSchema()), cleanJSON(t.OutputSchema())
	if size := len(schema) + len(output); len(schema) <= maxSchema && size <= *left {
		*left -= size
		e.Signature, e.Schema, e.Output = "", schema, output
		e.Description = Cut(Clean(strings.TrimSpace(described(t))), 1000)
		return e
	}
	e.Omitted = fmt.Sprintf(`schema of %d characters: tool_details {"tools":"%s"}`, len(schema)+len(output), t.ID())
	return e
}

// annotations are what the server says of what a tool does, nil if nothing.
func annotations(t *catalog.Tool) json.RawMessage {
	return cleanJSON(wire.Find(t.Raw(), "annotations"))
}

func cleanTags(tags []string) []string {
	out := make([]string, len(tags))
	for i, tag := range tags {
		out[i] = Line(tag)
	}
	return out
}

// fill puts tools into an answer at a level.
func (a *Answer) fill(tools []*catalog.Tool, level Level) {
	a.Metadata.DetailLevel, a.Metadata.Shown = level, len(tools)
	left := fullBudget
	if level == Minimal {
		a.Names = make([]string, len(tools))
		for i, t := range tools {
			a.Names[i] = string(t.ID())
		}
		return
	}
	a.Tools = make([]Entry, len(tools))
	for i, t := range tools {
		if level == Full {
			a.Tools[i] = fullEntry(t, &left)
		} else {
			a.Tools[i] = briefEntry(t, ample)
		}
	}
}
