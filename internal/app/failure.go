package app

import (
	"fmt"
	"strings"

	"toolcrib/internal/probe"
	"toolcrib/internal/upstream"
)

// A Failure is why a server could not be listed, and what to do about it.
type Failure struct {
	Kind      string   `json:"kind"` // a word for it, "unknown" if there is none
	Reason    string   `json:"reason"`
	Next      string   `json:"next,omitempty"`
	Variables []string `json:"variables,omitempty"` // of the environment, that are to be set
}

func (f *Failure) String() string {
	if f.Next == "" {
		return f.Reason
	}
	return f.Reason + "; " + f.Next
}

// explain makes of an error what a person can act on. Without a diagnosis the
// error and what the server wrote are looked at for one.
func explain(server string, err error, d *probe.Diagnosis, stderr string) *Failure {
	reason := strings.TrimPrefix(err.Error(), fmt.Sprintf("server %s: ", server))
	if d == nil {
		found := probe.Diagnose([]byte(stderr), nil, probe.Exit{Failure: reason})
		d = &found
	}
	f := &Failure{Kind: string(d.Kind), Reason: reason, Next: d.Next, Variables: d.Variables}
	if d.Kind != probe.Unknown && d.Kind != probe.Silent && d.Reason != "" {
		f.Reason = d.Reason
	}
	return f
}

// lastSaid is the end of what a server wrote on its standard error.
func lastSaid(pool *upstream.Pool, server string) string {
	for _, st := range pool.Status() {
		if st.Name == server {
			return st.Stderr
		}
	}
	return ""
}
