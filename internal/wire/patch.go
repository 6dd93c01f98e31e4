package wire

import "slices"

// A Change is a new value for one member of an object; a nil Value removes it.
type Change struct {
	Name  string
	Value []byte
}

// With returns the object with some members changed, added at the end or
// removed, and every other byte as it was sent, white space included. Of
// several changes of one member the last counts.
func (o *Object) With(changes ...Change) []byte {
	size := len(o.src)
	for _, c := range changes {
		size += len(c.Name) + len(c.Value) + 4
	}
	out := make([]byte, 0, size)
	done := make([]bool, len(changes))
	emitted, prevKept := false, true
	tail := o.lastBrace()
	members := o.Members()
	if len(members) > 0 {
		out = append(out, o.src[:members[0].nameStart]...)
		tail = members[len(members)-1].end
	} else {
		out = append(out, o.src[:tail]...)
	}
	for i := range members {
		m := &members[i]
		value := m.Value
		for j, c := range changes {
			if c.Name == m.Name {
				value, done[j] = c.Value, true
			}
		}
		if value == nil {
			prevKept = false
			continue
		}
		switch {
		case !emitted:
		case prevKept:
			out = append(out, o.src[members[i-1].end:m.nameStart]...)
		default:
			out = append(out, ',')
		}
		out = append(out, o.src[m.nameStart:m.start]...)
		out = append(out, value...)
		emitted, prevKept = true, true
	}
	for j, c := range changes {
		if done[j] || c.Value == nil || replaced(c.Name, changes[j+1:]) {
			continue
		}
		if emitted {
			out = append(out, ',')
		}
		out = appendName(out, c.Name)
		out = append(out, ':')
		out = append(out, c.Value...)
		emitted = true
	}
	return append(out, o.src[tail:]...)
}

func replaced(name string, later []Change) bool {
	return slices.ContainsFunc(later, func(c Change) bool { return c.Name == name })
}

func (o *Object) lastBrace() int {
	i := len(o.src) - 1
	for o.src[i] != '}' {
		i--
	}
	return i
}
