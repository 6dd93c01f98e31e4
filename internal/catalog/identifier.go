package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// maxIdentifier is how long an identifier may be: as long as the protocol lets
// names be. A longer one would be longer than most descriptions.
const maxIdentifier = 128

// unnamed stands for an empty name.
const unnamed = "_unnamed"

// Identifier is the Lua identifier for a name: any character that an
// identifier cannot have becomes _, a leading digit or a reserved word gets _ in
// front, and no name at all is _unnamed. A name longer than 128 characters is cut
// and ends in a hash of the whole, so that it is not taken for another.
//
// Two names may have the same identifier; a Snapshot tells them apart.
func Identifier(name string) string {
	if name == "" {
		return unnamed
	}
	if isIdentifier(name) {
		return name
	}
	n := utf8.RuneCountInString(name)
	long := n > maxIdentifier
	if long {
		n = maxIdentifier
	}
	var b strings.Builder
	b.Grow(n + 1)
	for i, r := range name {
		if i == 0 && r >= '0' && r <= '9' {
			b.WriteByte('_')
		}
		if !identifierRune(r) {
			r = '_'
		}
		b.WriteByte(byte(r))
		if b.Len() > maxIdentifier {
			break
		}
	}
	id := b.String()
	if reserved(id) {
		id = "_" + id
	}
	if long || len(id) > maxIdentifier {
		return withSuffix(id, shortHash(name, 8))
	}
	return id
}

// isIdentifier tells whether a name is an identifier as it is.
func isIdentifier(name string) bool {
	if name == "" || len(name) > maxIdentifier || name[0] >= '0' && name[0] <= '9' || reserved(name) {
		return false
	}
	for i := range len(name) {
		if !identifierRune(rune(name[i])) {
			return false
		}
	}
	return true
}

func identifierRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// reserved tells the reserved words of Lua 5.4.
func reserved(word string) bool {
	switch word {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
		"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}

// withSuffix puts a suffix to an identifier, which is cut if it is long.
func withSuffix(id, suffix string) string {
	if most := maxIdentifier - 1 - len(suffix); len(id) > most {
		id = id[:max(most, 1)]
	}
	return id + "_" + suffix
}

// shortHash is the first digits of a hash of s.
func shortHash(s string, digits int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:digits]
}
