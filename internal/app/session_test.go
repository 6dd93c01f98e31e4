package app

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/script"
)

// TestSession runs its parts over one server, and one engine, which takes a while to make.
func TestSession(t *testing.T) {
	t.Parallel()
	l := openLocal(t, config.Config{Servers: []config.Server{behaves(t, "good", "good")}})
	for name, part := range map[string]func(*testing.T, *Session){
		"keeps what inputs made": keepsWhatInputsMade,
		"calls once":             callsOnce,
		"leaves calls":           leavesCalls,
		"mistakes":               mistakes,
	} {
		t.Run(name, func(t *testing.T) { part(t, l.NewSession(json.RawMessage(`{"n":4}`), script.Limits{})) })
	}
}

func evaluate(t *testing.T, s *Session, input string) *script.Result {
	t.Helper()
	r, err := s.Run(t.Context(), input)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return r
}

func keepsWhatInputsMade(t *testing.T, s *Session) {
	for _, c := range []struct{ input, want, printed string }{
		{"1 + 1", "2", ""},
		{"_ * args.n", "8", ""},
		{"local a = 5", "", ""},
		{"b = a + 1", "", ""},
		{"a, b", "[5,6]", ""},
		{"local c = b + 1 return c", "7", ""},
		{"_", "7", ""},
		{"function f(x) print('f', x) return x end", "", ""},
		{"f(b)", "6", "f\t6\n"},
		{"print('once')", "", "once\n"},
		{"(b)", "6", ""}, // would be a call of what stands before, were it joined to that
		{"result(b) -- a comment", "6", ""},
		{"nil", "null", ""},
		{"good.echo({text = 'x'}) -- not awaited", `"x"`, ""},
		{"_", `"x"`, ""},
		{"goto done; b = 0; ::done::", "", ""},
	} {
		r := evaluate(t, s, c.input)
		if string(r.Value) != c.want && c.want+string(r.Value) != "null" || r.Printed != c.printed {
			t.Errorf("%s: value %s, printed %q", c.input, r.Value, r.Printed)
		}
	}
}

// A call is made once, by the input that makes it, and stands in that input's ledger.
func callsOnce(t *testing.T, s *Session) {
	if r := evaluate(t, s, "local first = good.count({}):await().count\nlocal second = good.count({}):await().count"); len(r.Ledger) != 2 || r.Ledger[1].Line != 2 {
		t.Errorf("ledger %+v", r.Ledger)
	}
	if r := evaluate(t, s, "first .. ' ' .. second"); string(r.Value) != `"1 2"` || len(r.Ledger) != 0 {
		t.Errorf("value %s, ledger %+v", r.Value, r.Ledger)
	}
	if r := evaluate(t, s, "good.count({}):await().count"); string(r.Value) != `3` || len(r.Ledger) != 1 || r.Ledger[0].Line != 1 {
		t.Errorf("value %s, ledger %+v", r.Value, r.Ledger)
	}
	// What an input that fails has called, it has called; later ones do not see it.
	r, err := s.Run(t.Context(), "lost = good.count({}):await().count\nerror('boom')")
	var told *script.Error
	if !errors.As(err, &told) || told.Line != 2 || len(r.Ledger) != 1 {
		t.Errorf("%v, ledger %+v", err, r.Ledger)
	}
	if r := evaluate(t, s, "lost"); string(r.Value) != "null" && r.Value != nil {
		t.Errorf("lost is %s", r.Value)
	}
	if r := evaluate(t, s, "good.count({}):await().count"); string(r.Value) != "5" {
		t.Errorf("value %s", r.Value)
	}
}

// A call that nobody awaited is told of once, and not made again.
func leavesCalls(t *testing.T, s *Session) {
	if r := evaluate(t, s, "h = good.slow({ms = 60000})"); len(r.Notes) != 1 {
		t.Errorf("notes %q", r.Notes)
	}
	if r := evaluate(t, s, "1"); len(r.Notes) != 0 || len(r.Ledger) != 0 {
		t.Errorf("notes %q, ledger %+v", r.Notes, r.Ledger)
	}
}

func mistakes(t *testing.T, s *Session) {
	for input, want := range map[string]bool{
		"": false, "1 +": true, "x = 5": false, "for i = 1, 2 do": true, "f(": true, "1 + )": false, "return 1": false, "--[[": true, "x = [[a": true, "\"a\n": false,
	} {
		if got := s.Unfinished(t.Context(), input); got != want {
			t.Errorf("Unfinished(%q) = %v", input, got)
		}
	}
	evaluate(t, s, "\n\nx = 1\n")
	var told *script.Error
	if _, err := s.Run(t.Context(), "y = 2\nif y then"); !errors.As(err, &told) || told.Code != script.CodeSyntax || told.Line > 2 {
		t.Errorf("syntax: %v", err)
	}
	if _, err := s.Run(t.Context(), "while true do end"); !errors.As(err, &told) || told.Code != script.CodeCPULimit {
		t.Errorf("endless: %v", err)
	}
	if r := evaluate(t, s, "x"); string(r.Value) != "1" {
		t.Errorf("x is %s", r.Value)
	}
	s.record.bytes = maxRecord + 1
	if _, err := s.Run(t.Context(), "x"); !errors.As(err, &told) || told.Code != script.CodeMemoryLimit {
		t.Errorf("full: %v", err)
	}
}

// Equal calls are answered in the order in which they were made.
func TestRecord(t *testing.T) {
	n := 0
	r := newRecord(hostFunc(func() string { n++; return strings.Repeat("x", n) }))
	ask := func() string {
		b, err := r.Call(t.Context(), "s", "t", []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	ask()
	ask()
	r.keep()
	r.rewind()
	if got := ask() + " " + ask() + " " + ask(); got != "x xx xxx" || n != 3 {
		t.Errorf("%s after %d calls", got, n)
	}
	r.rewind() // the third was not kept
	if got := ask() + " " + ask() + " " + ask(); got != "x xx xxxx" || r.bytes != 3 {
		t.Errorf("%s, %d bytes", got, r.bytes)
	}
}

type hostFunc func() string

func (hostFunc) Server(string) bool               { return true }
func (hostFunc) Tool(string, string) *script.Tool { return nil }
func (hostFunc) Nearest(string, string) []string  { return nil }
func (h hostFunc) Call(context.Context, string, string, []byte) ([]byte, error) {
	return []byte(h()), nil
}
