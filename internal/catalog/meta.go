package catalog

import (
	"strings"

	"toolcrib/internal/wire"
)

// Where servers say themselves what a tool is and what goes with it. The
// frameworks they are written with have put it in several places over time.
var (
	categoryPaths = [][]string{
		{"_meta", "toolcrib/category"},
		{"_meta", "toolcrib", "category"},
		{"_meta", "category"},
		{"_meta", "fastmcp", "category"},
		{"_meta", "_fastmcp", "category"},
		{"_meta", "fastmcp", "meta", "category"},
	}
	tagPaths = [][]string{
		{"_meta", "toolcrib/tags"},
		{"_meta", "toolcrib", "tags"},
		{"_meta", "tags"},
		{"_meta", "fastmcp", "tags"},
		{"_meta", "_fastmcp", "tags"},
		{"tags"},
		{"annotations", "tags"},
		{"annotations", "category"},
	}
	relatedPaths = [][]string{
		{"_meta", "toolcrib/related"},
		{"_meta", "toolcrib", "related"},
		{"_meta", "related"},
		{"_meta", "related_tools"},
		{"_meta", "relatedTools"},
		{"_meta", "often_used_with"},
		{"_meta", "oftenUsedWith"},
	}
)

const (
	maxStated   = 16  // texts taken from one place
	maxName     = 256 // bytes of a name that another tool is called by
	maxCategory = 40  // characters of a category or tag
)

// readStated reads what the server says itself about category, tags and related
// tools.
func (d *definition) readStated(definition *wire.Object) {
	for _, path := range categoryPaths {
		if texts := textsAt(definition, path); len(texts) > 0 && d.statedCategory == "" {
			d.statedCategory = label(texts[0])
		}
	}
	for _, path := range tagPaths {
		for _, text := range textsAt(definition, path) {
			if tag := label(text); tag != "" && len(d.statedTags) < maxStated {
				d.statedTags = append(d.statedTags, tag)
			}
		}
	}
	for _, path := range relatedPaths {
		for _, text := range textsAt(definition, path) {
			if len(text) <= maxName && len(d.statedRelated) < maxStated {
				d.statedRelated = append(d.statedRelated, text)
			}
		}
	}
}

// textsAt returns the texts at a path of member names: one string, or those
// of an array.
func textsAt(definition *wire.Object, path []string) []string {
	value := definition.Get(path[0])
	for _, name := range path[1:] {
		if value = wire.Find(value, name); value == nil {
			return nil
		}
	}
	if len(value) == 0 {
		return nil
	}
	if text, ok := wire.Text(value); ok {
		return []string{text}
	}
	elements, err := wire.Elements(value)
	if err != nil {
		return nil
	}
	var texts []string
	for _, element := range elements[:min(len(elements), maxStated)] {
		if text, ok := wire.Text(element); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// label is a category or tag as we write them: words in lower case with hyphens
// between. Of a text that is no label, but a sentence or signs, nothing is left.
func label(text string) string {
	if len(text) > 4*maxCategory {
		return ""
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !wordRune(r) })
	joined := strings.Join(words, "-")
	if len(joined) > maxCategory {
		return ""
	}
	return joined
}

// nameIn is the name in a definition that need not be one.
func nameIn(raw []byte) string {
	name, _ := wire.Text(wire.Find(raw, "name"))
	return name
}
