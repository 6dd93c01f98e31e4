package probe

import (
	"fmt"
	"slices"
	"strings"

	"toolcrib/internal/lazyre"
)

// A Kind is a sort of failure.
type Kind string

const (
	MissingSetting Kind = "missing_setting" // a credential or another variable of the environment
	MissingModule  Kind = "missing_module"  // its installation is incomplete
	MissingProgram Kind = "missing_program" // a program that it or we start
	WrongRuntime   Kind = "wrong_runtime"   // a version of Node, Python or the system's libraries
	MissingFile    Kind = "missing_file"
	BadArguments   Kind = "bad_arguments"
	PortInUse      Kind = "port_in_use"
	NotPermitted   Kind = "not_permitted"
	NeedsLogin     Kind = "needs_login"
	NotStdio       Kind = "not_stdio"   // it listens on HTTP
	Unreachable    Kind = "unreachable" // something that it depends on
	Silent         Kind = "silent"
	Unknown        Kind = "unknown"
)

// A Diagnosis is what a failing server's output says of the failure.
type Diagnosis struct {
	Kind      Kind     `json:"kind"`
	Reason    string   `json:"reason"`              // in one line
	Next      string   `json:"next"`                // what to do about it
	Variables []string `json:"variables,omitempty"` // of the environment that it asks for, as far as it names them
	Says      string   `json:"says,omitempty"`      // the server's own line that says so
}

func (d Diagnosis) String() string { return strings.TrimRight(d.Reason, ". ") + "; " + d.Next }

// Exit is how a server's process ended.
type Exit struct {
	Exited  bool // by itself
	Code    int
	Failure string // why it could not be started at all
}

const (
	maxReason      = 300 // bytes of a line that is shown
	maxVariables   = 6
	maxDiagnosed   = 64 << 10 // bytes of each stream, its end
	maxStatements  = 2_000    // lines of each stream, its last
	maxShownTarget = 100
)

// Diagnose reads what a server wrote before it failed.
func Diagnose(stderr, stdout []byte, exit Exit) Diagnosis {
	said := statements(stderr, stdout, exit)
	for _, r := range rules {
		if d, ok := r.apply(said, exit); ok {
			if d.Variables == nil {
				d.Variables, _, _ = demands(said) // the next that will be missing
			}
			return d
		}
	}
	return fallback(said, exit)
}

// fallback is the diagnosis of a failure that no rule knows: the server's own words.
func fallback(said []string, exit Exit) Diagnosis {
	if len(said) == 0 {
		d := Diagnosis{Kind: Silent, Next: "start its command by hand, or look at its documentation for what it needs"}
		switch {
		case exit.Exited:
			d.Reason = fmt.Sprintf("it exited with code %d and wrote nothing", exit.Code)
		default:
			d.Reason = "it neither answered nor wrote anything"
		}
		return d
	}
	last := mostTelling(said)
	d := Diagnosis{Kind: Unknown, Says: show(last), Next: "see all that it wrote with toolcrib discover --raw"}
	switch {
	case exit.Exited:
		d.Reason = fmt.Sprintf("it exited with code %d and wrote: %s", exit.Code, d.Says)
	default:
		d.Reason = "it does not answer; it wrote: " + d.Says
	}
	return d
}

// mostTelling is the line that most likely says why: that of an exception, else
// the first that speaks of a failure, else the last.
func mostTelling(said []string) string {
	for _, about := range []*lazyre.Pattern{raised, errorLine} {
		if i := slices.IndexFunc(said, about.MatchString); i >= 0 {
			return said[i]
		}
	}
	return said[len(said)-1]
}

// show is a line of a server's as it may be shown.
func show(s string) string { return clip(redactText(s), maxReason) }
