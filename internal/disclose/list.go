package disclose

import (
	"fmt"
	"slices"

	"toolcrib/internal/catalog"
)

// A Filter is which tools are asked for, and how much of each.
type Filter struct {
	Server   string
	Category string
	Tags     []string
	MatchAll bool  // all tags, not any
	Level    Level // "" is Minimal
	Page     int   // from 1; 0 is 1
	PageSize int   // 0 is DefaultPageSize
}

// DefaultPageSize and MaxPageSize are how many tools a page holds.
const (
	DefaultPageSize = 50
	MaxPageSize     = 100
)

// List answers with a page of the tools that pass a filter, in the order of
// their ids.
func (b *Browser) List(f Filter) (*Answer, *Problem) {
	s := b.o.Snapshot()
	tools, problem := b.choose(s, f)
	if problem != nil {
		return nil, problem
	}
	if f.Level == "" {
		f.Level = Minimal
	}
	p, problem := paginate(len(tools), f.Page, f.PageSize)
	if problem != nil {
		return nil, problem
	}
	a := &Answer{Pagination: p, Metadata: Metadata{TotalCount: s.Len(), FilteredCount: len(tools)}}
	from := (p.Page - 1) * p.PageSize
	a.fill(tools[from:min(from+p.PageSize, len(tools))], f.Level)
	switch {
	case s.Len() == 0:
		a.Next = "No server has listed tools yet. " + b.noTools(s)
	case len(tools) == 0:
		a.Metadata.Categories = categoryNames(s)
		a.Next = b.Advise("list_servers", "Nothing fits: list_categories and list_servers show what there is.", "Nothing fits: list_categories shows what there is.")
	case p.HasNext:
		a.Next = fmt.Sprintf(`The same with "page":%d; or search_tools {"query":"..."}, which is shorter.`, p.Page+1)
	default:
		a.Next = `tool_details {"tools":"server.tool"} for one of them, then call_tool.`
	}
	return a, nil
}

// choose are the tools that pass a filter.
func (b *Browser) choose(s *catalog.Snapshot, f Filter) ([]*catalog.Tool, *Problem) {
	tools := s.Tools()
	if f.Server != "" {
		at, problem := b.server(s, f.Server)
		if problem != nil {
			return nil, problem
		}
		tools = at.Tools()
	}
	if f.Category != "" {
		in := s.InCategory(f.Category)
		if len(in) == 0 {
			return nil, b.noCategory(s, f.Category)
		}
		tools = both(tools, in)
	}
	if len(f.Tags) == 0 {
		return tools, nil
	}
	tagged := map[*catalog.Tool]int{}
	for _, tag := range f.Tags {
		for _, t := range s.Tagged(tag) {
			tagged[t]++
		}
	}
	need := 1
	if f.MatchAll {
		need = len(f.Tags)
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t *catalog.Tool) bool { return tagged[t] < need }), nil
}

// both are the tools of a that are in b too.
func both(a, b []*catalog.Tool) []*catalog.Tool {
	in := make(map[*catalog.Tool]bool, len(b))
	for _, t := range b {
		in[t] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(t *catalog.Tool) bool { return !in[t] })
}

func categoryNames(s *catalog.Snapshot) []string {
	var names []string
	for _, c := range s.Categories() {
		names = append(names, Line(c.Name))
	}
	return names
}

func paginate(total, page, size int) (*Pagination, *Problem) {
	if size <= 0 {
		size = DefaultPageSize
	}
	size = min(size, MaxPageSize)
	pages := max(1, (total+size-1)/size)
	if page <= 0 {
		page = 1
	}
	if page > pages {
		return nil, &Problem{
			Message: fmt.Sprintf("there is no page %d: %d tools make %d pages of %d", page, total, pages, size),
			Next:    fmt.Sprintf(`Use "page" from 1 to %d.`, pages),
		}
	}
	return &Pagination{Page: page, PageSize: size, TotalTools: total, TotalPages: pages, HasNext: page < pages, HasPrev: page > 1}, nil
}

// ServerTools answers with the tools of one server.
func (b *Browser) ServerTools(server string, page, size int) (*Answer, *Problem) {
	if _, problem := b.server(b.o.Snapshot(), server); problem != nil {
		return nil, problem
	}
	return b.List(Filter{Server: server, Level: Brief, Page: page, PageSize: size})
}

// Tagged answers with the tools that have tags.
func (b *Browser) Tagged(tags []string, all bool, level Level, page, size int) (*Answer, *Problem) {
	s := b.o.Snapshot()
	if len(tags) == 0 {
		return nil, &Problem{Message: "no tags are named", Nearest: commonTags(s, shownNames), Next: `Say which: {"tags":["..."],"match_mode":"any"}.`}
	}
	if level == "" || level == Minimal {
		level = Brief
	}
	a, problem := b.List(Filter{Tags: tags, MatchAll: all, Level: level, Page: page, PageSize: size})
	if problem != nil {
		return nil, problem
	}
	for i, t := range a.Tools {
		if tool := s.Tool(catalog.ToolID(t.Name)); tool != nil {
			a.Tools[i].Tags = cleanTags(tool.Tags())
		}
	}
	if a.Metadata.FilteredCount == 0 && s.Len() > 0 {
		a.Metadata.Categories = nil
		a.Metadata.Suggestions = commonTags(s, 2*shownNames)
		a.Next = `No tool has these tags; "suggestions" are the commonest. search_tools finds tools by what they do.`
	}
	return a, nil
}

func commonTags(s *catalog.Snapshot, most int) []string {
	tags := s.Tags()
	var names []string
	for _, tag := range tags[:min(len(tags), most)] {
		names = append(names, Line(tag.Name))
	}
	return names
}
