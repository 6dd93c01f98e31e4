package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"toolcrib/internal/wire"
)

// fingerprinted tells the members that say what a tool is and how it is used.
func fingerprinted(member string) bool {
	switch member {
	case "name", "title", "description", "inputSchema", "outputSchema", "annotations":
		return true
	}
	return false
}

// hashes returns the fingerprint of a definition, and a digest of all of it.
//
// The fingerprint is the SHA-256, in hexadecimal, of the canonical JSON object
// that has of the members name, title, description, inputSchema, outputSchema and
// annotations those that the definition has. So it changes with anything in
// them, and does not with the order of keys, space, escapes, or other members.
func (r *reader) hashes(definition *wire.Object) (fingerprint string, digest [32]byte) {
	members := append(r.members[:0], definition.Members()...)
	slices.SortFunc(members, func(a, b wire.Member) int { return strings.Compare(a.Name, b.Name) })
	whole, told := append(r.whole[:0], '{'), append(r.told[:0], '{')
	for _, m := range members {
		start := len(whole)
		whole = append(appendCanonicalText(whole, m.Name), ':')
		whole, _ = appendCanonical(whole, m.Value)
		whole = append(whole, ',')
		if fingerprinted(m.Name) {
			told = append(told, whole[start:]...)
		}
	}
	r.members, r.whole, r.told = members, closeObject(whole), closeObject(told)
	sum := sha256.Sum256(r.told)
	return hex.EncodeToString(sum[:]), sha256.Sum256(r.whole)
}

// A reader reads definitions. It keeps the memory that it needs for that from
// one to the next.
type reader struct {
	members     []wire.Member
	whole, told []byte
}

// closeObject ends an object of which each member was followed by a comma.
func closeObject(object []byte) []byte {
	if last := len(object) - 1; object[last] == ',' {
		object = object[:last]
	}
	return append(object, '}')
}

// tooDeep tells whether more than maxNesting containers are open at once.
func tooDeep(raw []byte) bool {
	if bytes.Count(raw, []byte{'{'})+bytes.Count(raw, []byte{'['}) <= maxNesting {
		return false
	}
	open, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			inString = !inString
		case inString:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			if open++; open > maxNesting {
				return true
			}
		case c == '}' || c == ']':
			open--
		}
	}
	return false
}
