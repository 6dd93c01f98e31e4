package app

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/probe"
	"toolcrib/internal/wire"
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

// Kinds that are not only read from what a server writes.
const (
	NoAnswer   = "no_answer"  // it says nothing of why it is silent
	Unfinished = "unfinished" // we were stopped
	NeedsLogin = string(probe.NeedsLogin)
)

// A slowError is a server that did not list itself in time.
type slowError struct{ limit time.Duration }

func (e slowError) Error() string {
	limit := e.limit.String()
	if whole, ok := strings.CutSuffix(limit, "m0s"); ok {
		limit = whole + "m"
	}
	return "no answer within " + limit
}

// An unlistedError is why a server did not list itself, in words that need no
// name of it, and what it wrote before.
type unlistedError struct {
	cause  error
	reason string
	stderr string
	url    bool // it is not started by us
}

func (e *unlistedError) Error() string { return e.reason }
func (e *unlistedError) Unwrap() error { return e.cause }

func (k *knowledge) unlisted(server string, err error) error {
	reason := err.Error()
	var told *wire.Error
	if errors.As(err, &told) {
		reason = told.Message
	}
	u := &unlistedError{cause: err, reason: k.o.secrets.Text(strings.TrimPrefix(reason, fmt.Sprintf("server %s: ", server)))}
	k.mu.Lock()
	u.url = k.by[server].URL != ""
	k.mu.Unlock()
	for _, st := range k.pool.Status() {
		if st.Name == server {
			u.stderr = k.o.secrets.Text(st.Stderr)
		}
	}
	return u
}

// A lesson is what an attempt to list a server taught.
type lesson struct {
	listing   catalog.Listing
	failure   error            // why the server did not list itself
	diagnosis *probe.Diagnosis // what it wrote says of that, if it was started for it
	cached    bool             // another gateway was told it
}

// explain makes of a failure what a person can act on.
func (l lesson) explain() *Failure {
	d := l.diagnosis
	var u *unlistedError
	if errors.As(l.failure, &u) && d == nil && u.stderr != "" {
		found := probe.Diagnose([]byte(u.stderr), nil, probe.Exit{})
		d = &found
	}
	f := &Failure{Kind: string(probe.Unknown), Reason: l.failure.Error()}
	switch {
	case d != nil && d.Kind != probe.Unknown && d.Kind != probe.Silent:
		f.Kind, f.Reason, f.Next, f.Variables = string(d.Kind), d.Reason, d.Next, d.Variables
		if d.Says != "" && !strings.Contains(d.Reason, d.Says) {
			f.Reason += " (" + d.Says + ")"
		}
	case errors.As(l.failure, new(slowError)):
		f.Kind, f.Next = NoAnswer, "give it more time, or "+LookAtIt
	case u != nil && u.url:
		f.Kind, f.Next = string(probe.Unreachable), "check its url, and that the server runs"
		f.refused()
		f.login()
	case d != nil && u != nil && u.stderr != "":
		f.Next = d.Next
	}
	f.advise()
	if f.Next == "" {
		f.Next = LookAtIt
	}
	return f
}

// LookAtIt is the next step where nothing better is known.
const LookAtIt = "look at what it prints with toolcrib discover --raw"

// advice is what the pool ends its words with where a server cannot be started.
var advice = []struct {
	next string
	kind probe.Kind
}{
	{"install it, or write its full path as command", probe.MissingProgram},
	{"create it, or correct cwd", probe.MissingFile},
	{"correct cwd", probe.MissingFile},
}

// advise takes such words for what they are.
func (f *Failure) advise() {
	for _, a := range advice {
		if reason, ok := strings.CutSuffix(f.Reason, ": "+a.next); ok {
			f.Reason, f.Next, f.Kind = reason, a.next, string(a.kind)
			return
		}
	}
}

// statusText is what wire says of an answer that is no success. Up to here it is
// words alone: the pool lets no error of a server's pass for one of a call.
var statusText = regexp.MustCompile(`the server answered HTTP (\d\d\d)[^;<]*`)

// refused reads the status with which a server refused, if it did, and says
// what that means.
func (f *Failure) refused() {
	m := statusText.FindStringSubmatch(f.Reason)
	if m == nil {
		return
	}
	f.Reason = strings.TrimRight(m[0], ": ")
	switch status, _ := strconv.Atoi(m[1]); {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.Kind, f.Next = NeedsLogin, "put what it wants under headers in the server's entry, such as Authorization"
	case status >= 300 && status < 400:
		f.Next = "put the address that it redirects to into its url"
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		f.Next = "check the path of its url"
	}
}

// login reads the command that logs in, where a server wants that.
func (f *Failure) login() {
	if !strings.HasPrefix(f.Reason, wire.LoginWanted) {
		return
	}
	if why, command, ok := strings.Cut(f.Reason, ": run "); ok {
		f.Kind, f.Reason, f.Next = NeedsLogin, why, "run "+command+", or put what it wants under headers in the server's entry"
	}
}

// reason is the failure as an error that says what explain does.
func (l lesson) reason() error { return explainedError{l.explain(), l.failure} }

type explainedError struct {
	*Failure
	cause error
}

func (e explainedError) Error() string { return e.String() }
func (e explainedError) Unwrap() error { return e.cause }
