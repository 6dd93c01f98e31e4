package script

import (
	"slices"
)

// reserved are the words of Lua that cannot be names.
var reserved = []string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
	"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
}

// isName tells whether a text can stand as a name in Lua.
func isName(text string) bool {
	if text == "" || text[0] >= '0' && text[0] <= '9' || slices.Contains(reserved, text) {
		return false
	}
	for _, r := range text {
		if !nameRune(r) {
			return false
		}
	}
	return true
}

func nameRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// fieldKey is a name as the key of a field in a table.
func fieldKey(name string) string {
	if isName(name) {
		return name
	}
	return "[" + quote(name) + "]"
}

// quote writes a text as Lua does.
func quote(text string) string {
	out := []byte{'"'}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c < 0x20 || c == 0x7f:
			out = append(out, '\\', 'x')
			out = append(out, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

// builtins are the globals that every script has.
var builtins = []string{
	"_G", "_VERSION", "args", "array", "assert", "await_all", "coroutine", "error", "getmetatable", "ipairs", "json",
	"load", "math", "next", "null", "os", "pairs", "parallel", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset",
	"result", "select", "servers", "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "xpcall",
}
