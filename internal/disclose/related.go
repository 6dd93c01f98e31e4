package disclose

import (
	"fmt"

	"toolcrib/internal/catalog"
)

// Related answers with tools that have to do with one.
func (b *Browser) Related(server, tool string, most int) (*Answer, *Problem) {
	t, problem := b.Tool(server, tool)
	if problem != nil {
		return nil, problem
	}
	s := b.o.Snapshot()
	relations := b.relations(s, t, most)
	a := &Answer{
		Tools: make([]Entry, len(relations)), Metadata: Metadata{TotalCount: s.Len(), FilteredCount: len(relations), Shown: len(relations), DetailLevel: Brief},
		Next: `tool_details {"tools":["server.tool","server.tool"]} for several at once.`,
	}
	for i, r := range relations {
		a.Tools[i] = briefEntry(r.Tool, ample)
		a.Tools[i].Relationship = r.why
	}
	if len(relations) == 0 {
		a.Next = fmt.Sprintf(`Nothing is related to %s; list_server_tools {"server":"%s"} lists its server's tools.`, t.ID(), t.Server().LuaName())
	}
	return a, nil
}

// A relation is a related tool and why it is.
type relation struct {
	*catalog.Tool
	why string
}

// relations are what servers state, what the catalog shows, and then what reads alike.
func (b *Browser) relations(s *catalog.Snapshot, t *catalog.Tool, most int) []relation {
	if most <= 0 {
		most = catalog.DefaultRelated
	}
	most = min(most, catalog.MaxRelated)
	var out []relation
	seen := map[*catalog.Tool]bool{t: true}
	for _, r := range s.Related(t, most) {
		seen[r.Tool] = true
		out = append(out, relation{r.Tool, Cut(Line(r.String()), maxTitle)})
	}
	return out
}
