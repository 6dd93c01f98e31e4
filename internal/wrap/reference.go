package wrap

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
)

// maxReference is how many characters the full reference has at most. What
// there is no room for is counted.
const maxReference = 40_000

// head and foot are what stands around a reference: an agent is to see what is
// the server's result and what is not.
func (v *view) head() string {
	whose := "this server"
	if name := v.server.Name(); name != unnamed {
		whose = disclose.Cut(disclose.Line(name), 60)
	}
	return fmt.Sprintf("[reference of the tools of %s, sent once. The result of this call follows it.]\n", whose) +
		fmt.Sprintf("%s in %s:\n", count(v.snapshot.Len(), "tool"), count(len(v.snapshot.Categories()), "category"))
}

func foot(discovery bool) string {
	how := "each tool is called by its name; the list of tools has their parameters."
	if discovery {
		how = "each tool is called by its name. search_tools finds one by what it does, tool_details shows its parameters."
	}
	return "How to go on: " + how + "\n[end of reference]"
}

// briefReference is the categories and the names of their tools, in as many
// tokens as the gateway's takes: all names, or some of each category, or the
// largest categories.
func (v *view) briefReference(discovery bool) string {
	if v.snapshot.Len() == 0 {
		return ""
	}
	head, foot := v.head(), foot(discovery)
	room := disclose.ReferenceTokens - disclose.Tokens(head) - disclose.Tokens(foot)
	categories := v.categories()
	for _, names := range [...]int{v.snapshot.Len(), 12, 6, 3, 1, 0} {
		var lines strings.Builder
		for _, c := range categories {
			lines.WriteString(v.line(c, names))
		}
		if disclose.Tokens(lines.String()) <= room {
			return head + lines.String() + foot
		}
	}
	for shown := len(categories) - 1; ; shown-- {
		var lines strings.Builder
		for _, c := range categories[:shown] {
			lines.WriteString(v.line(c, 0))
		}
		fmt.Fprintf(&lines, "- and %s\n", count(len(categories)-shown, "category"))
		if shown == 0 || disclose.Tokens(lines.String()) <= room {
			return head + lines.String() + foot
		}
	}
}

// line is a category with so many of its tools.
func (v *view) line(c disclose.Category, names int) string {
	tools := v.snapshot.InCategory(c.Name)
	var shown []string
	for _, t := range tools[:min(len(tools), names)] {
		shown = append(shown, disclose.Cut(disclose.Line(t.Name()), 80))
	}
	line := fmt.Sprintf("- %s (%d)", disclose.Cut(disclose.Line(c.Name), 24), c.Count)
	if len(shown) > 0 {
		line += ": " + strings.Join(shown, ", ")
		if left := c.Count - len(shown); left > 0 {
			line += fmt.Sprintf(", +%d", left)
		}
	}
	return line + "\n"
}

// fullReference is every tool, with how it is called and what it does.
func (v *view) fullReference(discovery bool) string {
	if v.snapshot.Len() == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(v.head())
	left := v.snapshot.Len()
	category := ""
	for e := range v.entries() {
		line := fmt.Sprintf("- %s: %s\n", e.Signature, e.Description)
		if e.Category != category {
			category = e.Category
			line = fmt.Sprintf("\n## %s (%d)\n", category, len(v.snapshot.InCategory(category))) + line
		}
		if b.Len()+len(line) > maxReference {
			break
		}
		b.WriteString(line)
		left--
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s more: the list of tools has them all.\n", count(left, "tool"))
	}
	b.WriteString("\n" + foot(discovery))
	return b.String()
}

// entries are all tools in a line each, by category.
func (v *view) entries() iter.Seq[disclose.Entry] {
	return func(yield func(disclose.Entry) bool) {
		for _, c := range v.categories() {
			for page := 1; ; page++ {
				a, problem := v.browser.List(disclose.Filter{Category: c.Name, Level: disclose.Brief, Page: page, PageSize: disclose.MaxPageSize})
				if problem != nil {
					break // a category and a page that are there are no problem
				}
				v.rename(a)
				for _, e := range a.Tools {
					if !yield(e) {
						return
					}
				}
				if !a.Pagination.HasNext {
					break
				}
			}
		}
	}
}

// categories are the largest first, and what fits none last.
func (v *view) categories() []disclose.Category {
	all := v.snapshot.Categories()
	slices.SortStableFunc(all, func(a, b disclose.Category) int {
		if x, y := a.Name == catalog.General, b.Name == catalog.General; x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.Count, a.Count)
	})
	return all
}

func count(n int, thing string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(thing, "y"):
		thing = strings.TrimSuffix(thing, "y") + "ies"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
