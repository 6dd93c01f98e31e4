package call

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolcrib/internal/wire"
)

// A kindName is what schemas call a kind, and what we do.
type kindName struct {
	kind         kind
	schema, word string
}

var kindNames = [...]kindName{
	{kindString, "string", "str"},
	{kindNumber, "number", "num"},
	{kindInteger, "integer", "int"},
	{kindBool, "boolean", "bool"},
	{kindList, "array", "a list"},
	{kindObject, "object", "an object"},
	{kindNull, "null", "null"},
}

// word is the name of what was sent.
func (k kind) word() string {
	if k == kindFraction {
		return "num"
	}
	for _, n := range kindNames {
		if n.kind == k {
			return n.word
		}
	}
	return "nothing"
}

// wordDepth is how far into a schema words go.
const wordDepth = 4

// words says which values a schema wants: str, a list of int, "a" or "b".
func (c *checker) words(s *schema, depth int) string {
	if c.left--; c.left < 0 || depth > wordDepth {
		return "any"
	}
	if s.values != nil && len(s.values.shown) > 0 {
		return s.values.words()
	}
	var out []string
	for left, i := s.kinds, 0; i < len(kindNames); i++ {
		n := kindNames[i]
		if left&n.kind != n.kind {
			continue
		}
		left &^= n.kind
		word := n.word
		if n.kind == kindList && s.items != nil {
			if of := c.words(s.items, depth+1); of != "any" {
				word += " of " + withoutArticle(of)
			}
		}
		out = append(out, word)
	}
	if len(out) > 0 {
		return strings.Join(out, " or ")
	}
	for _, one := range s.all {
		if w := c.words(one, depth+1); w != "any" {
			return w
		}
	}
	for _, group := range s.any {
		if w := c.wordsOfAny(group, depth+1); w != "any" {
			return w
		}
	}
	return "any"
}

func (c *checker) wordsOfAny(group []*schema, depth int) string {
	var out []string
	for _, one := range group[:min(len(group), maxListed)] {
		w := c.words(one, depth+1)
		if w == "any" {
			return w
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if more := len(group) - maxListed; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, " or ")
}

// allowed is which kinds a schema may allow, 0 for all.
func (c *checker) allowed(s *schema, depth int) kind {
	if c.left--; c.left < 0 || s.kinds != 0 || depth > wordDepth {
		return s.kinds
	}
	for _, one := range s.all {
		if k := c.allowed(one, depth+1); k != 0 {
			return k
		}
	}
	return 0
}

func (v *valueSet) words() string {
	if len(v.shown) == 1 && !v.containers {
		return v.shown[0]
	}
	shown := v.shown[:min(len(v.shown), maxListed)]
	out := "one of " + strings.Join(shown, ", ")
	if more := len(v.shown) - len(shown); more > 0 {
		out += fmt.Sprintf(", %d more", more)
	}
	return out
}

// shownValue is a short value itself, else its kind.
func shownValue(raw []byte, k kind) string {
	if k == kindString {
		text, _ := wire.Text(raw)
		return quoted(text)
	}
	if k&(kindNumber|kindBool) != 0 {
		return clip(string(raw))
	}
	return k.word()
}

// quoted is a text that somebody else chose, short and with nothing in it that
// does not show.
func quoted(s string) string { return strconv.Quote(clip(s)) }

// withoutArticle is for words that stand behind "list of" or in brackets.
func withoutArticle(words string) string {
	return strings.TrimPrefix(strings.TrimPrefix(words, "an "), "a ")
}

func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// clipFront keeps the end of a path, which says most.
func clipFront(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	cut := len(s) - most
	for cut < len(s) && !utf8.RuneStart(s[cut]) {
		cut++
	}
	return "..." + s[cut:]
}
