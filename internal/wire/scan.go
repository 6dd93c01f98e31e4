package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// MaxDepth is how deep a message may nest. Deeper ones are refused before
// anything else looks at them: a parser further on may recurse.
const MaxDepth = 1000

var (
	errDepth     = fmt.Errorf("nested deeper than %d levels", MaxDepth)
	errTruncated = errors.New("ends in the middle of a value")
)

// syntaxError says what was wrong and at which byte.
type syntaxError struct {
	what string
	at   int
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.what, e.at) }

// scanValue checks the JSON value that starts at b[i] (space allowed before it)
// and returns the index just after it. levels is how many containers may be
// opened. It neither recurses nor allocates.
func scanValue(b []byte, i, levels int) (int, error) {
	var objects [MaxDepth/64 + 1]uint64 // one bit a level: set for an object
	depth := 0
	var err error
value:
	i = skipSpace(b, i)
	if i >= len(b) {
		return i, errTruncated
	}
	switch c := b[i]; {
	case c == '"':
		if i, err = scanString(b, i); err != nil {
			return i, err
		}
	case c == '{' || c == '[':
		if depth >= levels || depth >= MaxDepth {
			return i, errDepth
		}
		if c == '{' {
			objects[depth>>6] |= 1 << (depth & 63)
		} else {
			objects[depth>>6] &^= 1 << (depth & 63)
		}
		depth++
		i = skipSpace(b, i+1)
		if i < len(b) && b[i] == c+2 { // '}' is '{'+2, ']' is '['+2
			goto closing
		}
		if c == '{' {
			goto key
		}
		goto value
	case c == '-' || (c >= '0' && c <= '9'):
		if i, err = scanNumber(b, i); err != nil {
			return i, err
		}
	default:
		if i, err = scanLiteral(b, i); err != nil {
			return i, err
		}
	}
after:
	if depth == 0 {
		return i, nil
	}
	i = skipSpace(b, i)
	if i >= len(b) {
		return i, errTruncated
	}
	if objects[(depth-1)>>6]&(1<<((depth-1)&63)) != 0 {
		switch b[i] {
		case ',':
			i++
			goto key
		case '}':
			goto closing
		}
		return i, &syntaxError{"expected ',' or '}'", i}
	}
	switch b[i] {
	case ',':
		i++
		goto value
	case ']':
		goto closing
	}
	return i, &syntaxError{"expected ',' or ']'", i}
closing:
	i++
	depth--
	goto after
key:
	i = skipSpace(b, i)
	if i >= len(b) {
		return i, errTruncated
	}
	if b[i] != '"' {
		return i, &syntaxError{"expected a member name", i}
	}
	if i, err = scanString(b, i); err != nil {
		return i, err
	}
	i = skipSpace(b, i)
	if i >= len(b) {
		return i, errTruncated
	}
	if b[i] != ':' {
		return i, &syntaxError{"expected ':'", i}
	}
	i++
	goto value
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// scanString checks the string whose opening quote is b[i], eight bytes at a
// time: most of a large result is text.
func scanString(b []byte, i int) (int, error) {
	i++
	for {
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			quote := w ^ (lowBits * '"')
			slash := w ^ (lowBits * '\\')
			stop := ((quote - lowBits) &^ quote) | ((slash - lowBits) &^ slash) | ((w - lowBits*0x20) &^ w)
			if stop &= highBits; stop != 0 {
				i += bits.TrailingZeros64(stop) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			return i, errTruncated
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\':
			n, err := scanEscape(b, i)
			if err != nil {
				return i, err
			}
			i = n
		case c < 0x20:
			return i, &syntaxError{"control character inside a string", i}
		default:
			i++
		}
	}
}

func scanEscape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return i, errTruncated
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		if i+6 > len(b) {
			return i, errTruncated
		}
		for _, c := range b[i+2 : i+6] {
			if !isHex(c) {
				return i, &syntaxError{"bad \\u escape", i}
			}
		}
		return i + 6, nil
	}
	return i, &syntaxError{"unknown escape", i}
}

func isHex(c byte) bool {
	return (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'f')
}

func scanNumber(b []byte, i int) (int, error) {
	start := i
	if b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && b[i] >= '1' && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return i, &syntaxError{"bad number", start}
	}
	if i < len(b) && b[i] == '.' {
		n := skipDigits(b, i+1)
		if n == i+1 {
			return i, &syntaxError{"bad number", start}
		}
		i = n
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		n := skipDigits(b, i)
		if n == i {
			return i, &syntaxError{"bad number", start}
		}
		i = n
	}
	return i, nil
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func scanLiteral(b []byte, i int) (int, error) {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b)-i >= len(word) && string(b[i:i+len(word)]) == word {
			return i + len(word), nil
		}
	}
	return i, &syntaxError{"not a JSON value", i}
}

// CheckJSON reports what is wrong with b as one JSON value, or nil.
func CheckJSON(b []byte) error {
	i, err := scanValue(b, 0, MaxDepth)
	if err != nil {
		return err
	}
	return endsAt(b, i)
}

// endsAt reports anything but space that follows a value.
func endsAt(b []byte, i int) error {
	if i = skipSpace(b, i); i != len(b) {
		return &syntaxError{"more after the value", i}
	}
	return nil
}
