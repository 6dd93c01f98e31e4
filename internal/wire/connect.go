package wire

import (
	"context"
	"fmt"
	"slices"
)

// A versioned link has to know the version that was agreed on: it goes into a
// header of every later request.
type versioned interface{ agreed(version string) }

// Handshake opens a legacy session on a link: initialize, then the
// notification that it is done.
func Handshake(ctx context.Context, l Link, id Identity) (*Hello, error) {
	params := fmt.Appendf(nil, `{"protocolVersion":%q,"capabilities":%s,"clientInfo":%s}`,
		LegacyVersions[0], id.capabilities(), id.clientInfo())
	raw, err := l.Call(ctx, &Outgoing{Method: MethodInitialize, Params: params})
	if err != nil {
		return nil, err
	}
	o, err := ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("the answer to initialize is malformed: %w", err)
	}
	h := &Hello{
		Era:          Legacy,
		Version:      o.Text("protocolVersion"),
		Capabilities: o.Get("capabilities"),
		ServerInfo:   o.Get("serverInfo"),
		Instructions: o.Text("instructions"),
		Raw:          raw,
	}
	if !slices.Contains(LegacyVersions, h.Version) {
		return nil, fmt.Errorf("the server answers initialize with protocol version %q; this gateway speaks %v", clip(h.Version), LegacyVersions)
	}
	if v, ok := l.(versioned); ok {
		v.agreed(h.Version)
	}
	return h, l.Notify(ctx, MethodInitialized, nil)
}

// Discover asks a server what it is in the modern way. Era is Legacy in the
// answer of one that does not say that it speaks the modern version.
func Discover(ctx context.Context, l Link, id Identity) (*Hello, error) {
	raw, err := l.Call(ctx, &Outgoing{Method: MethodDiscover, Params: fmt.Appendf(nil, `{"_meta":%s}`, id.meta())})
	if err != nil {
		return nil, err
	}
	o, err := ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("the answer to server/discover is malformed: %w", err)
	}
	h := &Hello{
		Era:          Legacy,
		Versions:     texts(o.Get("supportedVersions")),
		Capabilities: o.Get("capabilities"),
		Instructions: o.Text("instructions"),
		Raw:          raw,
	}
	if slices.Contains(h.Versions, VersionModern) {
		h.Era, h.Version = Modern, VersionModern
	}
	if meta := o.Get("_meta"); meta != nil {
		if m, err := ParseObject(meta); err == nil {
			h.ServerInfo = m.Get(MetaServerInfo)
		}
	}
	return h, nil
}

// meta is the _meta of a modern request that we make on our own account.
func (id Identity) meta() []byte {
	return fmt.Appendf(nil, `{%q:%q,%q:%s,%q:%s}`, MetaVersion, VersionModern,
		MetaClientInfo, id.clientInfo(), MetaClientCapabilities, id.capabilities())
}

func (id Identity) clientInfo() []byte {
	if id.ClientInfo == nil {
		return []byte(`{"name":"toolcrib","version":"dev"}`)
	}
	return id.ClientInfo
}

func (id Identity) capabilities() []byte {
	if id.Capabilities == nil {
		return []byte(`{}`)
	}
	return id.Capabilities
}

// texts are the strings in a raw array; what is no string is left out.
func texts(raw []byte) []string {
	if raw == nil {
		return nil
	}
	list, err := Elements(raw)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range list {
		if s, ok := Text(e); ok {
			out = append(out, s)
		}
	}
	return out
}
