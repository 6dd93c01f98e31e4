package probe

import "fmt"

// A Rung is one way of learning what a server offers. They are numbered as the
// ladder is: each is worth less than the one before.
type Rung int

const (
	NoRung    Rung = iota // nothing was found
	Protocol              // the server answered the protocol
	OnStdout              // it printed its tools
	OnStderr              // it printed them among its errors
	Approved              // a client's file names them
	Predicted             // a model guessed them
)

var rungNames = [...]string{"none", "protocol", "stdout", "stderr", "approved_name", "predicted"}

func (r Rung) String() string {
	if r < 0 || int(r) >= len(rungNames) {
		return fmt.Sprintf("rung %d", int(r))
	}
	return rungNames[r]
}

// MarshalText writes the rung as its name.
func (r Rung) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a name. One that a later version wrote is no rung here.
func (r *Rung) UnmarshalText(b []byte) error {
	*r = NoRung
	for i, name := range rungNames {
		if name == string(b) {
			*r = Rung(i)
		}
	}
	return nil
}

// bareRequest asks for the tools without a handshake: most servers written with
// an SDK answer it, also some that fail or refuse the handshake.
var bareRequest = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n")

// discoveryEnvironment is what asks a server to list what it offers, under the
// names that were ever in use for it.
func discoveryEnvironment() map[string]string {
	return map[string]string{
		"MCP_LIST_FUNCTIONS":       "true",
		"MCP_DISCOVERY_MODE":       "true",
		"MCP_REQUIRE_DESCRIPTIONS": "true",
		"MCP_LIST_TOOLS":           "true",
		"FUNCTIONS_DISCOVERY":      "true",
		"NODE_ENV":                 "discovery",
	}
}
