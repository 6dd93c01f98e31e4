package disclose

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"toolcrib/internal/catalog"
)

// SummaryTokens is what the summary takes at most, however many tools there are.
const SummaryTokens = 500

// opening is how the summary begins: how to use what is behind the counter.
const opening = "search_tools finds a tool by what it does, tool_details shows its parameters, call_tool calls it, execute runs a Lua script over several."

// Summary is what is behind the counter, in at most SummaryTokens: essential
// tools by name, then counts per server, then categories. It is the same, byte
// for byte, for the same snapshot.
func Summary(s *catalog.Snapshot, essential []string) string {
	if s.Len() == 0 {
		return "Toolcrib hands out the tools of MCP servers, one at a time; none has listed its tools yet. " + opening
	}
	top := fmt.Sprintf("Toolcrib hands out %s of %s, one at a time. %s\n", count(s.Len(), "tool"), count(len(s.Servers()), "server"), opening)
	bottom := categoryLine(s)
	room := SummaryTokens - Tokens(top) - Tokens(bottom)
	servers := bySize(s, essential)
	for _, names := range [...]int{5, 3, 1, 0} {
		lines := make([]string, len(servers))
		total := 0
		for i, at := range servers {
			lines[i] = at.line(names)
			if total += Tokens(lines[i]); total > room {
				break
			}
		}
		if total <= room {
			return top + strings.Join(lines, "") + bottom
		}
	}
	return top + largest(servers, room) + bottom
}

// categoryLine is the largest categories, as many as there is room for.
func categoryLine(s *catalog.Snapshot) string {
	const most, tokens = 14, 150
	for n := most; ; n-- {
		line := "Categories: " + strings.Join(categoryCounts(s, n), ", ") + "."
		if n == 1 || Tokens(line) <= tokens {
			return line
		}
	}
}

// largest is as many servers as there is room for, and a count of the others.
func largest(servers []sized, room int) string {
	var b strings.Builder
	const rest = "- %s more with %s\n"
	room -= Tokens(fmt.Sprintf(rest, count(1e6, "server"), count(1e9, "tool")))
	for i, at := range servers {
		line := at.line(0)
		if room -= Tokens(line); room < 0 {
			tools := 0
			for _, left := range servers[i:] {
				tools += left.Len()
			}
			fmt.Fprintf(&b, rest, count(len(servers)-i, "server"), count(tools, "tool"))
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// A sized server is one with its essential tools.
type sized struct {
	*catalog.Server
	essential []string // at most essentialShown names
	more      int      // essential ones beyond those
}

const essentialShown = 5

// line is a server in a summary, with so many names.
func (at sized) line(names int) string {
	var b strings.Builder
	b.WriteString("- " + Cut(at.LuaName(), 40))
	if at.Failure() != nil {
		b.WriteString(" (down)")
	}
	b.WriteString(": ")
	shown := at.essential[:min(len(at.essential), names)]
	others := at.Len() - len(shown)
	for i, name := range shown {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Cut(name, 48))
	}
	switch {
	case len(shown) == 0:
		b.WriteString(count(at.Len(), "tool"))
	case others > 0:
		b.WriteString(" and " + thousands(others) + " more")
	}
	return b.String() + "\n"
}

// bySize are the servers, those with essential tools first, then the larger.
func bySize(s *catalog.Snapshot, essential []string) []sized {
	var out []sized
	for _, at := range s.Servers() {
		one := sized{Server: at}
		for i := range at.Len() {
			if t := at.Tool(i); t.Callable() && isEssential(t, essential) {
				if len(one.essential) < essentialShown {
					one.essential = append(one.essential, t.LuaName())
				} else {
					one.more++
				}
			}
		}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b sized) int {
		if x, y := len(a.essential) > 0, len(b.essential) > 0; x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Len(), a.Len())
	})
	return out
}

// isEssential tells whether a tool is one that people ask for first. A pattern
// is a word of its id, or has * for any characters and is the whole id.
func isEssential(t *catalog.Tool, patterns []string) bool {
	id := strings.ToLower(string(t.ID()))
	for _, p := range patterns {
		p = strings.ToLower(p)
		if strings.ContainsAny(p, "*.") {
			if ok, err := path.Match(p, id); err == nil && ok {
				return true
			}
			continue
		}
		for rest := id; ; {
			at := strings.Index(rest, p)
			if at < 0 {
				break
			}
			if at == 0 || !isLetter(rest[at-1]) {
				return true
			}
			rest = rest[at+1:]
		}
	}
	return false
}

func essentialIDs(s *catalog.Snapshot, patterns []string, most int) []string {
	var out []string
	for _, t := range s.Tools() {
		if len(out) == most {
			break
		}
		if isEssential(t, patterns) {
			out = append(out, string(t.ID()))
		}
	}
	return out
}

// categoryCounts are the largest categories with their counts, general last.
func categoryCounts(s *catalog.Snapshot, most int) []string {
	return counts(largestCategories(s), most)
}

func counts(all []Category, most int) []string {
	var out []string
	for i, c := range all {
		if i == most {
			out = append(out, fmt.Sprintf("%d more", len(all)-most))
			break
		}
		out = append(out, Cut(Line(c.Name), 24)+" "+thousands(c.Count))
	}
	return out
}

func mostCommon(s *catalog.Snapshot, most int) []string {
	all := largestCategories(s)
	var out []string
	for _, c := range all[:min(len(all), most)] {
		out = append(out, Cut(Line(c.Name), 24))
	}
	return out
}

func largestCategories(s *catalog.Snapshot) []Category {
	all := s.Categories()
	slices.SortStableFunc(all, func(a, b Category) int {
		if (a.Name == catalog.General) != (b.Name == catalog.General) {
			if a.Name == catalog.General {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.Count, a.Count)
	})
	return all
}

// Behind is one line on what is behind the counter, for the description of
// search_tools. It has no counts, so that it changes with the servers and their
// kinds of tools and not with every tool.
func Behind(s *catalog.Snapshot) string {
	if s.Len() == 0 {
		return ""
	}
	var names []string
	for _, at := range bySize(s, nil) {
		names = append(names, Cut(at.LuaName(), 24))
	}
	slices.Sort(names[:min(len(names), behindServers)]) // their sizes may change
	line := func(servers, kinds int) string {
		text := strings.Join(mostCommon(s, kinds), ", ") + "; of " + strings.Join(names[:min(len(names), servers)], ", ")
		if len(names) > servers {
			text += fmt.Sprintf(" and %d more", len(names)-servers)
		}
		return text
	}
	for servers, kinds := behindServers, 10; ; servers, kinds = max(1, servers-1), max(1, kinds-1) {
		if text := line(servers, kinds); Tokens(text) <= behindTokens || servers == 1 && kinds == 1 {
			return text
		}
	}
}

// behindServers is how many servers are named in one line.
const behindServers = 8

const behindTokens = 90

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return thousands(n) + " " + thing + "s"
}

// thousands writes 12345 as 12,345.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
