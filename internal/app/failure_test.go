package app

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolcrib/internal/probe"
)

// Whatever went wrong, there is a step to take.
func TestFailuresAreExplained(t *testing.T) {
	said := func(reason string) error { return &unlistedError{cause: errors.New(reason), reason: reason} }
	from := func(url string) error { return &unlistedError{cause: errors.New(url), reason: url, url: true} }
	for _, c := range []struct {
		name string
		l    lesson
		want Failure
	}{
		{
			"no such command",
			lesson{failure: said(`could not be started: command "x" is not on PATH: install it, or write its full path as command`)},
			Failure{Kind: "missing_program", Reason: `could not be started: command "x" is not on PATH`, Next: "install it, or write its full path as command"},
		},
		{
			"no such directory",
			lesson{failure: said(`could not be started: working directory "/x" does not exist: create it, or correct cwd`)},
			Failure{Kind: "missing_file", Reason: `could not be started: working directory "/x" does not exist`, Next: "create it, or correct cwd"},
		},
		{
			"what it writes",
			lesson{failure: said("ended"), diagnosis: &probe.Diagnosis{Kind: probe.MissingSetting, Reason: "it asks for KEY", Next: "set it", Variables: []string{"KEY"}, Says: "KEY?"}},
			Failure{Kind: "missing_setting", Reason: "it asks for KEY (KEY?)", Next: "set it", Variables: []string{"KEY"}},
		},
		{
			"what it wrote before",
			lesson{failure: &unlistedError{cause: errors.New("ended"), reason: "ended", stderr: "Error: KEY_ONE environment variable is not set\n"}},
			Failure{Kind: "missing_setting", Reason: "it asks for the environment variable KEY_ONE (Error: KEY_ONE environment variable is not set)", Next: "set it under env in the server's entry", Variables: []string{"KEY_ONE"}},
		},
		{
			"silence",
			lesson{failure: slowError{2 * time.Minute}},
			Failure{Kind: NoAnswer, Reason: "no answer within 2m", Next: "give it more time, or " + LookAtIt},
		},
		{
			"nothing that tells",
			lesson{failure: said("could not be started: ended (exit status 0)")},
			Failure{Kind: "unknown", Reason: "could not be started: ended (exit status 0)", Next: LookAtIt},
		},
		{
			"nobody there",
			lesson{failure: from("could not be reached: connection refused")},
			Failure{Kind: "unreachable", Reason: "could not be reached: connection refused", Next: "check its url, and that the server runs"},
		},
		{
			"a token is wanted",
			lesson{failure: from("could not be reached: initialize: the server answered HTTP 401 Unauthorized: who are you; check the credentials in the server's headers")},
			Failure{Kind: NeedsLogin, Reason: "the server answered HTTP 401 Unauthorized: who are you", Next: "put what it wants under headers in the server's entry, such as Authorization"},
		},
		{
			"a page",
			lesson{failure: from("could not be reached: initialize: the server answered HTTP 404 Not Found: <!DOCTYPE html> <html>; check the path of the server's url; and more")},
			Failure{Kind: "unreachable", Reason: "the server answered HTTP 404 Not Found", Next: "check the path of its url"},
		},
		{
			"it has moved",
			lesson{failure: from("the server answered HTTP 301 Moved Permanently; put")},
			Failure{Kind: "unreachable", Reason: "the server answered HTTP 301 Moved Permanently", Next: "put the address that it redirects to into its url"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, *c.l.explain()); diff != "" {
				t.Error(diff)
			}
			if err := c.l.reason(); err.Error() != c.want.Reason+"; "+c.want.Next || !errors.Is(err, c.l.failure) {
				t.Errorf("as an error: %v", err)
			}
		})
	}
}
