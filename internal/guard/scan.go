package guard

import (
	"encoding/json"
	"strconv"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// Others tells whether a name is that of a tool of another server than the one
// whose definition is looked at. It may be nil.
type Others func(name string) bool

// Bounds of what one definition may make us do. Of a longer text the beginning and
// the end are looked at: what hides does so behind much else.
const (
	maxText  = 64 << 10
	maxTexts = 4000
	maxDepth = 64
)

// Scan looks at a definition. It is a matter of patterns and finds what is known;
// nothing it finds proves intent.
func Scan(t *catalog.Tool, others Others) []Finding {
	var f findings
	s := scanner{f: &f, others: others, own: t}
	s.text("name", t.Name())
	s.text("title", t.Title())
	s.text("description", t.Description())
	s.schema("inputSchema", t.InputSchema())
	s.schema("outputSchema", t.OutputSchema())
	s.tree("annotations", wire.Find(t.Raw(), "annotations"))
	return f.list
}

// A scanner goes through one definition.
type scanner struct {
	f      *findings
	others Others
	own    *catalog.Tool
	texts  int
}

// text looks at one text of the server's.
func (s *scanner) text(where, text string) {
	if text == "" || s.texts >= maxTexts {
		return
	}
	s.texts++
	if len(text) > maxText {
		half := maxText / 2
		text = text[:half] + " " + text[len(text)-half:]
	}
	s.invisible(where, text)
	folded := fold(text)
	s.instructions(where, text, folded)
	s.crossServer(where, text, folded)
}

// schema looks at all texts of a schema, and at what its parameters are.
func (s *scanner) schema(where string, raw json.RawMessage) {
	if raw == nil {
		return
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return // it is not shown to anybody either
	}
	s.walk(where, "", v, 0)
}

func (s *scanner) tree(where string, raw []byte) {
	var v any
	if raw != nil && json.Unmarshal(raw, &v) == nil {
		s.walk(where, "", v, 0)
	}
}

// walk goes down a value. under is the key that it stands under.
func (s *scanner) walk(where, under string, v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		s.text(where, v)
		s.value(where, under, v)
	case []any:
		for i, one := range v {
			s.walk(where+"["+strconv.Itoa(i)+"]", under, one, depth+1)
		}
	case map[string]any:
		for key, one := range v {
			at := where + "." + Visible(key, 60)
			if under == "properties" {
				s.parameter(at, key, one)
			}
			s.invisible(at, key)
			s.walk(at, key, one, depth+1)
		}
	}
}
