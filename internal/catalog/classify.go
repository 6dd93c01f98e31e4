package catalog

import (
	"slices"
	"strings"
)

// told are the words that a tool is told by.
type told struct {
	name, title, lead []string
}

// of makes it that of another tool, in the same memory.
func (t *told) of(d *definition) {
	t.name = appendWords(t.name[:0], d.name)
	t.title = appendWords(t.title[:0], d.title)
	t.lead = appendWords(t.lead[:0], lead(d.description))
}

// A classifier finds the category and the tags of one server's tools.
type classifier struct {
	rules  *serverRules
	server string // the category that the server's own names tell, "" for none
	weakly string // the same by words that could be anything's

	// stated is unset for a server that states so many categories that they
	// tell nothing.
	stated bool
}

// maxStatedCategories is how many categories a server may make up. One that
// has a category for each tool would fill what an agent reads with its names.
const maxStatedCategories = 24

func newClassifier(rules *serverRules, server string, info serverInfo, definitions []*definition) *classifier {
	c := &classifier{rules: rules}
	for _, name := range []string{server, info.name, info.title} {
		own := serverWords(name)
		if c.server == "" {
			c.server = known.category(known.rowOfName(own))
		}
		if c.weakly == "" {
			c.weakly = knownWeak.category(knownWeak.rowOfName(own))
		}
	}
	if c.server == "" {
		c.server = known.category(known.rowOfProse(words(lead(info.description))))
	}
	distinct := map[string]bool{}
	for _, d := range definitions {
		distinct[d.statedCategory] = true
	}
	delete(distinct, "")
	c.stated = len(distinct) <= maxStatedCategories
	return c
}

// serverWords are the words of a server's name that are not in every other's.
func serverWords(name string) []string {
	own := words(name)
	for i, word := range own {
		own[i] = strings.TrimSuffix(strings.TrimPrefix(word, "mcp"), "mcp")
	}
	return slices.DeleteFunc(own, func(word string) bool {
		return word == "" || word == "server" || word == "api" || word == "client" || word == "example"
	})
}

// category asks, in this order: the configured rules; the server, about this
// tool; the table, about the tool's name, title and description; the configured
// fall-back; the table, about the server's own name; the words that could be
// anything's. What nobody knows is general.
func (c *classifier) category(d *definition, lua string, told *told) string {
	if category := c.rules.category(d.name, lua, told); category != "" {
		return category
	}
	if c.stated && d.statedCategory != "" {
		return d.statedCategory
	}
	for _, row := range []int{known.rowOfName(told.name), known.rowOfName(told.title), known.rowOfProse(told.lead)} {
		if row != none {
			return known.category(row)
		}
	}
	for _, category := range []string{c.rules.fallback, c.server} {
		if category != "" {
			return category
		}
	}
	if row := min(knownWeak.rowOfName(told.name), knownWeak.rowOfName(told.title)); row != none {
		return knownWeak.category(row)
	}
	if c.weakly != "" {
		return c.weakly
	}
	return General
}
