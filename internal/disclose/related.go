package disclose

import (
	"fmt"
	"slices"

	"toolcrib/internal/catalog"
)

// Related answers with tools that have to do with one.
func (b *Browser) Related(server, tool string, most int) (*Answer, *Problem) {
	t, problem := b.Tool(server, tool)
	if problem != nil {
		return nil, problem
	}
	s := b.o.Snapshot()
	relations := b.relations(s, t, most, b.o.Index().Similar(t, catalog.MaxRelated))
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

// relations are what servers state, what is used together, what the catalog
// shows, and last of what reads alike that which nothing else relates.
func (b *Browser) relations(s *catalog.Snapshot, t *catalog.Tool, most int, similar []*catalog.Tool) []relation {
	if most <= 0 {
		most = catalog.DefaultRelated
	}
	most = min(most, catalog.MaxRelated)
	var out []relation
	seen := map[*catalog.Tool]bool{t: true}
	add := func(other *catalog.Tool, why string, most int) {
		if other != nil && !seen[other] && len(out) < most {
			seen[other] = true
			out = append(out, relation{other, why})
		}
	}
	known := s.Related(t, most)
	for _, r := range known {
		if r.Kind == catalog.Explicit {
			add(r.Tool, r.String(), most)
		}
	}
	for _, id := range b.o.Together(string(t.ID()), (most+1)/2) {
		add(s.Tool(catalog.ToolID(id)), "used together", most)
	}
	alike := outside(s, t, similar, known)
	for _, r := range known {
		add(r.Tool, Cut(Line(r.String()), maxTitle), most-min(len(alike), most/4))
	}
	for _, other := range alike {
		add(other, "similar", most)
	}
	return out
}

// outside are those of the tools that read like one that are related to it by
// nothing else.
func outside(s *catalog.Snapshot, t *catalog.Tool, similar []*catalog.Tool, known []catalog.Relation) []*catalog.Tool {
	var out []*catalog.Tool
	for _, other := range similar {
		here := s.Tool(other.ID()) // none that whoever asks is not to know
		related := slices.ContainsFunc(known, func(r catalog.Relation) bool { return r.Tool == here })
		if here != nil && !related && here.Category() != t.Category() {
			out = append(out, here)
		}
	}
	return out
}
