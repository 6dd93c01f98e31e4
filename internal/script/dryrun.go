package script

import (
	"cmp"
	"context"
	"slices"
)

// A Plan is what a script may do, read from its text: it was not run.
type Plan struct {
	ReadOnly []PlannedTool `json:"read_only"`
	Writing  []PlannedTool `json:"writing"`
	Unknown  []PlannedTool `json:"unknown"` // the server does not say what they change
	Missing  []PlannedTool `json:"missing"` // there are no such tools
	// Doubts are places where what is called is only known when the script runs.
	Doubts []Doubt `json:"doubts"`
}

// A PlannedTool is a tool that a script names.
type PlannedTool struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Lines  []int  `json:"lines"`
}

// A Doubt is a place where the text does not tell what is called.
type Doubt struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Clean tells whether the plan is all that the script can do, and changes nothing.
func (p *Plan) Clean() bool {
	return len(p.Writing) == 0 && len(p.Unknown) == 0 && len(p.Missing) == 0 && len(p.Doubts) == 0
}

// DryRun reads from a script which tools it may call. It errs to the side of more: a
// tool that is named counts, and where a server is used in any way but to name a
// tool of it or to give it a local name, there is a doubt. The error of a script that does not compile is that
// of Run.
func (e *Engine) DryRun(ctx context.Context, r *Request, host Host) (*Plan, error) {
	limits := r.Limits.withDefaults()
	if len(r.Source) > limits.Source {
		return nil, tooLong(len(r.Source), limits.Source)
	}
	m, err := e.enter(ctx, r.Caller, &limits, host)
	if err != nil {
		return nil, err
	}
	defer m.leave()
	status, failed := m.execute("check", []byte(r.Source))
	if err := m.outcome(r.Source, status, failed); err != nil {
		return nil, err
	}
	return plan(r.Source, host), nil
}

func (p *planner) plan() *Plan {
	out := &Plan{ReadOnly: []PlannedTool{}, Writing: []PlannedTool{}, Unknown: []PlannedTool{}, Missing: []PlannedTool{}, Doubts: []Doubt{}}
	out.Doubts = append(out.Doubts, p.doubts...)
	for key, lines := range p.tools {
		list := &out.Missing
		if t := p.host.Tool(key.server, key.name); t != nil {
			list = map[Access]*[]PlannedTool{ReadOnly: &out.ReadOnly, Writing: &out.Writing, UnknownAccess: &out.Unknown}[t.Access]
		}
		*list = append(*list, PlannedTool{key.server, key.name, lines})
	}
	for _, list := range []*[]PlannedTool{&out.ReadOnly, &out.Writing, &out.Unknown, &out.Missing} {
		slices.SortFunc(*list, func(a, b PlannedTool) int {
			return cmp.Or(cmp.Compare(a.Lines[0], b.Lines[0]), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
		})
	}
	return out
}
