package guard

import (
	"bytes"
	"encoding/json"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// A Pin is what was approved of a tool, and what its server says by now if that is
// something else.
type Pin struct {
	Pinned   json.RawMessage `json:"pinned,omitempty"`   // the definition that counts; none of a new tool that waits
	Held     json.RawMessage `json:"held,omitempty"`     // what the server says instead
	Since    time.Time       `json:"since,omitzero"`     // when it began to
	Accepted bool            `json:"accepted,omitempty"` // a person approved the definition, and not only its being there first
	Rejected bool            `json:"rejected,omitempty"` // a person decided against Held; it is no longer asked about
}

// waits tells that a person has to look at it.
func (p Pin) waits() bool { return p.Held != nil }

// pins are those of one server, by what it calls its tools.
type pins struct {
	Tools map[string]Pin `json:"tools"`
}

// maxPins bounds how many tools of a server are remembered that it no longer has.
const maxPins = 20_000

func readPins(b []byte, is bool) (p pins, ok bool) {
	if !is || json.Unmarshal(b, &p) != nil || len(p.Tools) == 0 {
		return pins{Tools: map[string]Pin{}}, false
	}
	return p, true
}

// same tells whether two definitions are the same tool, used in the same way.
func same(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || catalog.Fingerprint(a) == catalog.Fingerprint(b)
}

// take notes what a server lists now. first is set if it never did before. It tells
// whether anything is to be kept.
func (p *pins) take(tools []catalog.Found, first, askNew bool, now time.Time) (changed bool) {
	listed := map[string]bool{}
	for _, f := range tools {
		name, ok := nameOf(f)
		if !ok || listed[name] {
			continue
		}
		listed[name] = true
		pin, known := p.Tools[name]
		next := pin
		switch {
		case !known && (first || !askNew):
			next = Pin{Pinned: bytes.Clone(f.Raw)}
		case !known:
			next = Pin{Held: bytes.Clone(f.Raw), Since: now}
		case pin.Pinned != nil && same(pin.Pinned, f.Raw):
			next.Held, next.Since, next.Rejected = nil, time.Time{}, false
		case pin.Pinned == nil && !askNew:
			next = Pin{Pinned: bytes.Clone(f.Raw)}
		case pin.Held == nil || !same(pin.Held, f.Raw):
			next.Held, next.Since, next.Rejected = bytes.Clone(f.Raw), now, false
		}
		if !known || next.waits() != pin.waits() || !bytes.Equal(next.Held, pin.Held) || !bytes.Equal(next.Pinned, pin.Pinned) {
			p.Tools[name], changed = next, true
		}
	}
	for name := range p.Tools {
		if len(p.Tools) <= maxPins {
			break
		}
		if !listed[name] {
			delete(p.Tools, name)
			changed = true
		}
	}
	return changed
}

// show is a listing as agents may see it: in place of a definition that is held, the
// one that was approved. Tools that wait altogether are in it too, for those who
// decide about them, and are told apart by standing.
func (p *pins) show(tools []catalog.Found) []catalog.Found {
	out := make([]catalog.Found, 0, len(tools))
	listed := map[string]bool{}
	for _, f := range tools {
		name, ok := nameOf(f)
		if ok {
			if listed[name] {
				continue // one of the same name could say what the first may not
			}
			listed[name] = true
			if pin := p.Tools[name]; pin.Pinned != nil && !bytes.Equal(pin.Pinned, f.Raw) && !same(pin.Pinned, f.Raw) {
				f.Raw = pin.Pinned
			}
		}
		out = append(out, f)
	}
	return out
}

// nameOf is the name of a tool that its server listed itself; only such are pinned.
func nameOf(f catalog.Found) (string, bool) {
	if f.Provenance != catalog.Protocol {
		return "", false
	}
	return wire.Text(wire.Find(f.Raw, "name"))
}

// serves tells whether a call that was made by the definition of before still is one
// that the tool takes: nothing more is required than was, and nothing that was is gone.
func serves(before, now json.RawMessage) bool {
	old, next := requirements(before), requirements(now)
	for name := range next.required {
		if !old.required[name] {
			return false
		}
	}
	for name := range old.required {
		if len(next.properties) > 0 && !next.properties[name] {
			return false
		}
	}
	return true
}

type requires struct{ required, properties map[string]bool }

func requirements(definition json.RawMessage) requires {
	var d struct {
		InputSchema struct {
			Required   []string                   `json:"required"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"inputSchema"`
	}
	_ = json.Unmarshal(definition, &d) // what is no schema requires nothing
	r := requires{map[string]bool{}, map[string]bool{}}
	for _, name := range d.InputSchema.Required {
		r.required[name] = true
	}
	for name := range d.InputSchema.Properties {
		r.properties[name] = true
	}
	return r
}
