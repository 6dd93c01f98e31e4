package wire

import "fmt"

// Meta is what we read of a request's _meta. In the modern era it says in every
// request what initialize says once in the others.
type Meta struct {
	Version       string
	ClientInfo    []byte // raw
	Capabilities  Capabilities
	LogLevel      string
	ProgressToken []byte // raw
	Present       bool   // the params had a _meta object

	about string // what the params, beside _meta, name: see Incoming.About
	named bool   // they do
}

// readMeta reads the _meta of a method's params, and what they are about. Doubled
// and wrongly cased names are refused at both levels.
func readMeta(method string, params []byte) (Meta, error) {
	var m Meta
	if params == nil {
		return m, nil
	}
	var p Object
	if err := p.parse(params); err != nil {
		return m, fmt.Errorf("params: %w", err)
	}
	if err := p.refuseWrongCase("name", "uri", "arguments", "_meta", "requestState", "inputResponses", "cursor"); err != nil {
		return m, fmt.Errorf("params: %w", err)
	}
	if member := namedMember(method); member != "" {
		m.about, m.named = Text(p.Get(member))
	}
	raw := p.Get("_meta")
	if raw == nil {
		return m, nil
	}
	var o Object
	if err := o.parse(raw); err != nil {
		return m, fmt.Errorf("params._meta: %w", err)
	}
	if err := o.refuseWrongCase(MetaVersion, MetaClientInfo, MetaClientCapabilities, MetaLogLevel, "progressToken"); err != nil {
		return m, fmt.Errorf("params._meta: %w", err)
	}
	m.Present = true
	m.Version = o.Text(MetaVersion)
	m.ClientInfo = o.Get(MetaClientInfo)
	if caps := o.Get(MetaClientCapabilities); caps != nil {
		m.Capabilities = ParseCapabilities(caps)
	}
	m.LogLevel = o.Text(MetaLogLevel)
	m.ProgressToken = o.Get("progressToken")
	return m, nil
}

// MetaOf returns the raw _meta object of params, nil if there is none.
func MetaOf(params []byte) []byte {
	var p Object
	if params == nil || p.parse(params) != nil {
		return nil
	}
	return p.Get("_meta")
}

// ChangeMeta returns params with members of its _meta changed; a missing
// params or _meta is made. Nil values remove members.
func ChangeMeta(params []byte, changes ...Change) ([]byte, error) {
	if params == nil {
		params = []byte("{}")
	}
	var p, m Object
	if err := p.parse(params); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	raw := p.Get("_meta")
	if raw == nil {
		raw = []byte("{}")
	}
	if err := m.parse(raw); err != nil {
		return nil, fmt.Errorf("params._meta: %w", err)
	}
	return p.With(Change{"_meta", m.With(changes...)}), nil
}

// AddMeta is ChangeMeta for members that are written already, as "name":value and with
// commas between them, and that params do not have: it is made for what each call gets.
// It is nil where ChangeMeta has to look closer: where _meta has one of the names, or
// anything is unusual.
func AddMeta(params, members []byte, names ...string) []byte {
	if params == nil {
		params = emptyObject
	}
	before, after := `"_meta":{`, `}`
	p := walk{b: params, levels: MaxDepth - 1}
	at, empty := 0, true // where members go, and whether nothing is in front of them there
	for p.open(skipSpace(params, 0)); p.next(); {
		if string(p.name) != "_meta" {
			p.skip()
			continue
		}
		m := walk{b: params, levels: MaxDepth - 2}
		for m.open(p.i); m.next(); m.skip() {
			for _, name := range names {
				if string(m.name) == name {
					return nil
				}
			}
		}
		if !m.done {
			return nil
		}
		before, after, at, empty = "", "", m.tail, m.count == 0
		p.resume(m.i)
	}
	if !p.done || endsAt(params, p.i) != nil {
		return nil
	}
	if before != "" {
		at, empty = p.tail, p.count == 0
	}
	out := make([]byte, 0, len(params)+len(before)+len(members)+len(after)+1)
	out = append(out, params[:at]...)
	if !empty {
		out = append(out, ',')
	}
	out = append(append(append(out, before...), members...), after...)
	return append(out, params[at:]...)
}

var emptyObject = []byte("{}")
