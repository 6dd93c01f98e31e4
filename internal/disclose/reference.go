package disclose

import (
	"fmt"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
)

// ReferenceTokens is what the brief reference takes at most.
const ReferenceTokens = 700

// fullReference is how many characters the full reference has at most. What
// there is no room for is counted.
const fullReference = 40000

const (
	referenceTop = "[toolcrib: reference of the tools here, sent once. The result of this call follows it.]\n"
	referenceEnd = "How to go on: " + opening + "\n[end of reference]"
)

// Reference is what comes with a caller's first call: categories with counts, the
// tools by what one would do with them, how to go on. In full it has all names and
// descriptions.
func Reference(s *catalog.Snapshot, level Level, essential []string) string {
	if level == Full {
		return referenceInFull(s)
	}
	top := referenceTop + fmt.Sprintf("%s of %s in %s:\n", count(s.Len(), "tool"), count(len(s.Servers()), "server"), count(len(s.Categories()), "kind"))
	room := ReferenceTokens - Tokens(top) - Tokens(referenceEnd)
	categories := largestCategories(s)
	for _, names := range [...]int{6, 4, 3} {
		lines, total := make([]string, len(categories)), 0
		for i, c := range categories {
			lines[i] = workflow(s, c, names, essential)
			if total += Tokens(lines[i]); total > room {
				break
			}
		}
		if total <= room {
			return top + strings.Join(lines, "") + referenceEnd
		}
	}
	return top + mixed(s, categories, room, essential) + referenceEnd
}

// mixed is the largest categories with some tools of each, and of the others as
// many as there is room for with their counts alone.
func mixed(s *catalog.Snapshot, categories []Category, room int, essential []string) string {
	var b strings.Builder
	left := room * 2 / 3
	for i, c := range categories {
		line := workflow(s, c, 2, essential)
		if left -= Tokens(line); left < 0 {
			for most := min(len(categories)-i, 40); most > 0; most-- {
				rest := "- also " + strings.Join(counts(categories[i:], most), ", ") + "\n"
				if Tokens(b.String()+rest) <= room {
					b.WriteString(rest)
					break
				}
			}
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// workflow is a category with some of its tools: first those that people ask
// for, then of each server the first.
func workflow(s *catalog.Snapshot, c Category, most int, essential []string) string {
	tools := s.InCategory(c.Name)
	var shown []string
	add := func(t *catalog.Tool) {
		if len(shown) < most && t.Callable() && !slices.Contains(shown, string(t.ID())) {
			shown = append(shown, Cut(string(t.ID()), 80))
		}
	}
	for _, t := range tools {
		if len(shown) == (most+1)/2 {
			break
		}
		if isEssential(t, essential) {
			add(t)
		}
	}
	var last *catalog.Server
	for _, t := range tools {
		if t.Server() != last {
			add(t)
		}
		last = t.Server()
	}
	for _, t := range tools {
		if len(shown) == most {
			break
		}
		add(t)
	}
	line := fmt.Sprintf("- %s (%s)", Cut(Line(c.Name), 24), thousands(c.Count))
	if len(shown) > 0 {
		line += ": " + strings.Join(shown, ", ")
	}
	if left := c.Count - len(shown); left > 0 && len(shown) > 0 {
		line += ", +" + thousands(left)
	}
	return line + "\n"
}

func referenceInFull(s *catalog.Snapshot) string {
	var b strings.Builder
	b.WriteString(referenceTop)
	fmt.Fprintf(&b, "%s of %s in %s.\n", count(s.Len(), "tool"), count(len(s.Servers()), "server"), count(len(s.Categories()), "kind"))
	left := s.Len()
categories:
	for _, c := range largestCategories(s) {
		fmt.Fprintf(&b, "\n## %s (%s): %s\n", Cut(Line(c.Name), 40), thousands(c.Count), Cut(Line(c.Description), maxAbout))
		for _, t := range s.InCategory(c.Name) {
			about := brief(described(t), 60)
			if !t.Callable() {
				about = strings.TrimSpace(about + " (cannot be called: its server did not list it)")
			}
			line := fmt.Sprintf("- %s: %s\n", t.ID(), about)
			if b.Len()+len(line) > fullReference {
				break categories
			}
			b.WriteString(line)
			left--
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s more are not shown here: search_tools finds them.\n", thousands(left))
	}
	b.WriteString("\n" + referenceEnd)
	return b.String()
}
