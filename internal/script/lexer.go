package script

import "strings"

// A token is a word of Lua's. Comments are none.
type token struct {
	kind tokenKind
	text string // a string's is what it says
	line int
}

type tokenKind int

const (
	endToken tokenKind = iota
	nameToken
	stringToken
	numberToken
	otherToken
)

// A lexer takes a script apart. It is for scripts that compile: of one that does not
// it makes something, and ends.
type lexer struct {
	source string
	at     int
	line   int
}

// tokens are all words of a script, and an end.
func tokens(source string) []token {
	l := &lexer{source: source, line: 1}
	var all []token
	for {
		t := l.next()
		all = append(all, t)
		if t.kind == endToken {
			return all
		}
	}
}

func (l *lexer) next() token {
	l.skip()
	t := token{line: l.line}
	if l.at >= len(l.source) {
		return t
	}
	switch c := l.source[l.at]; {
	case nameRune(rune(c)) && (c < '0' || c > '9'):
		t.kind, t.text = nameToken, l.while(func(c byte) bool { return nameRune(rune(c)) })
	case c >= '0' && c <= '9':
		t.kind, t.text = numberToken, l.while(func(c byte) bool { return nameRune(rune(c)) || c == '.' })
	case c == '"' || c == '\'':
		t.kind, t.text = stringToken, l.quoted(c)
	case c == '[' && l.level() >= 0:
		t.kind, t.text = stringToken, l.long(l.level())
	default:
		t.kind, t.text = otherToken, l.symbol()
	}
	return t
}

// skip passes white space and comments.
func (l *lexer) skip() {
	for l.at < len(l.source) {
		switch c := l.source[l.at]; {
		case c == '\n':
			l.line++
			l.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			l.at++
		case strings.HasPrefix(l.source[l.at:], "--"):
			l.at += 2
			if level := l.level(); level >= 0 {
				l.long(level)
			} else {
				l.while(func(c byte) bool { return c != '\n' })
			}
		default:
			return
		}
	}
}

func (l *lexer) while(in func(byte) bool) string {
	start := l.at
	for l.at < len(l.source) && in(l.source[l.at]) {
		l.at++
	}
	return l.source[start:l.at]
}

// level is how many = are in the long bracket that opens here, -1 if none does.
func (l *lexer) level() int {
	rest := l.source[l.at:]
	if !strings.HasPrefix(rest, "[") {
		return -1
	}
	level := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "="))
	if !strings.HasPrefix(rest[1+level:], "[") {
		return -1
	}
	return level
}

func (l *lexer) long(level int) string {
	l.at += level + 2
	text, _, found := strings.Cut(l.source[l.at:], "]"+strings.Repeat("=", level)+"]")
	l.at += len(text)
	if found {
		l.at += level + 2
	}
	l.line += strings.Count(text, "\n")
	return strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
}

// quoted reads a string. One with escapes says something else than it shows: it is
// given back as it stands, which is the name of no tool.
func (l *lexer) quoted(quote byte) string {
	l.at++
	start := l.at
	for l.at < len(l.source) && l.source[l.at] != quote {
		switch l.source[l.at] {
		case '\\':
			l.at++
			if l.at < len(l.source) && l.source[l.at] == '\n' {
				l.line++
			}
		case '\n':
			l.line++
		}
		l.at++
	}
	end := min(l.at, len(l.source))
	l.at = min(l.at+1, len(l.source))
	return l.source[start:end]
}

func (l *lexer) symbol() string {
	for _, s := range []string{"...", "..", "==", "~=", "<=", ">=", "::", "<<", ">>", "//"} {
		if strings.HasPrefix(l.source[l.at:], s) {
			l.at += len(s)
			return s
		}
	}
	l.at++
	return l.source[l.at-1 : l.at]
}
