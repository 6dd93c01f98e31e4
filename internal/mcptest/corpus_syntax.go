package mcptest

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// Lines that are no JSON text.

func truncatedCases() [][2]string {
	whole := answerWith(plainResult)
	var cases [][2]string
	for n := 1; n < len(whole); n += 4 {
		if strings.Count(whole[:n], "%")%2 == 1 {
			continue // in the middle of the mark
		}
		cases = append(cases, [2]string{fmt.Sprintf("truncated at %d", n), whole[:n]})
	}
	return append(cases, [2]string{"last brace missing", whole[:len(whole)-1]})
}

func syntaxCases() [][2]string {
	ok := answerWith(plainResult)
	return [][2]string{
		{"trailing comma in object", envelope(`"id":` + idMark + `,"result":{},`)},
		{"trailing comma in array", answerWith(`{"content":[1,]}`)},
		{"leading comma", `{,"jsonrpc":"2.0","id":` + idMark + `,"result":{}}`},
		{"two commas", `{"jsonrpc":"2.0",,"id":` + idMark + `,"result":{}}`},
		{"missing comma", `{"jsonrpc":"2.0" "id":` + idMark + `,"result":{}}`},
		{"missing colon", `{"jsonrpc" "2.0","id":` + idMark + `,"result":{}}`},
		{"two colons", `{"jsonrpc"::"2.0","id":` + idMark + `,"result":{}}`},
		{"missing value", envelope(`"id":` + idMark + `,"result":`)},
		{"missing name", envelope(`:1,"id":` + idMark)},
		{"number as name", envelope(`1:2,"id":` + idMark + `,"result":{}`)},
		{"unquoted name", `{jsonrpc:"2.0",id:` + idMark + `,result:{}}`},
		{"single quotes", `{'jsonrpc':'2.0','id':` + idMark + `,'result':{}}`},
		{"line comment", `{"jsonrpc":"2.0", // hello "id":` + idMark + `,"result":{}}`},
		{"block comment", `{"jsonrpc":"2.0",/* hello */"id":` + idMark + `,"result":{}}`},
		{"hash comment", `# hello ` + ok},
		{"closed by the wrong bracket", `{"jsonrpc":"2.0","id":` + idMark + `,"result":{]}`},
		{"array closed by brace", answerWith(`{"content":[}}`)},
		{"one brace too many", ok + "}"},
		{"two messages on a line", ok + ok},
		{"two messages with a comma", ok + "," + ok},
		{"garbage behind", ok + " trailing"},
		{"garbage before", "log: " + ok},
		{"spread over lines", strings.ReplaceAll(ok, ",", ",\n")},
		{"event stream line", "data: " + ok},
		{"content length header", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(ok), ok)},
		{"record separator", "\x1e" + ok},
		{"html", "<html><body>502 Bad Gateway</body></html>"},
		{"xml", `<?xml version="1.0"?><methodResponse/>`},
		{"yaml", "jsonrpc: '2.0'"},
		{"open brace", "{"},
		{"open bracket", "["},
		{"close brace", "}"},
		{"quote", `"`},
		{"comma", ","},
		{"colon", ":"},
		{"string without end", `{"jsonrpc":"2.0","id":` + idMark + `,"result":{"content":"`},
		{"ends in a backslash", `{"jsonrpc":"2.0","id":` + idMark + `,"result":"\`},
		{"vertical tab as space", "{\v" + ok[1:]},
		{"form feed as space", "{\f" + ok[1:]},
		{"no-break space as space", "{\u00a0" + ok[1:]},
		{"line separator as space", "{\u2028" + ok[1:]},
		{"null byte before", "\x00" + ok},
		{"null byte behind", ok + "\x00"},
		{"null byte inside", "{\x00" + ok[1:]},
		{"only null bytes", strings.Repeat("\x00", 100)},
		{"100,000 open brackets", strings.Repeat("[", 100_000)},
		{"100,000 open objects", strings.Repeat(`{"a":`, 100_000)},
		{"terminal colours", "\x1b[31m" + ok + "\x1b[0m"},
	}
}

func literalCases() [][2]string {
	cases := namedBy("value ", answerWith(`{"n":%s}`),
		"NaN", "Infinity", "-Infinity", "+1", "01", "-01", "1.", ".5", "-.5", "1e", "1e+", "1E-", "-", "--1", "0x10", "0b1", "0o7",
		"1_000", "1,5", "1 2", "True", "FALSE", "None", "nil", "undefined", "nul", "tru", "truee", "1n", "1f", "'a'", "`a`", "(1)", "\u0661")
	return append(cases, namedBy("string ", answerWith(`{"s":"%s"}`),
		`\x41`, `\u12`, `\u12g4`, `\u{1F600}`, `\U0001F600`, `\'`, `\a`, `\0`, `\ `, "a\tb", "a\nb", "a\rb", "a\x00b", "a\x1fb", "a\x08b")...)
}

func encodingCases() [][2]string {
	ok := answerWith(plainResult)
	cases := [][2]string{
		{"byte order mark before", "\ufeff" + ok},
		{"byte order mark inside", "{\ufeff" + ok[1:]},
		{"utf-16 little endian", utf16Text(ok, false)},
		{"utf-16 big endian", utf16Text(ok, true)},
	}
	for _, c := range [][2]string{
		{"lone continuation byte", "\x80"},
		{"lone start byte", "\xc3"},
		{"start byte without continuation", "\xc3("},
		{"overlong slash", "\xc0\xaf"},
		{"overlong nul", "\xc0\x80"},
		{"overlong of three bytes", "\xe0\x80\xaf"},
		{"encoded surrogate", "\xed\xa0\x80"},
		{"encoded surrogate pair", "\xed\xa0\xbd\xed\xb8\x80"},
		{"beyond unicode", "\xf4\x90\x80\x80"},
		{"five byte form", "\xf8\x88\x80\x80\x80"},
		{"byte ff", "\xff"},
		{"byte fe", "\xfe"},
		{"latin-1", "caf\xe9"},
		{"cut emoji", "\xf0\x9f\x98"},
	} {
		cases = append(cases,
			[2]string{"invalid utf-8 in a string: " + c[0], answerWith(`{"s":"` + c[1] + `"}`)},
			[2]string{"invalid utf-8 in a name: " + c[0], answerWith(`{"` + c[1] + `":1}`)})
	}
	return append(cases, [2]string{"invalid utf-8 outside", "\xff\xfe" + ok})
}

func utf16Text(s string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b.WriteByte(byte(u >> 8))
		}
		b.WriteByte(byte(u))
		if !big {
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}
