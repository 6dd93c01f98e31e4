package index

import (
	"strings"
	"unicode/utf8"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// A field is a part of a tool's text. A word in its name tells more about it
// than one in the description of a parameter.
type field uint8

const (
	inName field = iota
	inDescription
	inParameters
	inParameterTexts
	inServer
	fieldCount
)

// What is read of a text. Descriptions go on for pages, but say in the
// beginning what a tool is about.
const (
	maxNameWords        = 16
	maxDescriptionWords = 300
	maxParameterWords   = 60
	maxParameterTexts   = 150
	maxServerWords      = 8
	maxLeadWords        = 30
	maxTextBytes        = 8192
	maxEnumValues       = 12
	maxSchemaDepth      = 3
)

// texts are a tool's, apart by field.
type texts [fieldCount]string

func textsOf(t *catalog.Tool, server string) texts {
	description := t.Description()
	if title := t.Title(); title != "" && title != t.Name() {
		description += "\n" + title
	}
	var names, more strings.Builder
	readSchema(t.InputSchema(), &names, &more, 0)
	return texts{t.Name(), clip(description), clip(names.String()), clip(more.String()), server}
}

// serverText is what a server is called, in its title and by its user, each word
// once and without those that most servers are called.
func serverText(s *catalog.Server) string {
	var b strings.Builder
	seen := map[string]bool{"mcp": true, "server": true}
	eachWord(s.Title()+" "+s.Name(), func(word string) bool {
		if root := stem(word); !seen[root] {
			seen[root] = true
			b.WriteString(word)
			b.WriteByte(' ')
		}
		return true
	})
	return b.String()
}

// readSchema collects the names of a schema's properties and what is said about
// them, those of properties too.
func readSchema(schema []byte, names, more *strings.Builder, depth int) {
	if depth > maxSchemaDepth || more.Len() > maxTextBytes || len(schema) == 0 {
		return
	}
	properties, err := wire.ParseObject(wire.Find(schema, "properties"))
	if err != nil {
		return
	}
	for _, p := range properties.Members() {
		names.WriteString(p.Name)
		names.WriteByte(' ')
		if text, ok := wire.Text(wire.Find(p.Value, "description")); ok {
			more.WriteString(text)
			more.WriteByte(' ')
		}
		readEnum(wire.Find(p.Value, "enum"), more)
		readSchema(p.Value, names, more, depth+1)
		readSchema(wire.Find(p.Value, "items"), names, more, depth+1)
	}
}

func readEnum(raw []byte, more *strings.Builder) {
	values, err := wire.Elements(raw)
	if err != nil {
		return
	}
	for _, value := range values[:min(len(values), maxEnumValues)] {
		if text, ok := wire.Text(value); ok {
			more.WriteString(text)
			more.WriteByte(' ')
		}
	}
}

// lead is the first sentence or line of a description.
func lead(description string) string {
	text := strings.TrimSpace(description)
	for i := 1; i < len(text); i++ {
		if space := text[i] == ' ' || text[i] == '\n' || text[i] == '\t'; space && strings.IndexByte(".!?\n", text[i-1]) >= 0 {
			return text[:i]
		}
		if text[i] == '\n' && i > 20 {
			return text[:i]
		}
	}
	return text
}

func clip(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	end := maxTextBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// ParameterText is the names of a tool's parameters and what is said about them.
func ParameterText(t *catalog.Tool) string {
	var names, more strings.Builder
	readSchema(t.InputSchema(), &names, &more, 0)
	return names.String() + more.String()
}
