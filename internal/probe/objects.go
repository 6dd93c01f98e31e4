package probe

import (
	"bytes"

	"toolcrib/internal/wire"
)

// leastObject is the length of the shortest object that says something.
const leastObject = len(`{"name":""}`)

// eachObject calls f with every JSON object that stands in a text, whatever is
// around it, from left to right. An object inside another one is visited only
// where the outer one is broken or cut off.
//
// Each failed attempt is paid from a budget, so that a text of nothing but
// openings takes no longer than one of the same length in good order.
func eachObject(text []byte, f func(start, end int)) {
	budget := 8*len(text) + 1<<16
	for i := 0; budget > 0; {
		next := bytes.IndexByte(text[i:], '{')
		if next < 0 {
			return
		}
		if i += next; !opensObject(text, i+1) {
			i++
			continue
		}
		end, ok := objectEnd(text, i)
		if ok && wire.CheckJSON(text[i:end]) == nil {
			if end-i >= leastObject {
				f(i, end)
			}
			i = end
			continue
		}
		budget -= end - i
		i++
	}
}

// objectEnd is where the object that opens at i closes, or where it was clear
// that it does not.
func objectEnd(text []byte, i int) (int, bool) {
	var closers [wire.MaxDepth]byte
	depth := 0
	for ; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			if depth == len(closers) {
				return i, false
			}
			closers[depth] = c + 2 // '}' is '{'+2, ']' is '['+2
			depth++
		case '}', ']':
			if c != closers[depth-1] {
				return i, false
			}
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '"':
			end, ok := stringEnd(text, i)
			if !ok {
				return end, false
			}
			i = end - 1
		}
	}
	return i, false
}

// opensObject tells whether what follows an opening brace can be an object's
// inside: a quoted name or nothing.
func opensObject(text []byte, i int) bool {
	for ; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		case '"', '}':
			return true
		default:
			return false
		}
	}
	return false
}

// stringEnd is the index after the string that opens at i. A line's end ends
// the attempt: no JSON string has one.
func stringEnd(text []byte, i int) (int, bool) {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1, true
		case '\\':
			i++
		case '\n':
			return i, false
		}
	}
	return min(i, len(text)), false
}

// alone tells whether nothing else stands on the lines of text[start:end], but
// what separates the elements of an array.
func alone(text []byte, start, end int) bool {
	for start--; start >= 0 && text[start] != '\n'; start-- {
		switch text[start] {
		case ' ', '\t', '\r', ',', '[':
		default:
			return false
		}
	}
	for ; end < len(text) && text[end] != '\n'; end++ {
		switch text[end] {
		case ' ', '\t', '\r', ',', ']':
		default:
			return false
		}
	}
	return true
}
