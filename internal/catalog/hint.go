package catalog

import "toolcrib/internal/wire"

// A Hint is what a server says of a tool's behaviour: yes, no, or nothing.
type Hint int8

const (
	Unstated Hint = iota
	Yes
	No
)

// Or is the hint as a bool, or what holds when it is unstated.
func (h Hint) Or(unstated bool) bool {
	if h == Unstated {
		return unstated
	}
	return h == Yes
}

func (h Hint) String() string {
	switch h {
	case Yes:
		return "yes"
	case No:
		return "no"
	}
	return "unstated"
}

// Annotations are a server's hints on a tool. They are its claims, no facts.
type Annotations struct {
	ReadOnly    Hint // changes nothing; by the protocol no unless stated
	Destructive Hint // may destroy; yes unless stated, and of no meaning if read-only
	Idempotent  Hint // a second call changes nothing more; no unless stated
	OpenWorld   Hint // reaches outside of the server; yes unless stated
}

// readAnnotations reads the hints of raw, an object. A hint that is no bool is
// unstated.
func readAnnotations(raw []byte) Annotations {
	return Annotations{
		ReadOnly:    readHint(raw, "readOnlyHint"),
		Destructive: readHint(raw, "destructiveHint"),
		Idempotent:  readHint(raw, "idempotentHint"),
		OpenWorld:   readHint(raw, "openWorldHint"),
	}
}

func readHint(annotations []byte, name string) Hint {
	switch string(wire.Find(annotations, name)) {
	case "true":
		return Yes
	case "false":
		return No
	}
	return Unstated
}
