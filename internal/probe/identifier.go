package probe

import (
	"strings"

	"toolcrib/internal/lazyre"
)

// Identifiers of the form word_word are everywhere in what failing servers
// print: places in the source, variables, options, database fields. They count
// as tools only where the text presents them as such:
//
//	Registered tools: get_weather, list_cities
//	Loaded tool get_weather
//	Available tools:
//	  - get_weather: the weather somewhere
//
// or where at least three lines in a row are nothing but an identifier, and most
// of these say what is done: fields, tables and locales are listed so, too.
const (
	word = `[a-z][a-z0-9]*(?:_[a-z0-9]+)+`

	bareListLeast = 3
)

var (
	// "tools ...:" and what follows on the same line. One function is a place in
	// a program.
	announcement = lazyre.New(`(?i)\b(?:tools?|functions)\b[^:=]{0,40}[:=]\s*(.*)$`)
	// A line that says it of tools, not of a name alone.
	presenting = lazyre.New(`(?i)\b(?:available|registered|loaded|enabled|exposed|exposing|supported|provided|offered|following|discovered|found|serving|my|your)\b`)
	// What else than tools a line may list.
	otherThings = lazyre.New(`(?i)\b(?:options?|param(?:eter)?s?|arguments?|variables?|settings?|config(?:uration)?|categor(?:y|ies)|groups?|sets?|types?|versions?|fields?|keys?|flags?|schemas?|tags?|files?|folders?|director(?:y|ies)|paths?|prefix(?:es)?|timeouts?|permissions?|scopes?|calls?|calling)\b[^:=]{0,20}[:=]|\b(?:from|in|at|by|under|with|of|for)\s*[:=]|\b(?:env(?:ironment)?|variables?|options?|settings?|parameters?|arguments?|fields?|keys?|flags?)\s+(?:for|of|to)\b`)
	// "registered tool x", "tool registered: x", "tool x loaded".
	registration = lazyre.New(`(?i)\b(?:(?:regist(?:er|ered|ering)|load(?:ed|ing)?|add(?:ed|ing)?|expos(?:ed|ing)|enabl(?:ed|ing)|discovered)\s+(?:mcp\s+)?(?:tool|function)\s*:?\s*|(?:tool|function)\s+(?:registered|loaded|added|enabled)\s*:?\s*)["'` + "`" + `]?([a-z][a-z0-9_]*)["'` + "`" + `]?(?:\s|$|[.,;(])`)
	// A line after which a list of tools may follow.
	heading = lazyre.New(`(?i)\b(?:tools|functions)\b[^:]{0,60}:\s*[[({]?$`)
	// A line of such a list: a bullet or a number, an identifier, perhaps a description.
	item = lazyre.New(`^(?:[-*+•·▪◦‣→>✓✔]\s+|\(?[0-9]{1,3}[.)]\s+)?["'` + "`" + `]?(` + word + `)["'` + "`" + `]?,?(?:\s*$|\s*[:(]|\s+[-–—]\s)`)
	// A line that is an identifier and nothing else.
	bareItem = lazyre.New(`^(?:[-*+•·]\s+)?["'` + "`" + `]?(` + word + `)["'` + "`" + `]?,?$`)
	wholeID  = lazyre.New(`^` + word + `$`)
	// A place in a program, as Node, Python, Go and .NET write it.
	frame = lazyre.New(`^(?:at\s|File "|Traceback|goroutine \d|\S+\.go:\d|Caused by|node:|file:)`)
)

// readIdentifiers finds names by how lines of text present them.
func readIdentifiers(text []byte, to *collection) {
	inList := false
	var bare []string
	for _, line := range textLines(text) {
		if line == "" {
			continue // lists may have empty lines
		}
		if name, ok := bareIdentifier(line); ok {
			bare = append(bare, name)
		} else {
			flushBare(bare, to)
			bare = bare[:0]
		}
		if inList {
			if m := item.FindStringSubmatch(line); m != nil {
				addIdentifier(m[1], to)
				continue
			}
			inList = false
		}
		if speaksOf(line, "tool", "Tool", "TOOL", "function", "Function", "FUNCTION") {
			inList = readPresented(line, to)
		}
	}
	flushBare(bare, to)
}

// readPresented reads a line that speaks of tools. It tells whether a list
// follows.
func readPresented(line string, to *collection) (heads bool) {
	if frame.MatchString(line) || complaint.MatchString(line) || otherThings.MatchString(line) {
		return false
	}
	if heading.MatchString(line) {
		return true
	}
	if m := registration.FindStringSubmatch(line); m != nil && wholeID.MatchString(m[1]) {
		addIdentifier(m[1], to)
	} else if m := announcement.FindStringSubmatch(line); m != nil {
		readAnnounced(m[1], presenting.MatchString(line), to)
	}
	return false
}

// bareIdentifier is the identifier that a line consists of.
func bareIdentifier(line string) (string, bool) {
	if len(line) > maxName || !strings.Contains(line, "_") {
		return "", false
	}
	m := bareItem.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// readAnnounced reads a list on one line. Most of it must be identifiers: else
// it is a sentence with one in it. Names that are not presented as a server's
// tools must sound like some.
func readAnnounced(list string, presented bool, to *collection) {
	parts := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", ;|\t", r) })
	var names []string
	for _, p := range parts {
		if p = strings.Trim(p, "\"'`[](){}."); wholeID.MatchString(p) {
			names = append(names, p)
		}
	}
	if 2*len(names) <= len(parts) || !presented && !soundLikeTools(names) {
		return
	}
	for _, n := range names {
		addIdentifier(n, to)
	}
}

func flushBare(names []string, to *collection) {
	if len(names) < bareListLeast || !soundLikeTools(names) {
		return
	}
	for _, n := range names {
		addIdentifier(n, to)
	}
}

func addIdentifier(name string, to *collection) {
	if likelyName(name) && !placeholder(name) {
		to.add(definition{name: name})
	}
}

// placeholder tells whether a name stands for one that the reader is to fill in.
func placeholder(name string) bool {
	first, _, _ := strings.Cut(name, "_")
	switch first {
	case "your", "my", "some", "foo", "example":
		return true
	}
	return name == "tool_name" || name == "function_name" || name == "server_name"
}
