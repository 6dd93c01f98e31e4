package catalog

import (
	"maps"
	"slices"
	"strings"
)

// Rules say what the user wants tools to be called. The zero value says
// nothing: every tool is then what its server, its names and its texts say.
type Rules struct {
	// Categories come before everything else; the first that fits wins.
	Categories []CategoryRule

	// Fallback is the category of a server's tools, by the server's name, when
	// neither the server nor their words tell one.
	Fallback map[string]string

	// Tags are added to what fits, all of them.
	Tags []TagRule

	// Describe explains categories that are not ours, or ours in other words.
	Describe map[string]string

	// Aliases are other names that servers go by, to their own. A name that a server
	// has itself is nobody's alias.
	Aliases map[string]string
}

// A CategoryRule puts tools into a category: those of the servers that Server
// fits, with a name that one of Tools fits, or with one of Words in their name, their
// title or the beginning of their description. Words are whole words.
// Without Tools and Words it is about all tools of the server.
//
// Patterns are names with * for anything and ? for one character, and ignore
// case; a tool is also found by its Lua identifier. An empty Server fits all.
type CategoryRule struct {
	Category string
	Server   string
	Tools    []string
	Words    []string
}

// A TagRule adds tags to the tools that its patterns fit; an empty one fits
// all.
type TagRule struct {
	Server string
	Tool   string
	Tags   []string
}

// clone is a copy that nobody else can change.
func (r Rules) clone() Rules {
	c := Rules{
		Categories: slices.Clone(r.Categories), Tags: slices.Clone(r.Tags),
		Fallback: maps.Clone(r.Fallback), Describe: maps.Clone(r.Describe), Aliases: maps.Clone(r.Aliases),
	}
	for i := range c.Categories {
		c.Categories[i].Tools = slices.Clone(c.Categories[i].Tools)
		c.Categories[i].Words = slices.Clone(c.Categories[i].Words)
	}
	for i := range c.Tags {
		c.Tags[i].Tags = slices.Clone(c.Tags[i].Tags)
	}
	return c
}

// serverRules are the rules that are about one server, ready to be asked.
type serverRules struct {
	lexicon  *lexicon // a row for each of Categories
	patterns []rowPattern
	tags     []TagRule
	fallback string
}

type rowPattern struct {
	row     int
	pattern string
}

func (r Rules) forServer(name string) *serverRules {
	s := &serverRules{fallback: label(r.Fallback[name]), lexicon: newLexicon(nil)}
	lua := Identifier(name)
	for _, rule := range r.Categories {
		category := label(rule.Category)
		if category == "" || !fits(rule.Server, name, lua) {
			continue
		}
		row := len(s.lexicon.categories)
		s.lexicon.categories = append(s.lexicon.categories, category)
		for _, word := range rule.Words {
			s.lexicon.enter(s.lexicon.inNames, word, row)
			s.lexicon.enter(s.lexicon.anywhere, word, row)
		}
		for _, pattern := range rule.Tools {
			s.patterns = append(s.patterns, rowPattern{row, pattern})
		}
		if len(rule.Tools) == 0 && len(rule.Words) == 0 {
			s.patterns = append(s.patterns, rowPattern{row, "*"})
		}
	}
	for _, rule := range r.Tags {
		if fits(rule.Server, name, lua) {
			s.tags = append(s.tags, rule)
		}
	}
	return s
}

// category is what the rules say of a tool, "" for nothing.
func (s *serverRules) category(name, lua string, told *told) string {
	if len(s.lexicon.categories) == 0 {
		return ""
	}
	row := min(s.lexicon.rowOfName(told.name), s.lexicon.rowOfName(told.title))
	for _, p := range s.patterns {
		if p.row < row && fits(p.pattern, name, lua) {
			row = p.row
			break
		}
	}
	if row == none {
		row = s.lexicon.rowOfProse(told.lead)
	}
	return s.lexicon.category(row)
}

// fits tells whether a pattern fits a name or its identifier; "" fits all.
func fits(pattern, name, lua string) bool {
	if pattern == "" || pattern == "*" {
		return true
	}
	pattern = strings.ToLower(pattern)
	return glob(pattern, strings.ToLower(name)) || glob(pattern, strings.ToLower(lua))
}

// glob matches with * and ?, in time of the product of both lengths.
func glob(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(n) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == n[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
