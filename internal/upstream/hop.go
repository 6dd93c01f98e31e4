package upstream

import (
	"bytes"
	"strconv"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// hop is a request's params as this connection's server must get them. Only
// _meta speaks of the hop; everything else passes as it is.
func (c *conn) hop(f *flight) ([]byte, error) {
	var changes []wire.Change
	if f.token != "" {
		changes = append(changes, wire.Change{Name: "progressToken", Value: []byte(f.token)})
	}
	switch {
	case c.hello.Era == wire.Modern && (f.Caller.Era != wire.Modern || !bytes.Contains(f.Params, []byte(wire.MetaVersion))):
		changes = append(changes, c.introduction(&f.Caller)...)
	case c.hello.Era == wire.Legacy && f.Caller.Era == wire.Modern:
		// These speak of a protocol that is not spoken on this hop.
		for _, name := range []string{wire.MetaVersion, wire.MetaClientInfo, wire.MetaClientCapabilities, wire.MetaLogLevel} {
			changes = append(changes, wire.Change{Name: name})
		}
	}
	if len(changes) == 0 {
		return f.Params, nil
	}
	params, err := wire.ChangeMeta(f.Params, changes...)
	if err != nil || c.hello.Era == f.Caller.Era || !bytes.Contains(params, []byte(`"inputResponses"`)) {
		return params, err
	}
	// A legacy server knows of no answers to questions that it did not ask this way.
	o, err := wire.ParseObject(params)
	if err != nil || c.hello.Era == wire.Modern {
		return params, err
	}
	return o.With(wire.Change{Name: "inputResponses"}, wire.Change{Name: "requestState"}), nil
}

// introduction is what a modern request says of who sends it.
func (c *conn) introduction(who *call.Caller) []wire.Change {
	id := c.srv.identity(slotKey{}, call.Caller{})
	changes := []wire.Change{
		{Name: wire.MetaVersion, Value: wire.Quote(wire.VersionModern)},
		{Name: wire.MetaClientInfo, Value: id.ClientInfo},
		{Name: wire.MetaClientCapabilities, Value: []byte("{}")},
	}
	if who == nil {
		return changes
	}
	if who.ClientInfo != nil {
		changes[1].Value = who.ClientInfo
	}
	if who.Capabilities.Raw != nil {
		changes[2].Value = who.Capabilities.Raw
	}
	if who.LogLevel != "" {
		changes = append(changes, wire.Change{Name: wire.MetaLogLevel, Value: wire.Quote(who.LogLevel)})
	}
	return changes
}

// tokenText is a progress token of ours, as it is written.
func tokenText(n uint64) string { return strconv.FormatUint(n, 10) }
