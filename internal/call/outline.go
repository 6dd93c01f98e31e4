package call

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolcrib/internal/wire"
)

const (
	maxOutlined       = 1 << 20 // bytes of a result that is outlined
	maxOutline        = 1500    // bytes of an outline
	outlineDepth      = 8
	outlineElements   = 50 // of a list that are looked at
	outlineMembers    = 60 // of an object that are named
	maxOutlinedShapes = 2000
)

// Outline is the structure of what a tool answered, with types and without
// values, such as {id: int, labels: [{name: str}], user?: {...}}. A member with ?
// is in some elements of a list only, and * stands for names that are data. It
// is of structuredContent, else of a text that is JSON, else it names the kinds
// of content. It is short whatever the result; one that is too large to look at
// or cannot be read has none, "".
func Outline(result []byte) string {
	if len(result) > maxOutlined {
		return ""
	}
	object, err := wire.ParseObject(result)
	if err != nil {
		return ""
	}
	if structured := object.Get("structuredContent"); structured != nil && string(structured) != "null" {
		return outlineOf(structured)
	}
	var kinds []string
	var text string
	content := object.Get("content")
	for w := walkThrough(content); kindOf(content) == kindList && w.next(); {
		kind, _ := wire.Text(wire.Find(w.value, "type"))
		if kind == "text" {
			text, _ = wire.Text(wire.Find(w.value, "text"))
		}
		if !isFieldName(kind) {
			kind = "other"
		}
		if kinds = append(kinds, kind); len(kinds) > outlineMembers {
			break
		}
	}
	if inner := trimSpace([]byte(text)); len(kinds) == 1 && wire.CheckJSON(inner) == nil {
		return outlineOf(inner)
	}
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), " and ")
}

// outlineOf outlines a value, less deep if it would become too long.
func outlineOf(raw []byte) string {
	o := outliner{left: maxOutlinedShapes}
	var s shape
	o.add(&s, raw, outlineDepth)
	for depth := outlineDepth; ; depth-- {
		if text := s.text(depth); len(text) <= maxOutline || depth == 0 {
			return text
		}
	}
}

// A shape is what some values have in common.
type shape struct {
	kinds   kind
	objects int // how many of the values were objects
	members []shapeMember
	data    *shape // of the members whose names are data, nil if there are none
	more    bool   // there is more inside than is told
	items   *shape // of the elements, nil if there were none
}

type shapeMember struct {
	name  string
	in    int // how many objects
	shape *shape
}

// An outliner makes shapes, and not too many.
type outliner struct{ left int }

// add makes s the shape of one more value.
func (o *outliner) add(s *shape, raw []byte, depth int) {
	k := kindOf(raw)
	s.kinds |= k
	if k&(kindObject|kindList) == 0 {
		return
	}
	if depth == 0 {
		w := walkThrough(raw)
		s.more = w.next() || s.more
		return
	}
	if k == kindList {
		n := 0
		for w := walkThrough(raw); n < outlineElements && w.next(); n++ {
			if s.items == nil && !o.make(&s.items) {
				return
			}
			o.add(s.items, w.value, depth-1)
		}
		return
	}
	s.objects++
	for w := walkThrough(raw); w.next(); {
		name, _ := wire.Text(w.name)
		if inner := o.member(s, name); inner != nil {
			o.add(inner, w.value, depth-1)
		}
	}
}

// member is the shape of a member of s, nil if it is not looked at.
func (o *outliner) member(s *shape, name string) *shape {
	if !isFieldName(name) {
		if s.data == nil && !o.make(&s.data) {
			s.more = true
		}
		return s.data
	}
	i := slices.IndexFunc(s.members, func(m shapeMember) bool { return m.name == name })
	if i < 0 {
		var inner *shape
		if len(s.members) >= outlineMembers || !o.make(&inner) {
			s.more = true
			return nil
		}
		i = len(s.members)
		s.members = append(s.members, shapeMember{name: name, shape: inner})
	}
	s.members[i].in++
	return s.members[i].shape
}

func (o *outliner) make(s **shape) bool {
	if o.left--; o.left < 0 {
		return false
	}
	*s = &shape{}
	return true
}

// isFieldName tells names that a programmer gave from those that are data, such
// as addresses, dates, paths and ids.
func isFieldName(name string) bool {
	if name == "" || len(name) > 40 || !utf8.ValidString(name) {
		return false
	}
	digits := 0
	for _, r := range name {
		switch {
		case unicode.IsDigit(r):
			digits++
		case !unicode.IsLetter(r) && r != '_' && r != '-' && r != '$':
			return false
		}
	}
	return digits <= 3 && !unicode.IsDigit(rune(name[0]))
}

// text writes a shape down to a depth.
func (s *shape) text(depth int) string {
	var out []string
	if s.kinds&kindObject != 0 {
		out = append(out, s.objectText(depth))
	}
	if s.kinds&kindList != 0 {
		inner := ""
		switch {
		case s.items != nil && depth > 0:
			inner = s.items.text(depth - 1)
		case s.items != nil || s.more && s.kinds&kindObject == 0:
			inner = "..."
		}
		out = append(out, "["+inner+"]")
	}
	kinds := s.kinds &^ (kindObject | kindList)
	for _, n := range kindNames {
		if kinds&n.kind != 0 && (n.kind != kindNumber || kinds&kindFraction != 0) {
			out = append(out, n.word)
			kinds &^= n.kind
		}
	}
	return strings.Join(out, "|")
}

func (s *shape) objectText(depth int) string {
	if len(s.members) == 0 && s.data == nil && !s.more {
		return "{}"
	}
	if depth == 0 {
		return "{...}"
	}
	shapes := make([]string, len(s.members))
	for i, m := range s.members {
		shapes[i] = m.shape.text(depth - 1)
	}
	var out []string
	if s.namesAreData(shapes) {
		out = append(out, "*: "+shapes[0])
	} else {
		for i, m := range s.members {
			mark := ""
			if m.in < s.objects {
				mark = "?"
			}
			out = append(out, m.name+mark+": "+shapes[i])
		}
		if s.data != nil {
			out = append(out, "*: "+s.data.text(depth-1))
		}
	}
	if s.more {
		out = append(out, "...")
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// namesAreData tells whether there are many members, and all the same: their
// names are then probably data. A record may have a dozen texts, so that those
// count less.
func (s *shape) namesAreData(shapes []string) bool {
	many := 12
	if len(s.members) > 0 && s.members[0].shape.kinds&(kindObject|kindList) == 0 {
		many = 40
	}
	return len(s.members) >= many && len(slices.Compact(slices.Clone(shapes))) == 1
}
