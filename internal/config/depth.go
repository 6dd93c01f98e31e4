package config

import "bytes"

// mostDepth is how deep lists and mappings of JSON may be in one another.
const mostDepth = 10_000

// tooDeep refuses what could exhaust the stack of the parsers, which recurse.
func tooDeep(src []byte, kind syntax) (Position, bool) {
	if kind == jsonSyntax {
		return tooDeepJSON(src)
	}
	// Of the others all that can open a level is counted and never what closes
	// one: a real file is far below these figures.
	const brackets, dashes = 50_000, 200
	line, inLine, open := 1, 0, 0
	for i, c := range src {
		switch c {
		case '\n':
			line, inLine = line+1, 0
		case '[', '{':
			open++
		case '-', '?':
			if i+1 < len(src) && (src[i+1] == ' ' || src[i+1] == '\t') {
				inLine++
			}
		}
		if open > brackets || inLine > dashes {
			return Position{line, 1}, true
		}
	}
	return Position{}, false
}

// tooDeepJSON goes by what is really open: clients keep whole conversations in
// their files, with many brackets one after another.
func tooDeepJSON(src []byte) (Position, bool) {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '[', '{':
			if depth++; depth > mostDepth {
				return Position{bytes.Count(src[:i], []byte("\n")) + 1, 1}, true
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '/':
			i = skipComment(src, i)
		}
	}
	return Position{}, false
}

// skipComment is where a comment that begins at i ends, i itself if none does.
func skipComment(src []byte, i int) int {
	rest := src[i:]
	end := []byte("\n")
	switch {
	case bytes.HasPrefix(rest, []byte("/*")):
		end = []byte("*/")
	case !bytes.HasPrefix(rest, []byte("//")):
		return i
	}
	if at := bytes.Index(rest[2:], end); at >= 0 {
		return i + 2 + at + len(end) - 1
	}
	return len(src)
}
