package guard

import (
	"fmt"
	"strings"
)

// A Kind is what a finding is about.
type Kind string

// The kinds.
const (
	HiddenInstructions Kind = "hidden_instructions"  // text that orders a model about behind its user's back
	CrossServer        Kind = "cross_server"         // text that meddles with another server's tools
	InvisibleText      Kind = "invisible_characters" // characters that a reader does not see
	SuspiciousSchema   Kind = "suspicious_schema"    // parameters that ask for what is none of the tool's business
)

var kindWords = map[Kind]string{
	HiddenInstructions: "instructions to the model",
	CrossServer:        "speaks of another server's tools",
	InvisibleText:      "characters that cannot be seen",
	SuspiciousSchema:   "a suspicious schema",
}

// A Finding is something in a definition that a person should look at.
type Finding struct {
	Kind    Kind   `json:"kind"`
	Where   string `json:"where"`             // such as description, or inputSchema.properties.note.description
	What    string `json:"what"`              // in plain words, without the server's own
	Excerpt string `json:"excerpt,omitempty"` // the server's own words, for people; never sent to agents
}

// String is the finding without the words that it is about: an agent may read it.
func (f Finding) String() string {
	return fmt.Sprintf("%s in %s: %s", kindWords[f.Kind], f.Where, f.What)
}

// maxFindings bounds what is kept of one tool.
const maxFindings = 8

// findings gathers those of one definition, each kind once in one place.
type findings struct {
	list []Finding
	seen map[string]bool
}

func (f *findings) add(kind Kind, where, what, excerpt string) {
	key := string(kind) + "\x00" + where
	if f.seen[key] || len(f.list) == maxFindings {
		return
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[key] = true
	f.list = append(f.list, Finding{kind, where, what, Visible(excerpt, maxExcerpt)})
}

const maxExcerpt = 160

// Visible is text as a person can read it safely: what cannot be seen is written
// as its number.
func Visible(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			b.WriteString("...")
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case invisible(r) != "" || r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
