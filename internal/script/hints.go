package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A slip is a usual mistake: what Lua says of it, what the line of the script looks
// like, and what to do instead. An empty pattern fits anything.
type slip struct {
	message, line *regexp.Regexp
	hint          string
}

func pattern(text string) *regexp.Regexp {
	if text == "" {
		return nil
	}
	return regexp.MustCompile(`(?m)` + text)
}

func (s *slip) fits(message, line string) bool {
	return (s.message == nil || s.message.MatchString(message)) && (s.line == nil || s.line.MatchString(line))
}

// syntaxSlips are habits from other languages.
var syntaxSlips = []slip{
	{pattern(`near '!'|near '!='`), pattern(`!=`), "Lua writes ~= for not equal"},
	{pattern(`near '!'`), nil, "Lua writes not x for !x"},
	{pattern(`near '&'|near '\|'`), pattern(`&&|\|\|`), "Lua writes and, or for && and ||"},
	{pattern(`near '[-+*/.]='|near '='|near '\+'|near '-'`), pattern(`[-+*/.]=|\+\+`), "Lua has no += or ++: write x = x + 1"},
	{pattern(`near '//'|near '/'|near '\*'`), pattern(`^\s*/[/*]|\s//\s`), "a comment starts with --"},
	{pattern(`near '#'`), pattern(`^\s*#`), "a comment starts with --"},
	{nil, pattern(`["']\s*:|[{,]\s*\w+\s*:\s`), `a table is written { name = value }, or { ["a-b"] = value }`},
	{pattern(`near '\['|near ','`), pattern(`[=(,]\s*\[[^\[=]`), "an array is written { a, b, c }"},
	{nil, pattern(`=>`), "a function is written function(x) return y end"},
	{pattern(`near '\{'`), pattern(`\)\s*\{`), "a block is written then ... end, or do ... end"},
	{pattern(`end' expected`), pattern(`\belse\s+if\b`), "write elseif, or give the inner if an end of its own"},
	{nil, pattern(`\bawait\s+[\w.]+`), "await is a method: write server.tool({...}):await()"},
	{nil, pattern(`^\s*(const|let|var)\s`), "a variable is declared with local"},
	{pattern("near '`'"), nil, "a text is written \"...\" or [[...]]; join texts with .."},
	{nil, pattern(`^\s*continue\b`), "Lua has no continue: use goto continue and ::continue:: before the end of the loop"},
	{pattern(`near '\?'`), nil, "Lua has no ?: write cond and a or b, and test for nil first"},
	{pattern(`'end' expected`), nil, "an if, for, while, do or function has no end"},
	{pattern(`near <eof>`), nil, "something is not closed: look for a missing end, ) or }"},
}

var runtimeSlips = []slip{
	{pattern(`attempt to call .*\((local|upvalue) 'result'\)`), nil, "a local variable result hides the function result(): give it another name, or return it"},
	{pattern(`attempt to index .*\(field '\?'\)|attempt to index a nil value|attempt to perform arithmetic on a nil|attempt to concatenate a nil`), pattern(`\[\s*0\s*\]`), "arrays start at 1: write list[1] for the first"},
	{pattern(`attempt to index a nil value$`), pattern(`pairs\(`), "the value is no list; print(value) shows what the call returned"},
	{pattern(`attempt to index a userdata value|got userdata|on a userdata value|a userdata value`), nil, "the value is JSON's null: test it first, as in if x.field then ... end"},
	{pattern(`attempt to call a nil value \(method '(find|match|gsub|sub|split|trim|lower|upper)'\)`), nil, "the value is no string, or Lua has no such method; print(value) shows what it is"},
	{pattern(`attempt to concatenate a table value`), nil, "use json.encode(value) to make text of a table"},
	{pattern(`attempt to compare (number with string|string with number|number with nil|nil with number)`), nil, "convert with tonumber(x), and test for nil first"},
	{pattern(`for iterator 'for iterator'|bad argument #1 to '(for iterator|ipairs|pairs)'`), nil, "the value is no list; print(value) shows what the call returned"},
	{pattern(`attempt to call a nil value \(global '(unpack)'\)`), nil, "write table.unpack"},
	{pattern(`attempt to call a nil value \(global '(require|dofile|loadfile|collectgarbage)'\)`), nil, "scripts cannot load modules or files: use the tools of the servers"},
	{pattern(`\(global '(io|package|debug)'\)|attempt to call a nil value \(field '(execute|getenv|remove|rename|exit|tmpname)'\)`), nil, "scripts have no access to the system: use the tools of the servers"},
	{pattern(`attempt to call a nil value \(global 'await'\)`), nil, "await is a method: write server.tool({...}):await(), or await_all({...}) for many"},
	{pattern(`attempt to call a nil value \(field '(parse|stringify)'\)`), nil, "write json.decode(text) and json.encode(value)"},
	{pattern(`attempt to call a table value`), nil, "a server is no function: write server.tool({...}):await()"},
	{pattern(`C stack overflow|stack overflow`), nil, "a function calls itself without end"},
}

