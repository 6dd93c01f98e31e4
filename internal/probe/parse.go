package probe

import (
	"bytes"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// maxTools is how many tools are taken from one text.
const maxTools = 500

// A pattern is one way in which a text may name tools. They are tried in this
// order, and the first that finds any wins: what a later one would find besides
// is worth less than what the earlier one was sure of.
type pattern int

const (
	resultPattern      pattern = iota // {"result":{"tools":[...]}}, an answer to the bare request
	functionsPattern                  // {"functions":[...]}
	toolsPattern                      // {"tools":[...]}
	linesPattern                      // {"name":...,"description":...}, one a line
	declarationPattern                // "function": "name", name: 'name', cut off or inside other text
	identifierPattern                 // word_word where a text speaks of tools
	patterns
)

func (p pattern) String() string {
	return [...]string{"a JSON-RPC result", "a functions array", "a tools array", "JSON lines", "declarations", "identifiers"}[p]
}

// Confidence of a tool that was not listed by the protocol, by how it was found.
// Less than half means: rather a hint than a tool.
const (
	confidenceApproved  = 0.5
	confidencePredicted = 0.1
)

func (p pattern) confidence() float64 {
	return [...]float64{0.9, 0.8, 0.8, 0.7, 0.4, 0.2}[p]
}

// parse finds the tools that a text names. It takes time and memory in
// proportion to the text, whatever is in it.
func parse(text []byte) ([]catalog.Found, pattern) {
	text = head(text, maxText)
	var found [patterns]collection
	var messages, objects [][2]int
	eachObject(text, func(start, end int) {
		if readObject(text, start, end, &found) {
			messages = append(messages, [2]int{start, end})
		} else {
			objects = append(objects, [2]int{start, end})
		}
	})
	// What is inside of an object was judged by its structure; a log record's
	// text is still text.
	text = without(text, messages)
	readIdentifiers(text, &found[identifierPattern])
	readDeclarations(without(text, objects), &found[declarationPattern])
	for p := range found {
		if tools := found[p].tools; len(tools) > 0 {
			for i := range tools {
				tools[i].Confidence = pattern(p).confidence()
			}
			return tools, pattern(p)
		}
	}
	return nil, patterns
}

// without is text with spaces in some places.
func without(text []byte, places [][2]int) []byte {
	if len(places) == 0 {
		return text
	}
	text = bytes.Clone(text)
	for _, p := range places {
		for i := p[0]; i < p[1]; i++ {
			text[i] = ' '
		}
	}
	return text
}

// A collection holds tools of different names, up to maxTools.
type collection struct {
	tools []catalog.Found
	names map[string]bool
}

func (c *collection) full() bool { return len(c.tools) >= maxTools }

// add takes a tool that was found in a text, the first of each name.
func (c *collection) add(d definition) {
	if c.full() || c.names[d.name] {
		return
	}
	if c.names == nil {
		c.names = map[string]bool{}
	}
	c.names[d.name] = true
	c.tools = append(c.tools, catalog.Found{Raw: d.raw(), Provenance: catalog.Parsed})
}

// readObject files what one object of a text says under the pattern it has. It
// tells whether the object is a message of the protocol.
func readObject(text []byte, start, end int, found *[patterns]collection) bool {
	raw := text[start:end]
	object, err := wire.ParseObject(raw)
	if err != nil {
		return false
	}
	if object.Text("jsonrpc") == "2.0" {
		if result, err := wire.ParseObject(object.Get("result")); err == nil {
			readList(result.Get("tools"), &found[resultPattern], anyDefinition)
			readList(result.Get("functions"), &found[functionsPattern], telling)
		}
		return true
	}
	readLists(object, found)
	for _, m := range object.Members() {
		if inner, err := wire.ParseObject(m.Value); err == nil {
			readLists(inner, found)
		}
	}
	readMentions(object, &found[declarationPattern])
	d, ok := readDefinition(raw)
	switch {
	case !ok || !d.telling() || isRecord(object) || d.schema == nil && !saysNoMore(object) || notNames.MatchString(d.name):
	case alone(text, start, end):
		found[linesPattern].add(d)
	case likelyName(d.name):
		found[declarationPattern].add(d.named())
	}
	return false
}

// readMentions reads an object that tells of one tool, as log records do.
func readMentions(object *wire.Object, to *collection) {
	if complaint.MatchString(object.Text("level") + " " + object.Text("message") + " " + object.Text("msg")) {
		return
	}
	for _, member := range []string{"tool", "tool_name", "toolName", "function", "function_name", "functionName"} {
		name := object.Text(member)
		if strings.HasPrefix(member, "function") && isRecord(object) {
			continue // where in the program it was written
		}
		if likelyName(name) {
			to.add(definition{name: name})
		}
	}
}

// readLists reads the arrays of one level of an object.
func readLists(object *wire.Object, found *[patterns]collection) {
	readList(object.Get("functions"), &found[functionsPattern], telling)
	if tools := object.Get("tools"); tools != nil {
		readList(tools, &found[toolsPattern], telling)
		readNames(tools, &found[declarationPattern])
	}
}

func anyDefinition(definition) bool { return true }
func telling(d definition) bool     { return d.telling() || d.bare }

// readList reads definitions from an array, or from an object that has them by
// name (one real server declares its tools so).
func readList(raw []byte, to *collection, wanted func(definition) bool) {
	if elements, err := wire.Elements(raw); err == nil {
		for _, e := range elements {
			if d, ok := readDefinition(e); ok && wanted(d) {
				to.add(d)
			}
			if to.full() {
				return
			}
		}
		return
	}
	byName, err := wire.ParseObject(raw)
	if err != nil {
		return
	}
	for _, m := range byName.Members() {
		d, ok := readNamed(m.Name, m.Value)
		if ok && d.telling() {
			to.add(d)
		}
	}
}

// readNames reads an array of mere names: {"tools":["get_weather"]}.
func readNames(raw []byte, to *collection) {
	elements, err := wire.Elements(raw)
	if err != nil {
		return
	}
	for _, e := range elements {
		if name, ok := wire.Text(e); ok && likelyName(name) {
			to.add(definition{name: name})
		}
		if to.full() {
			return
		}
	}
}

// recordMembers are those of a log record, of a package's description, of an
// error: objects with a name that is no tool's.
var recordMembers = []string{
	"level", "severity", "msg", "message", "time", "timestamp", "pid", "hostname", "logger", "stack", "code", "errno",
	"version", "dependencies", "main", "license", "scripts", "uri", "uriTemplate",
}

// definitionMembers are those of a tool's definition. Many things have a name
// and a description; what has other members and no schema is one of those.
var definitionMembers = []string{
	"name", "description", "title", "type", "function", "category", "tags", "annotations", "_meta", "icons", "outputSchema",
	"inputSchema", "input_schema", "parameters", "strict", "enabled", "server",
}

func saysNoMore(o *wire.Object) bool {
	return !slices.ContainsFunc(o.Members(), func(m wire.Member) bool { return !slices.Contains(definitionMembers, m.Name) })
}

func isRecord(o *wire.Object) bool {
	return slices.ContainsFunc(o.Members(), func(m wire.Member) bool { return slices.Contains(recordMembers, m.Name) })
}
