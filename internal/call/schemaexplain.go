package call

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toolcrib/internal/wire"
)

// A step leads from a value into it: to a member, or to an element.
type step struct {
	name  []byte // raw
	index int
}

func (c *checker) enter(s step) {
	if c.explain {
		c.path = append(c.path, s)
	}
}

func (c *checker) leave() {
	if c.explain {
		c.path = c.path[:len(c.path)-1]
	}
}

const (
	maxProblems = 10
	maxListed   = 20  // names or values in one problem
	maxCompared = 500 // names among which the one meant is looked for
)

// How much a problem says against a branch of an anyOf being the one meant.
const (
	slight = 1
	severe = 100
)

// wrong notes a problem, in words if somebody will read them. It is false.
func (c *checker) wrong(severity int, format string, args ...any) bool {
	c.severity += severity
	if !c.full() {
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
	return false
}

// full tells that no further problem will be told, nor need be put into words.
func (c *checker) full() bool { return !c.explain || len(c.problems) >= maxProblems }

// here names the value that is looked at.
func (c *checker) here() string { return c.inside("") }

// inside names a member of the value that is looked at.
func (c *checker) inside(name string) string {
	if c.full() {
		return ""
	}
	var b strings.Builder
	for _, s := range c.path {
		if s.name == nil {
			fmt.Fprintf(&b, "[%d]", s.index)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		text, _ := wire.Text(s.name)
		b.WriteString(clip(text))
	}
	if name != "" {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(clip(name))
	}
	if b.Len() == 0 {
		return "the arguments"
	}
	return strconv.Quote(clipFront(b.String()))
}

func (c *checker) wrongKind(s *schema, raw []byte, k kind) bool {
	if c.full() {
		return c.wrong(severe, "")
	}
	return c.wrong(severe, "%s must be %s, not %s%s", c.here(), c.words(s, 0), k.word(), slipOfKind(s.kinds, raw, k))
}

// slipOfKind tells what the usual slips need.
func slipOfKind(want kind, raw []byte, k kind) string {
	text, _ := wire.Text(raw)
	text = strings.TrimSpace(text)
	switch {
	case k == kindNull:
		return ": leave it out if there is nothing to say"
	case k != kindString || text == "":
	case want&kindList != 0 && text[0] == '[', want&kindObject != 0 && text[0] == '{':
		return " that holds JSON: send the JSON itself"
	case want&(kindNumber|kindBool) != 0 && want&kindOf([]byte(text)) != 0 && wire.CheckJSON([]byte(text)) == nil:
		return ": send " + clip(text) + " without quotes"
	}
	return ""
}

func (c *checker) wrongValue(values *valueSet, raw []byte, k kind) bool {
	if c.full() {
		return c.wrong(severe, "")
	}
	got, meant := k.word(), ""
	switch {
	case k == kindString:
		text, _ := wire.Text(raw)
		got = quoted(text)
		if near := c.nearest(text, values.texts); near != "" {
			meant = ": did you mean " + quoted(near) + "?"
		}
	case k&(kindNumber|kindBool) != 0:
		got = clip(string(raw))
	}
	return c.wrong(severe, "%s must be %s, not %s%s", c.here(), values.words(), got, meant)
}

func (c *checker) outside(l *limit, inclusive, exclusive string, raw []byte) bool {
	if l.exclusive {
		inclusive = exclusive
	}
	return c.wrong(slight, "%s must be %s %s, not %s", c.here(), inclusive, clip(l.text), clip(string(raw)))
}

func (c *checker) within(s span, n int, what string) bool {
	most, limit := "at least", s.min
	switch {
	case n > s.max:
		most, limit = "at most", s.max
	case n >= s.min:
		return true
	}
	if limit != 1 {
		what += "s"
	}
	return c.wrong(slight, "%s must have %s %d %s, not %d", c.here(), most, limit, what, n)
}

func (c *checker) unknownName(s *schema, raw []byte) bool {
	if c.full() {
		return c.wrong(slight, "")
	}
	name, _ := wire.Text(raw)
	if near := c.nearest(name, s.names); near != "" {
		return c.wrong(slight, "unknown %s: did you mean %s?", c.inside(name), quoted(near))
	}
	if len(s.names) == 0 {
		return c.wrong(slight, "unknown %s: nothing can be given here", c.inside(name))
	}
	return c.wrong(slight, "unknown %s: known are %s", c.inside(name), listed(s.names))
}

// missingNames tells what is missing, and what was perhaps meant for it.
func (c *checker) missingNames(s *schema, raw []byte, seen []uint64) bool {
	if c.full() {
		return c.wrong(slight, "")
	}
	var missing []string
	for i, name := range s.required {
		if seen[i/64]&(1<<(i%64)) != 0 {
			continue
		}
		if c.full() {
			break
		}
		missing = append(missing, name)
		words := "any"
		if of := s.properties[name].schema; of != nil {
			words = c.words(of, 0)
		}
		if words == "any" {
			c.wrong(slight, "missing required %s", c.inside(name))
			continue
		}
		c.wrong(slight, "missing required %s (%s)", c.inside(name), withoutArticle(words))
	}
	if s.closed { // unknown names were refused before
		return false
	}
	for w, n := walkThrough(raw), 0; n < maxListed && w.next(); n++ {
		if _, known := s.property(w.name); known {
			continue
		}
		name, _ := wire.Text(w.name)
		if near := c.nearest(name, missing); near != "" {
			c.wrong(0, "unknown %s: did you mean %s?", c.inside(name), quoted(near))
		}
	}
	return false
}

// fitsNone explains the branch that was probably meant: the one of the value's
// kind with the least wrong. If no branch is of its kind, it names them all.
func (c *checker) fitsNone(group []*schema, raw []byte, k kind, depth int) bool {
	if c.full() {
		return c.wrong(severe, "")
	}
	var best *checker
	for _, one := range group[:min(len(group), maxListed)] {
		if kinds := c.allowed(one, 0); kinds != 0 && kinds&k == 0 {
			continue
		}
		share := c.left / 4
		try := &checker{left: share, explain: true, path: slices.Clone(c.path)}
		fits := try.check(one, raw, depth+1)
		c.left -= share - try.left
		if !fits && len(try.problems) > 0 && (best == nil || try.severity < best.severity) {
			best = try
		}
	}
	if best == nil || k&(kindObject|kindList) == 0 && len(group) > 1 {
		return c.wrong(severe, "%s must be %s, not %s", c.here(), c.wordsOfAny(group, 0), shownValue(raw, k))
	}
	c.severity += best.severity
	c.problems = append(c.problems, best.problems...)
	c.problems = c.problems[:min(len(c.problems), maxProblems)]
	return false
}

// nearest costs time that a hostile schema could make long.
func (c *checker) nearest(name string, known []string) string {
	known = known[:min(len(known), maxCompared)]
	if c.left -= 64 * len(known); c.left < 0 {
		return ""
	}
	return nearest(name, known)
}

// listed names some of many.
func listed(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), maxListed)] {
		out = append(out, quoted(name))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}
