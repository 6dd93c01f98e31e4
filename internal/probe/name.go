package probe

import (
	"regexp"
	"strings"
	"unicode"
)

const maxName = 128 // bytes; the longest of 4,872 real names has 63

// validName tells whether a name that a server or a client's file spells out as
// a tool's may be one. A few real servers have spaces and brackets in theirs.
func validName(s string) bool {
	if s == "" || len(s) > maxName || strings.TrimSpace(s) != s {
		return false
	}
	letters := false
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return false
		}
		letters = letters || unicode.IsLetter(r)
	}
	return letters && !strings.Contains(s, "  ")
}

// plainName is the form of nearly all tool names.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(?:[-./][A-Za-z0-9_]+)*$`)

// notNames end what looks like a name and is a file, a class of error or an address.
var notNames = regexp.MustCompile(`(?:Error|Exception|Warning)$|\.(?:[cm]?[jt]sx?|json|ya?ml|toml|py|go|rs|node|so|md|env|html?|com|org|net|io|dev|app|ai)$`)

// likelyName is the stricter rule for a name that nothing but its place in a
// text declares to be a tool's: no variable of the environment (all capitals),
// no file, no host, no class of error.
func likelyName(s string) bool {
	return len(s) >= 2 && len(s) <= 64 && plainName.MatchString(s) &&
		strings.ToUpper(s) != s && !notNames.MatchString(s)
}
