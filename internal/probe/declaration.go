package probe

import (
	"bytes"
	"slices"
	"strings"

	"toolcrib/internal/lazyre"
)

const (
	maxDeclarationText = 1 << 20 // searched for declarations
	maxDeclarations    = 5_000   // looked at
	declarationReach   = 400     // bytes after a name in which its description must begin
)

// declared finds what is written as a tool's name, in JSON that is cut off or
// surrounded by other text, and in the way Node and Python print a value.
var declared = lazyre.New("(?:^|[\\s{,(\\[])[\"']?(function|tool|name|(?:tool|function)_?[nN]ame)[\"']?\\s*[:=]\\s*[\"'`]([^\"'`\\s]{2,64})[\"'`]")

var (
	// A thing that has a name is a tool only if it is described like one.
	definitionMember = lazyre.New(`["']?\b(?:description|inputSchema|input_schema|parameters)["']?\s*[:=]`)
	// Log records, packages and errors have names too.
	recordMember = lazyre.New(`["']?\b(?:level|severity|msg|time|timestamp|pid|hostname|logger|lineno|stack|errno|version|license|uri|command|bin|status|statusCode|capabilities)["']?\s*[:=]`)
	// Values of Python print with their class: Tool(name='x', description='y').
	toolClass = lazyre.New(`(?:Tool|Function|ToolDefinition|ToolInfo|FunctionDeclaration)$`)
	// A line that complains of a tool does not offer it.
	complaint = lazyre.New(`(?i)\b(?:err|error|errors|fail|fails|failed|failure|cannot|can't|could not|unable|unknown|missing|not found|invalid|deprecated|exception|unsupported|undefined|requires?|required|disabled|removed|excluded|skipp(?:ed|ing)|ignor(?:ed|ing)|did you mean)\b`)
)

// readDeclarations finds names by how they are declared.
func readDeclarations(text []byte, to *collection) {
	text = head(text, maxDeclarationText)
	if !speaksOf(string(text), "name", "Name", "function", "tool") {
		return
	}
	matches := declared.FindAllSubmatchIndex(text, maxDeclarations)
	for i, m := range matches {
		if to.full() {
			return
		}
		key, name := string(text[m[2]:m[3]]), string(text[m[4]:m[5]])
		if !likelyName(name) || text[m[0]] == '(' && !toolClass.Match(text[max(0, m[0]-maxName):m[0]]) {
			continue
		}
		after := text[m[1]:min(len(text), m[1]+declarationReach)]
		if i+1 < len(matches) && matches[i+1][0] < m[1]+len(after) {
			after = text[m[1]:max(m[1], matches[i+1][0])]
		}
		if declares(key, after, lineAround(text, m[2], m[5])) {
			to.add(definition{name: name})
		}
	}
}

// speaksOf tells whether one of the words is there at all: to look for a word
// takes a fraction of what an expression takes.
func speaksOf(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// declares judges a declaration by what stands around it.
func declares(key string, after, line []byte) bool {
	switch key {
	case "name":
		at := definitionMember.FindIndex(after)
		return at != nil && !recordMember.Match(after[:at[0]]) && !recordMember.Match(line)
	case "function":
		return !recordMember.Match(line) && !complaint.Match(line)
	}
	return !complaint.Match(line)
}

// lineAround is the line on which text[start:end] stands, as far as it is near.
func lineAround(text []byte, start, end int) []byte {
	from, to := max(0, start-declarationReach), min(len(text), end+declarationReach)
	if i := bytes.LastIndexByte(text[from:start], '\n'); i >= 0 {
		from += i + 1
	}
	if i := bytes.IndexByte(text[end:to], '\n'); i >= 0 {
		to = end + i
	}
	return text[from:to]
}
