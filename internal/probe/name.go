package probe

import (
	"slices"
	"strings"
	"unicode"

	"toolcrib/internal/lazyre"
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
var plainName = lazyre.New(`^[A-Za-z_][A-Za-z0-9_]*(?:[-./][A-Za-z0-9_]+)*$`)

// notNames end what looks like a name and is a file, a class of error or an address.
var notNames = lazyre.New(`(?:Error|Exception|Warning)$|\.(?:[cm]?[jt]sx?|json|ya?ml|toml|py|go|rs|node|so|md|env|html?|com|org|net|io|dev|app|ai)$`)

// likelyName is the stricter rule for a name that nothing but its place in a
// text declares to be a tool's: no variable of the environment (all capitals),
// no file, no host, no class of error.
func likelyName(s string) bool {
	return len(s) >= 2 && len(s) <= 64 && plainName.MatchString(s) &&
		strings.ToUpper(s) != s && !notNames.MatchString(s)
}

// verbs are words of tool names that say what is done. Four of five real servers
// with names of this form have one in most of them.
var verbs = wordSet(`
	add analyze append apply archive ask assign attach browse build call cancel check clear click clone close
	commit compare convert copy create cut delete describe download edit enable evaluate execute export extract
	fetch find generate get import insert inspect invoke list load lookup mark merge move navigate open
	publish push query read remove rename replace reset resolve restart retrieve run save scan schedule scrape
	search select send set share show start stop submit summarize sync test track translate trigger update upload
	validate verify view wait write`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// soundLikeTools tells whether most of the names, of the form word_word, say
// what is done.
func soundLikeTools(names []string) bool {
	doing := 0
	for _, n := range names {
		if slices.ContainsFunc(strings.Split(n, "_"), func(w string) bool { return verbs[w] }) {
			doing++
		}
	}
	return 2*doing > len(names)
}