var (
	nilGlobal = regexp.MustCompile(`\(global '([^']*)'\)`)
	nilField  = regexp.MustCompile(`attempt to call a nil value \(field '([^']*)'\)`)
)

// hint is what to do about an error, "" if nothing is known.
func (m *machine) hint(source string, e *Error) string {
	line := sourceLine(source, e.Line)
	slips := runtimeSlips
	switch e.Code {
	case CodeSyntax:
		slips = syntaxSlips
		line = sourceLine(source, e.Line-1) + "\n" + line // an error shows at the next word
		if strings.HasPrefix(e.Message, "'end' expected") {
			line = source // what lacks its end may be anywhere
		}
	case CodeMemoryLimit:
		return "keep less: work on results one at a time, and return a summary"
	case CodeNotAwaited:
		return "write server.tool({...}):await() to get the value of a call"
	case CodeRuntime:
	default:
		return ""
	}
	for i := range slips {
		if slips[i].fits(e.Message, line) {
			return slips[i].hint
		}
	}
	if e.Code != CodeRuntime {
		return ""
	}
	if name := nilGlobal.FindStringSubmatch(e.Message); name != nil && strings.Contains(e.Message, "nil value") {
		return m.unknownServer(name[1])
	}
	if name := nilField.FindStringSubmatch(e.Message); name != nil {
		return m.shadowedServer(line, name[1])
	}
	return ""
}

func sourceLine(source string, line int) string {
	if line < 1 {
		return ""
	}
	for ; line > 1; line-- {
		_, rest, ok := strings.Cut(source, "\n")
		if !ok {
			return ""
		}
		source = rest
	}
	first, _, _ := strings.Cut(source, "\n")
	return first
}

// shadowedServer helps where a library of Lua has the name of a server.
func (m *machine) shadowedServer(line, tool string) string {
	for _, name := range libraries {
		if strings.Contains(line, name+"."+tool) && m.host.Server(name) {
			return fmt.Sprintf("%s is a library of Lua; the server of that name is servers.%s", name, name)
		}
	}
	return "there is no such function"
}

// libraries are globals that are tables.
var libraries = []string{"coroutine", "json", "math", "os", "string", "table", "utf8"}

func (m *machine) unknownServer(name string) string {
	text := fmt.Sprintf("there is no server or variable %q", name)
	if m, ok := m.host.(missing); ok {
		if why := m.Missing(name); why != "" {
			return why
		}
	}
	if near := m.host.Nearest("", name); len(near) > 0 {
		return text + "; nearest: " + strings.Join(near, ", ")
	}
	return text + "; no server has tools that a script can call"
}

func (m *machine) unknownTool(server, name string) string {
	text := fmt.Sprintf("server %s has no tool %q", server, name)
	if near := m.host.Nearest(server, name); len(near) > 0 {
		return text + "; nearest: " + strings.Join(near, ", ")
	}
	return text + ", and none that a script can call"
}

// wantsTable says how a tool is called.
func wantsTable(t *boundTool) string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	_ = json.Unmarshal(t.InputSchema, &schema) // a schema that is none has no names
	names := schema.Required
	if len(names) == 0 {
		for name := range schema.Properties {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	fields := make([]string, 0, len(names))
	for _, name := range names {
		fields = append(fields, fieldKey(name)+" = ...")
	}
	return fmt.Sprintf("a tool takes one table of named arguments: %s.%s({%s})", t.server, t.name, strings.Join(fields, ", "))
}
