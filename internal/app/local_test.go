package app

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
)

// openLocal lists the servers of c and makes them callable.
func openLocal(t *testing.T, c config.Config) *Local {
	t.Helper()
	i := inspect(t, c, Options{StateDir: t.TempDir()})
	refresh(t, i, RefreshOptions{})
	l, err := i.Open(i.Counter())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(context.Background()) })
	return l
}

func TestLocalCall(t *testing.T) {
	t.Parallel()
	slow := behaves(t, "slow", "good")
	slow.CallTimeout = 2 * time.Second // in which a busy machine lists its tools, too
	c := config.Config{Servers: []config.Server{behaves(t, "good", "good"), behaves(t, "old", "legacy"), slow}}
	l := openLocal(t, c)
	for _, test := range []struct {
		id, arguments string
		want          string // in the result
		kind          CallProblem
		says          string
		sent          bool
	}{
		{id: "good.echo", arguments: `{"text":"hello"}`, want: `hello`},
		{id: "old.add", arguments: `{"a":1,"b":2}`, want: `3`},
		{id: "good.fail", arguments: `{}`, want: `"isError":true`},
		{id: "good.echo", arguments: `{"txt":"hello"}`, kind: WrongArguments, says: `"txt"`},
		{id: "good.rpcerror", arguments: `{"code":-32602}`, kind: WrongArguments, says: "server good refused the call of good.rpcerror", sent: true},
		{id: "good.rpcerror", arguments: `{"code":-32000}`, kind: Refused, says: "server good refused the call of good.rpcerror", sent: true},
		{id: "good.elicit", arguments: `{}`, kind: AsksBack, says: "", sent: true},
		{id: "slow.slow", arguments: `{"ms":60000}`, kind: Unreachable, says: "did not answer tools/call slow within 2s", sent: true},
	} {
		tool, problem := l.Tool("", test.id)
		if problem != nil {
			t.Fatalf("%s: %v", test.id, problem)
		}
		result, err := l.Call(t.Context(), tool, json.RawMessage(test.arguments))
		var told *CallError
		switch {
		case test.kind == "":
			if err != nil || !strings.Contains(string(result), test.want) {
				t.Errorf("%s %s: %s, %v", test.id, test.arguments, result, err)
			}
		case !errors.As(err, &told):
			t.Errorf("%s %s: %s, %v", test.id, test.arguments, result, err)
		case told.Kind != test.kind || told.Sent != test.sent || !strings.Contains(err.Error(), test.says):
			t.Errorf("%s %s: kind %s, sent %v: %v", test.id, test.arguments, told.Kind, told.Sent, err)
		}
	}
}

// Whoever stops a call is told why in the words of the reason.
func TestLocalCallIsStopped(t *testing.T) {
	t.Parallel()
	l := openLocal(t, config.Config{Servers: []config.Server{behaves(t, "good", "good")}})
	tool, _ := l.Tool("", "good.slow")
	why := errors.New("had enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, why)
	defer cancel()
	if _, err := l.Call(ctx, tool, json.RawMessage(`{"ms":60000}`)); !errors.Is(err, why) {
		t.Errorf("stopped: %v", err)
	}
}

func TestLocalCallNotListed(t *testing.T) {
	c := config.Config{Servers: []config.Server{{Name: "a", Type: config.Stdio, Command: "no-such-program"}}}
	i := inspect(t, c, Options{})
	i.listings["a"] = catalog.Listing{Server: "a", Taken: time.Now(), Tools: []catalog.Found{{Raw: []byte(`{"name":"guess"}`), Provenance: catalog.Predicted, Confidence: .1}}}
	l, err := i.Open(i.Counter())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close(t.Context())
	tool, _ := l.Tool("", "a.guess")
	var told *CallError
	if _, err := l.Call(t.Context(), tool, json.RawMessage(`{}`)); !errors.As(err, &told) || told.Kind != NotListed {
		t.Errorf("called what no server listed: %v", err)
	}
	if l.Host().Tool("a", "guess") != nil {
		t.Error("a script can call what no server listed")
	}
}

// A script reaches what Call reaches, and its plan says what that is.
func TestLocalRun(t *testing.T) {
	t.Parallel()
	l := openLocal(t, config.Config{Servers: []config.Server{behaves(t, "good", "good")}})
	const source = "local a = good.echo({text = args.text}):await()\ngood.touch({uri = 'x'})\nreturn a"
	r, err := l.Run(t.Context(), &script.Request{Source: source, Args: json.RawMessage(`{"text":"hi"}`)})
	if err != nil || string(r.Value) != `"hi"` || len(r.Ledger) != 2 {
		t.Errorf("%s, %+v, %v", r.Value, r.Ledger, err)
	}
	p, err := l.Plan(t.Context(), &script.Request{Source: source + " + good.nothing"})
	if err != nil || len(p.ReadOnly) != 1 || len(p.Missing) != 1 || len(p.Writing)+len(p.Unknown) != 1 {
		t.Errorf("plan %+v, %v", p, err)
	}
	var told *script.Error
	_, err = l.Run(t.Context(), &script.Request{Source: "return good.ech({}):await()"})
	if !errors.As(err, &told) || told.Code != script.CodeUnknownTool || !strings.Contains(told.Message, "nearest: echo") {
		t.Errorf("unknown tool: %v", err)
	}
	_, err = l.Run(t.Context(), &script.Request{Source: "return god.echo({}):await()"})
	if !errors.As(err, &told) || !strings.Contains(told.Hint, "nearest: good") {
		t.Errorf("unknown server: %v", err)
	}
	_, err = l.Run(t.Context(), &script.Request{Source: "return good.echo({txt = 1}):await()"})
	if !errors.As(err, &told) || !strings.Contains(told.Message, "do not fit") {
		t.Errorf("wrong arguments: %v", err)
	}
}

// What people are told of servers is how they stand, also of those that never ran.
func TestCounterTellsHowServersStand(t *testing.T) {
	c := config.Config{Servers: []config.Server{
		{Name: "off", Type: config.Stdio, Command: "x", Disabled: true},
		{Name: "gone", Type: config.Stdio, Command: "no-such-program"},
		{Name: "new", Type: config.Stdio, Command: "x"},
	}}
	i := inspect(t, c, Options{StateDir: t.TempDir()})
	refresh(t, i, RefreshOptions{}, "gone")
	var got []string
	for _, s := range i.Counter().Servers().Servers {
		state, _, _ := strings.Cut(s.State, ":")
		got = append(got, s.Name+" "+state)
	}
	if want := "off disabled, gone failed, new idle"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestCounterExplains(t *testing.T) {
	c := config.Config{Servers: []config.Server{{Name: "a", Type: config.Stdio, Command: "x"}}}
	i := inspect(t, c, Options{})
	i.listings["a"] = catalog.Listing{Server: "a", Version: "2025-11-25", Taken: time.Now(), Tools: []catalog.Found{
		{Raw: []byte(`{"name":"make_invoice","description":"Makes an invoice for a customer"}`), Provenance: catalog.Protocol, Confidence: 1},
	}}
	counter := i.Counter()
	q := disclose.Search{Query: "invoice for a customer", Most: 5}
	answer, problem := counter.Search(t.Context(), q)
	if problem != nil || len(answer.Tools) != 1 {
		t.Fatalf("%+v, %v", answer, problem)
	}
	if why := counter.Explain(t.Context(), q)["a.make_invoice"]; len(why) == 0 {
		t.Error("nothing spoke for the tool that was found")
	}
}
