package wrap

import (
	"context"
	"fmt"

	"toolcrib/internal/disclose"
)

// The discovery tools that find tools. What comes next is said here, for the
// browser says it in the words of the gateway.

var searchTools = &discoveryTool{
	name:        "search_tools",
	description: "Find tools of this server by what they do, best first, with signatures. query: plain words or a tool's name.",
	takes:       []string{"query", "category", "detail_level", "max_results"}, requires: 1,
	output: "tools",
	do: func(ctx context.Context, v *view, in *inputs) (any, *disclose.Problem) {
		a, problem := v.browser.Search(ctx, disclose.Search{Query: in.query, Category: in.category, Level: in.level, Most: in.maxResults})
		if problem != nil {
			return nil, problem
		}
		switch a.Metadata.Verdict {
		case "found", "near":
			a.Next = "Call one of them by its name"
			if len(a.Tools) > 0 {
				a.Next += fmt.Sprintf(`; tool_details {"tools":"%s"} shows its parameters`, v.name(a.Tools[0].Name))
			}
			if a.Metadata.Verdict == "near" {
				a.Next += "; if none does it, search in other words"
			}
			a.Next += "."
		case "withheld":
			a.Next = "Search without the filter."
		default:
			a.Next = "Stop looking: tell the user, or do without. list_categories shows what there is."
		}
		return v.tell(a, in), nil
	},
}

var listTools = &discoveryTool{
	name:        "list_tools",
	description: "List the tools of this server by page: minimal (names), brief or full (schemas).",
	takes:       []string{"detail_level", "category", "tags", "page", "page_size"},
	output:      "tools",
	do: func(_ context.Context, v *view, in *inputs) (any, *disclose.Problem) {
		a, problem := v.browser.List(disclose.Filter{Category: in.category, Tags: in.tags, Level: in.level, Page: in.page, PageSize: in.size})
		if problem != nil {
			return nil, problem
		}
		return v.tell(onwards(a), in), nil
	},
}

var findByTags = &discoveryTool{
	name:        "find_by_tags",
	description: "List the tools of this server that have any or all of some tags.",
	takes:       []string{"tags", "match_mode", "detail_level", "page", "page_size"}, requires: 1,
	output: "tools",
	do: func(_ context.Context, v *view, in *inputs) (any, *disclose.Problem) {
		a, problem := v.browser.Tagged(in.tags, in.matchAll, in.level, in.page, in.size)
		if problem != nil {
			return nil, problem
		}
		if a.Metadata.FilteredCount > 0 {
			onwards(a)
		}
		return v.tell(a, in), nil
	},
}

// onwards says what comes after a page of a list.
func onwards(a *disclose.Answer) *disclose.Answer {
	switch {
	case a.Metadata.FilteredCount == 0:
		a.Next = "Nothing fits: list_categories shows what there is."
	case a.Pagination.HasNext:
		a.Next = fmt.Sprintf(`The same with "page":%d; or search_tools {"query":"..."}, which is shorter.`, a.Pagination.Page+1)
	default:
		a.Next = `tool_details {"tools":"..."} for one of them; each is called by its name.`
	}
	return a
}

// tell makes an answer one about this server.
func (v *view) tell(a *disclose.Answer, in *inputs) *disclose.Answer {
	v.rename(a)
	a.Metadata.Ignored = in.ignored
	return a
}
