package call

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ExampleLua is the same as Example, as a Lua table.
func ExampleLua(schema []byte) string {
	var b strings.Builder
	writeLua(&b, exampleOf(schema))
	return b.String()
}

func writeLua(b *strings.Builder, value any) {
	switch v := value.(type) {
	case fields:
		writeTable(b, len(v), func(i int) {
			writeLuaKey(b, v[i].name)
			writeLua(b, v[i].value)
		})
	case map[string]any: // a default that is an object
		names := slices.Sorted(maps.Keys(v))
		writeTable(b, len(names), func(i int) {
			writeLuaKey(b, names[i])
			writeLua(b, v[names[i]])
		})
	case []any:
		writeTable(b, len(v), func(i int) { writeLua(b, v[i]) })
	case string:
		b.WriteString(luaString(v))
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case json.Number:
		b.WriteString(v.String())
	default:
		b.WriteString("null")
	}
}

func writeTable(b *strings.Builder, n int, entry func(i int)) {
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		entry(i)
	}
	b.WriteByte('}')
}

func writeLuaKey(b *strings.Builder, name string) {
	if luaName(name) {
		b.WriteString(name + " = ")
		return
	}
	b.WriteString("[" + luaString(name) + "] = ")
}

// luaReserved are the words of Lua 5.4 that cannot be names.
var luaReserved = strings.Fields("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")

func luaName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' || slices.Contains(luaReserved, s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// luaString quotes s. Bytes that do not show are escaped in decimal, with three
// digits, so that a digit behind them is not taken for one more.
func luaString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03d`, c)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
