package wire

import "bytes"

// An outline is where the parts of an object are that something is to be put into.
type outline struct {
	found int  // where the value of a member that was looked for begins, -1 if there is none
	tail  int  // where a further member goes
	end   int  // just after the object
	empty bool // it has no members
}

// outlineOf reads the object at b[i] and looks for members of some names. It is less
// than an Object, which remembers all members, and false for what only that can judge:
// names with escapes, doubled ones, more than a few, and what is no object.
func outlineOf(b []byte, i int, names ...string) (o outline, ok bool) {
	o.found = -1
	if i >= len(b) || b[i] != '{' {
		return o, false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		o.tail, o.end, o.empty = i, i+1, true
		return o, true
	}
	var seen [8][]byte
	for n := range seen {
		i = skipSpace(b, i)
		if i >= len(b) || b[i] != '"' {
			return o, false
		}
		end, err := scanString(b, i)
		if err != nil {
			return o, false
		}
		name := b[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 || among(seen[:n], name) {
			return o, false
		}
		seen[n] = name
		if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
			return o, false
		}
		i = skipSpace(b, i+1)
		for _, want := range names {
			if string(name) == want {
				o.found = i
			}
		}
		if i, err = scanValue(b, i, MaxDepth-1); err != nil {
			return o, false
		}
		o.tail = i
		if i = skipSpace(b, i); i >= len(b) {
			return o, false
		}
		if b[i] == '}' {
			o.end = i + 1
			return o, true
		}
		if b[i] != ',' {
			return o, false
		}
		i++
	}
	return o, false
}

func among(names [][]byte, name []byte) bool {
	for _, one := range names {
		if bytes.Equal(one, name) {
			return true
		}
	}
	return false
}
