package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A decoder reads one file and collects what is wrong with it.
type decoder struct {
	*Reader
	file     string
	src      []byte
	most     int // bytes of it
	problems []Problem
	warnings []Problem
	spent    int  // values so far; aliases count each time they are used
	secret   bool // inside env or headers: lines of the file are not shown
	held     bool // of a project, and not approved: everything is left as it is written

	variables *variables
	unset     []int    // which of problems are that a variable has no value
	used      []string // other files that were read, or would have been; they hold secrets
	plain     bool     // the file itself holds a secret as it is
}

// use notes that the configuration hangs on another file.
func (d *decoder) use(path string) {
	if !slices.Contains(d.used, path) {
		d.used = append(d.used, path)
	}
}

// mostValues bounds the work that aliases can make of a small file.
const mostValues = 500_000

func (d *decoder) make(at Position, format string, args ...any) Problem {
	p := Problem{File: d.file, At: at, Text: fmt.Sprintf(format, args...)}
	if !d.secret {
		p.Line = caret(d.src, at)
	}
	return p
}

func (d *decoder) problem(at Position, format string, args ...any) {
	if len(d.problems) < 100 { // nobody reads more, and each keeps a line
		d.problems = append(d.problems, d.make(at, format, args...))
	}
}

func (d *decoder) warn(at Position, format string, args ...any) {
	if len(d.warnings) < 100 {
		d.warnings = append(d.warnings, d.make(at, format, args...))
	}
}

// spend counts a value and says whether there may be another one.
func (d *decoder) spend(at Position) bool {
	d.spent++
	if d.spent == mostValues {
		d.problem(at, "more than %d values: this is no configuration of servers", mostValues)
	}
	return d.spent < mostValues
}

// put adds an entry to a mapping and refuses a doubled key. It may be one of
// env, so the line is not shown.
func (d *decoder) put(n *node, e entry, seen map[string]Position) {
	if first, ok := n.put(e, seen); !ok {
		d.quietly(func() { d.problem(e.at, "key %q is already at %s: remove one of them", clip(e.key), first) })
	}
}

// quietly reports without showing lines of the file, for what may be secret.
func (d *decoder) quietly(report func()) {
	was := d.secret
	d.secret = true
	report()
	d.secret = was
}

// A field is a key of a mapping and what reads its value.
type field struct {
	key  string
	read func(*node)
}

// fields reads a mapping whose keys are known.
func (d *decoder) fields(n *node, what string, known []field) {
	if n.about != nil {
		n.about.object(known)
		return
	}
	if n.kind == nullNode {
		return // a key with everything below it commented out
	}
	if n.kind != mapNode {
		d.problem(n.at, "%s must be a mapping, not %s", what, n.kind)
		return
	}
	for _, e := range n.entries {
		if !d.spend(e.at) {
			return
		}
		i := slices.IndexFunc(known, func(f field) bool { return f.key == e.key })
		if i < 0 {
			d.unknown(e, what, known)
			continue
		}
		known[i].read(e.value)
	}
}

func (d *decoder) unknown(e entry, what string, known []field) {
	keys := make([]string, len(known))
	for i, f := range known {
		keys[i] = f.key
	}
	if k := nearest(e.key, keys); k != "" {
		d.problem(e.at, "unknown key %q in %s; did you mean %q?", clip(e.key), what, k)
		return
	}
	d.problem(e.at, "unknown key %q in %s; known: %s", clip(e.key), what, strings.Join(keys, ", "))
}

// text reads a string. A number or true is taken as it is written: nobody
// quotes a port.
func (d *decoder) text(n *node, what string) string {
	if n.about != nil {
		n.about.Type = anyScalar
		return ""
	}
	switch n.kind {
	case textNode, numberNode, boolNode:
		if strings.ContainsRune(n.text, 0) {
			d.problem(n.at, "%s must not hold a NUL character", what)
			return ""
		}
		return n.text
	}
	d.problem(n.at, "%s must be text, not %s", what, n.kind)
	return ""
}

