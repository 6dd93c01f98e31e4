package catalog

import (
	"strings"

	"toolcrib/internal/wire"
)

const (
	maxStated   = 16  // texts taken from one tool, of each kind
	maxName     = 256 // bytes of a name that another tool is called by
	maxCategory = 40  // bytes of a category or tag
)

// readStated reads what the server says itself about a tool's category, tags
// and related tools.
func (d *definition) readStated(definition *wire.Object) {
	tags := append(texts(definition.Get("tags")), texts(wire.Find(definition.Get("annotations"), "category"))...)
	if d.meta != nil {
		meta, err := wire.ParseObject(d.meta)
		if err != nil {
			d.note("_meta cannot be read (%v)", err)
			return
		}
		for _, text := range stated(meta, "category") {
			if d.statedCategory == "" {
				d.statedCategory = label(text)
			}
		}
		tags = append(stated(meta, "tags"), tags...)
		for _, what := range []string{"related", "related_tools", "relatedTools", "often_used_with", "oftenUsedWith"} {
			for _, name := range stated(meta, what) {
				if len(name) <= maxName && len(d.statedRelated) < maxStated {
					d.statedRelated = append(d.statedRelated, name)
				}
			}
		}
	}
	for _, text := range tags {
		if tag := label(text); tag != "" && len(d.statedTags) < maxStated {
			d.statedTags = append(d.statedTags, tag)
		}
	}
}

// stated are the texts that _meta has under a name: meant for us; plainly; where
// the FastMCP framework puts them; or under a vendor's prefix.
func stated(meta *wire.Object, what string) []string {
	found := texts(meta.Get("toolcrib/" + what))
	found = append(found, texts(meta.Get(what))...)
	for _, holder := range []string{"toolcrib", "fastmcp", "_fastmcp"} {
		found = append(found, texts(wire.Find(meta.Get(holder), what))...)
	}
	for _, m := range meta.Members() {
		if strings.HasSuffix(m.Name, "/"+what) && m.Name != "toolcrib/"+what {
			found = append(found, texts(m.Value)...)
		}
	}
	return found
}

// texts are a JSON string, or those in an array.
func texts(value []byte) []string {
	if len(value) == 0 {
		return nil
	}
	if text, ok := wire.Text(value); ok {
		return []string{text}
	}
	if value[0] != '[' {
		return nil
	}
	elements, err := wire.Elements(value)
	if err != nil {
		return nil
	}
	var found []string
	for _, element := range elements[:min(len(elements), maxStated)] {
		if text, ok := wire.Text(element); ok {
			found = append(found, text)
		}
	}
	return found
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
