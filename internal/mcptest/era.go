package mcptest

import (
	"encoding/json"
	"slices"
)

// Eras says which of the two ways to speak MCP a server knows.
type Eras int

const (
	Dual       Eras = iota // both
	LegacyOnly             // initialize; server/discover is an unknown method
	ModernOnly             // 2026-07-28 alone; initialize is refused
)

// early is what a legacy server does with a request that comes before initialize.
type early int

const (
	earlyUnknown early = iota // -32601 for what it does not know, -32600 for the rest
	earlyInvalid              // -32602 for anything
	earlySilent               // nothing at all
	earlyExit                 // it ends
)

// rules are how a server receives its clients.
type rules struct {
	eras       Eras
	early      early
	version    string // the only legacy version it speaks, "" for all
	refuseWith int    // what a modern-only server says to initialize: -32022 (0) or -32601
}

// admit decides whether a request may come in, and in which era.
func (u *rules) admit(s *session, m message) (*request, *rpcError) {
	r := &request{id: m.id, method: m.method, session: s, params: map[string]json.RawMessage{}}
	if m.params != nil {
		if err := json.Unmarshal(m.params, &r.params); err != nil {
			return nil, rpcErrorf(-32602, "params: %v", err)
		}
	}
	if raw := r.params["_meta"]; raw != nil {
		if err := json.Unmarshal(raw, &r.meta); err != nil {
			return nil, rpcErrorf(-32602, "_meta: %v", err)
		}
	}
	if m.method == "initialize" {
		return r, u.admitInitialize(r)
	}
	if raw := r.meta[metaVersion]; raw != nil && u.eras != LegacyOnly {
		return r, u.admitModern(r, raw)
	}
	if u.eras == ModernOnly {
		return nil, rpcErrorf(-32602, "_meta needs %s and %s", metaVersion, metaCapabilities)
	}
	if s == nil || !s.initialized() {
		return nil, u.tooEarly(m.method)
	}
	r.version = s.version
	return r, nil
}

func (u *rules) admitInitialize(r *request) *rpcError {
	requested := r.text("protocolVersion")
	if u.eras == ModernOnly {
		if u.refuseWith == -32601 {
			return rpcErrorf(-32601, "method not found: initialize")
		}
		e := rpcErrorf(-32022, "unsupported protocol version")
		e.Data = object{"supported": []string{modernVersion}, "requested": requested}
		return e
	}
	r.version = legacyVersions[0]
	switch {
	case u.version != "":
		r.version = u.version
	case slices.Contains(legacyVersions[:], requested):
		r.version = requested
	}
	return nil
}

func (u *rules) admitModern(r *request, rawVersion json.RawMessage) *rpcError {
	if err := json.Unmarshal(rawVersion, &r.version); err != nil {
		return rpcErrorf(-32602, "%s: %v", metaVersion, err)
	}
	if r.version != modernVersion {
		e := rpcErrorf(-32022, "unsupported protocol version %s", r.version)
		e.Data = object{"supported": u.supported(), "requested": r.version}
		return e
	}
	if r.meta[metaCapabilities] == nil {
		return rpcErrorf(-32602, "_meta needs %s", metaCapabilities)
	}
	r.modern = true
	return nil
}

func (u *rules) supported() []string {
	if u.eras == ModernOnly {
		return []string{modernVersion}
	}
	return allVersions()
}

// tooEarly is the error for a request before initialize. Servers that stay
// silent or exit do so before they come here.
func (u *rules) tooEarly(method string) *rpcError {
	switch {
	case u.early == earlyInvalid:
		return rpcErrorf(-32602, "invalid request parameters")
	case method == "server/discover" && u.eras == LegacyOnly:
		return rpcErrorf(-32601, "method not found: %s", method)
	}
	return rpcErrorf(-32600, "the first request must be initialize")
}
