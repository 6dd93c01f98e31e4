package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Member is one name and value of an object, as bytes of the object.
type Member struct {
	Name       string // decoded
	Value      []byte // raw, without surrounding space
	start, end int    // Value's place in the object
	nameStart  int    // the opening quote of the name
}

// An Object is one level of a JSON object: its members are found, their values
// stay bytes. A name that occurs twice is an error, because two readers may
// take different ones of the two.
//
// It holds no pointer to itself, so that one that is only looked at needs no
// memory of its own.
type Object struct {
	src   []byte
	count int
	few   [8]Member // most objects on the wire are this small
	many  []Member  // all members of one that is larger
}

// ParseObject reads one level of b.
func ParseObject(b []byte) (*Object, error) {
	o := new(Object)
	return o, o.parse(b)
}

func (o *Object) parse(b []byte) error {
	o.src, o.count, o.many = b, 0, nil
	var seen map[string]bool
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return fmt.Errorf("expected an object")
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return endsAt(b, i+1)
	}
	for {
		i = skipSpace(b, i)
		if i >= len(b) {
			return errTruncated
		}
		if b[i] != '"' {
			return &syntaxError{"expected a member name", i}
		}
		nameStart := i
		end, err := scanString(b, i)
		if err != nil {
			return err
		}
		name, err := unquote(b[i:end])
		if err != nil {
			return err
		}
		i = skipSpace(b, end)
		if i >= len(b) {
			return errTruncated
		}
		if b[i] != ':' {
			return &syntaxError{"expected ':'", i}
		}
		i = skipSpace(b, i+1)
		start := i
		if i, err = scanValue(b, i, MaxDepth-1); err != nil {
			return err
		}
		if seen[name] || (seen == nil && o.find(name) != nil) {
			return fmt.Errorf("member %q occurs twice", clip(name))
		}
		o.add(Member{Name: name, Value: b[start:i:i], start: start, end: i, nameStart: nameStart})
		i = skipSpace(b, i)
		if i >= len(b) {
			return errTruncated
		}
		switch b[i] {
		case ',':
			i++
		case '}':
			return endsAt(b, i+1)
		default:
			return &syntaxError{"expected ',' or '}'", i}
		}
		if o.count >= maxMembers {
			return fmt.Errorf("more than %d members in one object", maxMembers)
		}
		if seen = o.index(seen); seen != nil {
			seen[name] = true
		}
	}
}

func (o *Object) add(m Member) {
	switch {
	case o.count < len(o.few):
		o.few[o.count] = m
	case o.many == nil:
		o.many = append(append(make([]Member, 0, 4*len(o.few)), o.few[:]...), m)
	default:
		o.many = append(o.many, m)
	}
	o.count++
}

// index makes a set of the names once there are so many that looking through
// them for each further one would take long.
func (o *Object) index(seen map[string]bool) map[string]bool {
	if seen != nil || o.count < 64 {
		return seen
	}
	seen = make(map[string]bool, 2*o.count)
	for i := range o.many {
		seen[o.many[i].Name] = true
	}
	return seen
}

// maxMembers bounds the objects that we look into (envelopes, params, _meta,
// results), not what is inside their values.
const maxMembers = 4096

func (o *Object) find(name string) *Member {
	members := o.Members()
	for i := range members {
		if members[i].Name == name {
			return &members[i]
		}
	}
	return nil
}

// Get returns the raw value of a member, nil when there is none.
func (o *Object) Get(name string) []byte {
	if m := o.find(name); m != nil {
		return m.Value
	}
	return nil
}

// Text returns the decoded string value of a member, "" when it is absent or
// no string.
func (o *Object) Text(name string) string {
	s, _ := Text(o.Get(name))
	return s
}

// Members are the object's members in the order they were sent.
func (o *Object) Members() []Member {
	if o.many != nil {
		return o.many
	}
	return o.few[:o.count]
}

// refuseWrongCase reports a member that is a known name in another case.
// Readers that ignore case would take it for the known one.
func (o *Object) refuseWrongCase(known ...string) error {
	members := o.Members()
	for i := range members {
		n := members[i].Name
		if slices.Contains(known, n) {
			continue // as nearly all
		}
		for _, k := range known {
			if strings.EqualFold(n, k) {
				return fmt.Errorf("member %q must be written %q", clip(n), k)
			}
		}
	}
	return nil
}

// Text decodes a raw JSON string.
func Text(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	s, err := unquote(raw)
	return s, err == nil
}

func unquote(raw []byte) (string, error) {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return knownName(inner), nil
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err
}

// knownName spares the allocation for the names that nearly every message has.
func knownName(b []byte) string {
	switch string(b) {
	case "jsonrpc":
		return "jsonrpc"
	case "id":
		return "id"
	case "method":
		return "method"
	case "params":
		return "params"
	case "result":
		return "result"
	case "error":
		return "error"
	case "name":
		return "name"
	case "arguments":
		return "arguments"
	case "_meta":
		return "_meta"
	case "content":
		return "content"
	case "structuredContent":
		return "structuredContent"
	case "isError":
		return "isError"
	case "resultType":
		return "resultType"
	case "progressToken":
		return "progressToken"
	case "2.0":
		return "2.0"
	case MethodToolsCall:
		return MethodToolsCall
	case MethodProgress:
		return MethodProgress
	case MetaVersion:
		return MetaVersion
	case MetaClientInfo:
		return MetaClientInfo
	case MetaClientCapabilities:
		return MetaClientCapabilities
	}
	return string(b)
}

// Quote is s as a JSON string.
func Quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		panic(err)
	}
	return b
}

// clip keeps text that a peer chose short enough for an error or a log line.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
