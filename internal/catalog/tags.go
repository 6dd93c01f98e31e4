package catalog

import (
	"slices"
	"strings"
)

// maxTags is how many tags a tool has at most.
const maxTags = 8

// tags are what a tool can also be found by, the surest first: what the user
// says, what the server says, what its annotations say, the words of its name, and
// those words of its description that the table knows.
func (c *classifier) tags(d *definition, lua string, told *told) []string {
	var space [maxTags]string
	tags := space[:0]
	add := func(tag string) {
		if tag != "" && len(tags) < maxTags && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	for _, rule := range c.rules.tags {
		if fits(rule.Tool, d.name, lua) {
			for _, tag := range rule.Tags {
				add(label(tag))
			}
		}
	}
	for _, tag := range d.statedTags {
		add(tag)
	}
	for _, tag := range d.annotations.tags() {
		add(tag)
	}
	eachWord(told.name, func(word string, inTable bool) {
		if inTable || tellsSomething(word) {
			add(word)
		}
	})
	eachWord(told.lead, func(word string, inTable bool) {
		if inTable {
			add(word)
		}
	})
	return slices.Clone(tags)
}

// tags are the hints that are given, and mean something.
func (a Annotations) tags() []string {
	var tags []string
	if a.ReadOnly == Yes {
		tags = append(tags, "read-only")
	}
	if a.Destructive == Yes && a.ReadOnly != Yes {
		tags = append(tags, "destructive")
	}
	if a.Idempotent == Yes && a.ReadOnly != Yes {
		tags = append(tags, "idempotent")
	}
	if a.OpenWorld == Yes {
		tags = append(tags, "open-world")
	}
	return tags
}

// eachWord calls do with each word, or several that the table has as one, joined
// by hyphens; and whether the table has it.
func eachWord(words []string, do func(word string, inTable bool)) {
	for len(words) > 0 {
		n := known.together(words)
		if n == 1 {
			do(words[0], inTable(words[0]))
		} else {
			do(strings.Join(words[:n], "-"), true)
		}
		words = words[n:]
	}
}

func inTable(word string) bool {
	if tellsNothing[word] {
		return false
	}
	_, ok := known.inNames[word]
	if !ok {
		_, ok = knownWeak.inNames[word]
	}
	return ok
}

// tellsSomething tells whether a word that the table does not have is worth
// being a tag.
func tellsSomething(word string) bool {
	if tellsNothing[word] || strings.ContainsAny(word, "0123456789") { // v1, b64
		return false
	}
	return len(word) > 2 && len(word) <= maxCategory
}

// tellsNothing are words that would bring together tools that have nothing in
// common: what any tool does, and what any text is made of.
var tellsNothing = wordSet(`
	add all apply change check create delete edit fetch find get insert list load lookup make manage modify new open patch
	perform provide put read remove retrieve save set show update upsert use view write
	about also and any are based both but can does each existing first for from given has have here how if into its last
	latest like many more most multiple must name need not off one only optional optionally out over own per several
	single some specific specified such than that the their them then there these they this those through two under
	until using various very via was what when where which will with within without you your
	api arg argument array batch bulk by client content context current data default detail field format
	handler help helper id identifier info information input item key kind mcp meta metadata mode number object option
	output param parameter property request resource response result return server setting source state status string
	system target text tool type url user value var version
`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}
