package index

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"toolcrib/internal/catalog"
)

// named are the tools whose name is text, or server and name together, however
// they are written; and those whose name begins with it, if it may be the
// beginning of one.
func (x *Index) named(text string) (exact, prefixed []uint32) {
	k := key(text)
	if k == "" || len(strings.Fields(text)) > maxNameWords {
		return nil, nil
	}
	const shortest = 3
	begins := len(k) >= shortest && !strings.ContainsAny(text, " \t\r\n")
	for i := range x.parts {
		p := &x.parts[i]
		e, b := p.named(k, begins)
		exact, prefixed = appendNew(exact, p.start, e), appendNew(prefixed, p.start, b)
		for _, server := range p.called {
			if rest, ok := strings.CutPrefix(k, server); ok && rest != "" {
				e, _ := p.named(rest, false)
				exact = appendNew(exact, p.start, e)
			}
		}
	}
	return exact, slices.DeleteFunc(prefixed, func(t uint32) bool { return slices.Contains(exact, t) })
}

func appendNew(to []uint32, start uint32, names []name) []uint32 {
	for _, n := range names {
		if tool := start + n.tool; !slices.Contains(to[max(0, len(to)-4):], tool) {
			to = append(to, tool)
		}
	}
	return to
}

// named are the names that are k, and those that begin with it if begins.
func (p *part) named(k string, begins bool) (exact, prefixed []name) {
	from := sort.Search(len(p.names), func(i int) bool { return p.names[i].key >= k })
	to := from
	for to < len(p.names) && p.names[to].key == k {
		to++
	}
	exact = p.names[from:to]
	from = to
	for begins && to < len(p.names) && strings.HasPrefix(p.names[to].key, k) {
		to++
	}
	return exact, p.names[from:to]
}

// Nearest are at most n tools whose names are like the given one, the nearest
// first: for somebody who mistyped it. It may be an id; then tools of a server
// of such a name come first.
func (x *Index) Nearest(text string, n int) []*catalog.Tool {
	server, tool, both := strings.Cut(text, ".")
	if !both {
		server, tool = "", text
	}
	server, tool = key(server), key(tool)
	type candidate struct {
		tool     uint32
		distance int
	}
	var best []candidate
	for i := range x.parts {
		p := &x.parts[i]
		far := 0
		if both {
			far = min(distance(server, p.called[0], len(server)), distance(server, p.called[1], len(server)))
		}
		seen := len(best)
		for _, name := range p.names {
			most := max(2, len(tool)/2)
			d := distance(tool, name.key, most)
			if strings.Contains(name.key, tool) && len(tool) > 2 || strings.Contains(tool, name.key) && len(name.key) > 2 {
				d = min(d, 2)
			}
			if d > most {
				continue
			}
			c := candidate{p.start + name.tool, d*2 + far}
			if at := slices.IndexFunc(best[seen:], func(o candidate) bool { return o.tool == c.tool }); at >= 0 {
				best[seen+at].distance = min(best[seen+at].distance, c.distance)
				continue
			}
			best = append(best, c)
		}
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var tools []*catalog.Tool
	for _, c := range best[:min(n, len(best))] {
		tools = append(tools, x.tool(c.tool))
	}
	return tools
}

// distance is how many letters have to be added, dropped, replaced or swapped
// to make b of a; most+1 if it is more than most.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var space [3][64]int
	rows := [3][]int{space[0][:], space[1][:], space[2][:]}
	if len(b) >= len(space[0]) {
		for i := range rows {
			rows[i] = make([]int, len(b)+1)
		}
	}
	for j := range len(b) + 1 {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		rows = [3][]int{last, row, before}
	}
	return min(rows[1][len(b)], most+1)
}
