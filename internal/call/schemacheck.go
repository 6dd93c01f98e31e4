package call

import (
	"bytes"
	"unicode/utf8"

	"toolcrib/internal/wire"
)

// A checker applies a schema to one value. Its work is bounded, whatever the
// schema and the value are: when it has done too much, the rest passes.
type checker struct {
	left int // steps; one is a schema applied, or 64 bytes gone through

	// Unset, the first thing wrong ends the check, which needs no memory.
	explain  bool
	path     []step
	problems []string
	severity int // of the problems, to choose between the branches of an anyOf
}

const maxWork = 1 << 17

// check tells whether a raw value fits a schema, as far as it can tell.
func (c *checker) check(s *schema, raw []byte, depth int) bool {
	if c.left--; c.left < 0 || depth > maxSteps {
		return true
	}
	if s.never {
		return c.wrong(severe, "%s must be left out", c.here())
	}
	k := kindOf(raw)
	if k == 0 || k == kindNull && s.nullable {
		return true
	}
	if s.kinds != 0 && s.kinds&k == 0 {
		return c.wrongKind(s, raw, k)
	}
	ok := true
	if s.values != nil && !s.values.has(raw, k) {
		ok = c.wrongValue(s.values, raw, k)
	}
	switch {
	case !ok:
	case k == kindString:
		ok = c.checkLength(s, raw)
	case k&kindNumber != 0:
		ok = c.checkNumber(s, raw)
	case k == kindList:
		ok = c.checkList(s, raw, depth)
	case k == kindObject:
		ok = c.checkObject(s, raw, depth)
	}
	for _, one := range s.all {
		if !ok && !c.explain {
			return false
		}
		ok = c.check(one, raw, depth+1) && ok
	}
	for _, group := range s.any {
		if !ok && !c.explain {
			return false
		}
		ok = c.checkAny(group, raw, k, depth) && ok
	}
	return ok
}

// checkAny tells whether a value fits one branch.
func (c *checker) checkAny(group []*schema, raw []byte, k kind, depth int) bool {
	quiet := checker{left: c.left}
	for _, one := range group {
		if quiet.check(one, raw, depth+1) {
			c.left = quiet.left
			return true
		}
	}
	c.left = quiet.left
	return c.fitsNone(group, raw, k, depth)
}

func (c *checker) checkNumber(s *schema, raw []byte) bool {
	if s.least == nil && s.most == nil {
		return true
	}
	n := numberOf(raw)
	if l := s.least; l != nil && (n.compare(l.number) < 0 || l.exclusive && n.compare(l.number) == 0) {
		return c.outside(l, "at least", "more than", raw)
	}
	if l := s.most; l != nil && (n.compare(l.number) > 0 || l.exclusive && n.compare(l.number) == 0) {
		return c.outside(l, "at most", "less than", raw)
	}
	return true
}

func (c *checker) checkLength(s *schema, raw []byte) bool {
	if s.length == passing.length {
		return true
	}
	c.left -= len(raw) / 64
	n := 0
	if text, plain := plainText(raw); plain {
		n = utf8.RuneCount(text)
	} else {
		decoded, _ := wire.Text(raw)
		n = utf8.RuneCountInString(decoded)
	}
	return c.within(s.length, n, "character")
}

func (c *checker) checkList(s *schema, raw []byte, depth int) bool {
	if s.items == nil && s.size == passing.size {
		return true
	}
	c.left -= len(raw) / 64
	ok, n := true, 0
	for w := walkThrough(raw); c.left > 0 && w.next(); n++ {
		if s.items == nil {
			continue
		}
		c.enter(step{index: n})
		ok = c.check(s.items, w.value, depth+1) && ok
		c.leave()
		if !ok && !c.explain {
			return false
		}
	}
	if c.left <= 0 {
		return ok
	}
	return c.within(s.size, n, "element") && ok
}

func (c *checker) checkObject(s *schema, raw []byte, depth int) bool {
	if len(s.properties) == 0 && !s.closed && s.rest == nil {
		return true
	}
	c.left -= len(raw) / 64
	var few [4]uint64
	seen := few[:]
	if len(s.required) > 64*len(few) {
		seen = make([]uint64, len(s.required)/64+1)
	}
	ok, missing := true, len(s.required)
	for w := walkThrough(raw); c.left > 0 && w.next(); {
		if !ok && !c.explain {
			return false
		}
		p, known := s.property(w.name)
		if !known && s.closed {
			ok = c.unknownName(s, w.name)
			continue
		}
		if i := p.required; known && i >= 0 && seen[i/64]&(1<<(i%64)) == 0 {
			seen[i/64] |= 1 << (i % 64)
			missing--
		}
		if !known {
			p.schema = s.rest
		}
		if p.schema != nil {
			c.enter(step{name: w.name})
			ok = c.check(p.schema, w.value, depth+1) && ok
			c.leave()
		}
	}
	if missing == 0 || c.left <= 0 {
		return ok
	}
	return c.missingNames(s, raw, seen)
}

// property is the one that a raw name names.
func (s *schema) property(name []byte) (property, bool) {
	if text, plain := plainText(name); plain {
		p, known := s.properties[string(text)]
		return p, known
	}
	text, _ := wire.Text(name)
	p, known := s.properties[text]
	return p, known
}

// plainText is what a raw string says, if it can be read without decoding.
func plainText(raw []byte) ([]byte, bool) {
	if len(raw) < 2 || bytes.IndexByte(raw, '\\') >= 0 {
		return nil, false
	}
	return raw[1 : len(raw)-1], true
}