// value is text in which variables are replaced.
func (d *decoder) value(n *node, what string) string {
	text := d.text(n, what)
	if !strings.ContainsAny(text, "${") {
		return text
	}
	replaced, err := d.variables.replace(text)
	if err != nil {
		before := len(d.problems)
		d.quietly(func() { d.problem(n.at, "%s: %v", what, err) })
		if len(d.problems) > before { // there may be enough of them already
			d.unset = append(d.unset, before)
		}
		return text
	}
	if strings.ContainsRune(replaced, 0) {
		d.quietly(func() { d.problem(n.at, "%s must not hold a NUL character", what) })
		return ""
	}
	return replaced
}

// list has each item of a list read.
func (d *decoder) list(n *node, what string, read func(*node)) {
	if n.about != nil {
		n.about.Type, n.about.Items = "array", new(Schema)
		read(&node{about: n.about.Items})
		return
	}
	if n.kind == nullNode {
		return
	}
	if n.kind != listNode {
		d.problem(n.at, "%s must be a list, not %s", what, n.kind)
		return
	}
	for _, item := range n.items {
		if !d.spend(item.at) {
			return
		}
		read(item)
	}
}

func (d *decoder) texts(n *node, what string) []string { return d.each(n, what, d.text) }

// values are texts in which variables are replaced.
func (d *decoder) values(n *node, what string) []string { return d.each(n, what, d.value) }

func (d *decoder) each(n *node, what string, read func(*node, string) string) (out []string) {
	d.list(n, what, func(item *node) {
		text := read(item, "an item of "+what)
		if item.about == nil {
			out = append(out, text)
		}
	})
	return out
}

// secrets reads a mapping of text to text whose values may be secrets.
func (d *decoder) secrets(n *node, what string) (out map[string]string) {
	d.quietly(func() { out = d.pairs(n, what) })
	return out
}

func (d *decoder) pairs(n *node, what string) map[string]string {
	if n.about != nil {
		n.about.Type, n.about.Other = "object", &Schema{Type: anyScalar}
		return nil
	}
	if n.kind == nullNode {
		return nil
	}
	if n.kind != mapNode {
		d.problem(n.at, "%s must be a mapping, not %s", what, n.kind)
		return nil
	}
	out := make(map[string]string, len(n.entries))
	for _, e := range n.entries {
		if !d.spend(e.at) {
			break
		}
		if e.key == "" || strings.ContainsAny(e.key, "=\x00\r\n") {
			d.problem(e.at, "%q cannot be a name in %s", clip(e.key), what)
			continue
		}
		out[e.key] = d.value(e.value, fmt.Sprintf("%s %s", what, clip(e.key)))
		d.plain = d.plain || d.secret && isPlainSecret(e.key, e.value.text)
	}
	return out
}

// isPlainSecret tells whether a variable or header looks like a secret that stands
// in the file itself.
func isPlainSecret(name, value string) bool {
	return !strings.Contains(value, "${") && (secretPair.MatchString(name+"="+value) || secretText.MatchString(value))
}

func (d *decoder) boolean(n *node, what string) bool {
	if n.about != nil {
		n.about.Type = "boolean"
		return false
	}
	if n.kind != boolNode {
		d.problem(n.at, "%s must be true or false, not %s", what, n.kind)
		return false
	}
	return strings.EqualFold(n.text, "true")
}

func (d *decoder) integer(n *node, what string, least, most int) int {
	if n.about != nil {
		n.about.Type, n.about.Least, n.about.Most = "integer", least, most
		return 0
	}
	v, err := strconv.Atoi(n.text)
	if n.kind != numberNode || err != nil || v < least || v > most {
		d.problem(n.at, "%s must be a whole number from %d to %d", what, least, most)
		return 0
	}
	return v
}

// oneOf reads a word out of a list.
func (d *decoder) oneOf(n *node, what string, words ...string) string {
	if n.about != nil {
		n.about.Words = words
		return ""
	}
	if n.kind == textNode && slices.Contains(words, n.text) {
		return n.text
	}
	said := n.kind.String()
	if n.kind == textNode {
		said = strconv.Quote(clip(n.text))
	}
	d.problem(n.at, "%s must be %s, not %s", what, strings.Join(words, ", "), said)
	return ""
}

// clip keeps text out of a file short enough for a message.
func clip(s string) string {
	const most = 80
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
}
