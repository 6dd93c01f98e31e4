package catalog

import (
	"encoding/json"
	"time"
)

// Provenance is how we learned of a tool. Only tools of the protocol can be
// called; the others are shown, marked as what they are.
type Provenance string

const (
	Protocol     Provenance = "protocol"      // the server listed it
	Parsed       Provenance = "parsed"        // found in what the server printed
	ApprovedName Provenance = "approved_name" // a client's configuration names it
	Predicted    Provenance = "predicted"     // a model guessed it from the server's identity
)

// A Found is one tool as it was found: its definition as bytes, and how.
type Found struct {
	Raw        json.RawMessage `json:"raw"` // the definition as sent; of a bare name {"name":...}
	Provenance Provenance      `json:"provenance"`
	Confidence float64         `json:"confidence"` // 1 for the protocol, less for the rest
}

// A Listing is everything one server said it offers, at one moment. It is a
// value: whoever changes it makes a new one.
type Listing struct {
	Server   string `json:"server"`   // its name in the configuration
	Identity string `json:"identity"` // of what is configured: another command is another server

	Taken   time.Time     `json:"taken"`
	TTL     time.Duration `json:"ttl"`     // how long it holds
	Private bool          `json:"private"` // of one authorization alone

	// Authorization is a mark of the one that it is of.
	Authorization string `json:"authorization,omitempty"`

	Era          string          `json:"era,omitempty"`     // modern or legacy
	Version      string          `json:"version,omitempty"` // of the protocol
	ServerInfo   json.RawMessage `json:"serverInfo,omitempty"`
	Instructions string          `json:"instructions,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`

	Tools     []Found           `json:"tools"`
	Prompts   []json.RawMessage `json:"prompts,omitempty"`
	Resources []json.RawMessage `json:"resources,omitempty"`
	Templates []json.RawMessage `json:"templates,omitempty"`

	// Failure is why the server could not be listed when it was last tried. The
	// rest is then what it said before that.
	Failure *Failure `json:"failure,omitempty"`
}

// A Failure is why something is not available, and since when.
type Failure struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}
