package mcptest

import (
	"context"
	"fmt"
	"strconv"
)

// pages is good, but its tool list is long and comes in pages. Arguments: tools=
// how many (250), size= of a page (100), and what is wrong with the paging:
//
//	fault=loop      the last page points back to the first
//	fault=forever   every page points to a new one that is empty
//	fault=repeat    every page repeats the last tool of the one before
//	fault=empty     the second page's cursor is the empty string, which is valid
//	fault=expired   the second cursor is refused
type pages struct {
	*good
	tools, size int
	wrong       string
}

func pageArgs() []string { return []string{"tools", "size", "fault"} }

func newPages(g *good, a args) *pages {
	return &pages{good: g, tools: a.num("tools", 250), size: max(a.num("size", 100), 1), wrong: a.text("fault", "")}
}

func runPages(ctx context.Context, s *streams) error {
	u := rules{eras: Dual}
	return s.converse(ctx, newPages(newGood(&u), s.args), u, hooks{})
}

// PageTool is the name of the i-th tool of the behaviour pages.
func PageTool(i int) string { return fmt.Sprintf("tool_%05d", i) }

func (p *pages) serve(ctx context.Context, r *request) (any, *rpcError) {
	if r.method != "tools/list" {
		return p.good.serve(ctx, r)
	}
	_, _ = p.good.serve(ctx, r) // for its counters
	from := 0
	if r.params["cursor"] != nil {
		cursor := r.text("cursor")
		switch n, err := strconv.Atoi(cursor); {
		case p.wrong == "expired":
			return nil, rpcErrorf(-32602, "cursor %q has expired", cursor)
		case cursor == "" && p.wrong == "empty":
			from = p.size
		case err != nil || n < 0:
			return nil, rpcErrorf(-32602, "no cursor %q", cursor)
		default:
			from = n
		}
	}
	result := p.cacheable(r, object{"tools": p.page(from)})
	if next := from + p.size; next < p.tools || p.wrong == "forever" {
		result["nextCursor"] = strconv.Itoa(next)
		if p.wrong == "empty" && from == 0 {
			result["nextCursor"] = ""
		}
	} else if p.wrong == "loop" {
		result["nextCursor"] = "0"
	}
	if r.modern {
		complete(result)
	}
	return result, nil
}

func (p *pages) page(from int) []object {
	first := from
	if p.wrong == "repeat" && from > 0 {
		first--
	}
	list := []object{}
	for i := first; i < min(from+p.size, p.tools); i++ {
		t := tool{name: PageTool(i), about: fmt.Sprintf("Tool number %d", i)}
		list = append(list, t.definition())
	}
	return list
}
