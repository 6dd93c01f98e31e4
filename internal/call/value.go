package call

import "bytes"

// A kind is one of JSON's types, as a bit, so that several fit into one set.
type kind uint8

const (
	kindObject kind = 1 << iota
	kindList
	kindString
	kindInteger
	kindFraction // a number that is no integer
	kindBool
	kindNull

	kindNumber = kindInteger | kindFraction
	anyKind    = 0x7f
)

// kindOf is the kind of a raw value without space around it; 0 for no JSON.
func kindOf(raw []byte) kind {
	if len(raw) == 0 {
		return 0
	}
	switch c := raw[0]; {
	case c == '{':
		return kindObject
	case c == '[':
		return kindList
	case c == '"':
		return kindString
	case c == 't', c == 'f':
		return kindBool
	case c == 'n':
		return kindNull
	case c == '-', c >= '0' && c <= '9':
		if isInteger(raw) {
			return kindInteger
		}
		return kindFraction
	}
	return 0
}

// A walk goes through the elements or members of a raw JSON value that was
// checked before: it does not look for mistakes, but ends at one. It needs no
// memory, unlike wire.Object and wire.Elements.
type walk struct {
	raw []byte
	at  int
	// Of the present element:
	name  []byte // a member's name with its quotes, nil in a list
	value []byte // raw, without space around it
}

// walkThrough starts in front of the first element of an object or a list.
func walkThrough(container []byte) walk { return walk{raw: container, at: 1} }

// next goes to the next element and tells whether there is one.
func (w *walk) next() bool {
	i := skipBetween(w.raw, w.at)
	if i >= len(w.raw) || w.raw[i] == '}' || w.raw[i] == ']' {
		return false
	}
	w.name = nil
	if w.raw[0] == '{' {
		end := endOfValue(w.raw, i)
		if end-i < 2 || w.raw[i] != '"' {
			return false
		}
		w.name = w.raw[i:end]
		i = skipBetween(w.raw, end)
	}
	end := endOfValue(w.raw, i)
	if end <= i {
		return false
	}
	w.value, w.at = w.raw[i:end:end], end
	return true
}

// skipBetween passes space, commas and colons.
func skipBetween(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\n', '\t', '\r', ',', ':':
			i++
		default:
			return i
		}
	}
	return i
}

// endOfValue is the index just after the value that starts at b[i].
func endOfValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = endOfString(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ' ', '\n', '\t', '\r', ',', ':':
			i++
			continue // between values, which only a container has
		default:
			i = endOfWord(b, i)
		}
		if depth <= 0 {
			return i
		}
	}
	return i
}

// endOfWord is the index just after the number, true, false or null at b[i].
func endOfWord(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case ' ', '\n', '\t', '\r', ',', ':', '{', '[', '}', ']', '"':
			return i
		}
	}
	return i
}

// endOfString is the index just after the string whose opening quote is b[i].
func endOfString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		slash := bytes.IndexByte(b[i:i+n], '\\')
		if slash < 0 {
			return i + n + 1
		}
		i += slash + 1 // whatever is escaped is passed by the loop
	}
	return len(b)
}
