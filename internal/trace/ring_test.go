package trace

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

func TestRingForgetsTheOldest(t *testing.T) {
	var r Ring
	for range ringSize + 10 {
		r.add(&Entry{Kind: CallKind, Server: "s", Outcome: "ok"})
	}
	seen, want := 0, uint64(ringSize+10)
	r.Back(0, func(e *Entry) bool {
		if e.Seq != want {
			t.Fatalf("entry %d at the place of %d", e.Seq, want)
		}
		seen, want = seen+1, want-1
		return true
	})
	if seen != ringSize {
		t.Errorf("%d are remembered", seen)
	}
	if r.Entry(10) != nil || r.Entry(11) == nil {
		t.Error("not the last ones are remembered")
	}
	if n := r.Totals().Calls; n != ringSize+10 || r.Server("s").Calls != n {
		t.Errorf("%d calls are counted, %d at the server", n, r.Server("s").Calls)
	}
}

// Whoever follows sees all in order, and is told what they lost.
func TestFollow(t *testing.T) {
	var r Ring
	f := r.Follow(0)
	defer f.Close()
	r.add(&Entry{})
	r.add(&Entry{})
	for want := uint64(1); want <= 2; want++ {
		if e, missed := f.Wait(t.Context()); e.Seq != want || missed != 0 {
			t.Fatalf("entry %d, %d missed", e.Seq, missed)
		}
	}
	for range 3 * ringSize {
		r.add(&Entry{})
	}
	e, missed := f.Wait(t.Context())
	if missed != 2*ringSize || e.Seq != 3+2*ringSize {
		t.Errorf("entry %d, %d missed", e.Seq, missed)
	}
	again := r.Follow(3 * ringSize)
	defer again.Close()
	if e, missed := again.Wait(t.Context()); e.Seq != 3*ringSize+1 || missed != 0 {
		t.Errorf("taken up at %d, %d missed", e.Seq, missed)
	}
}

// Any number may add and follow at once.
func TestRingTogether(t *testing.T) {
	var r Ring
	var adding, reading sync.WaitGroup
	const adders, each = 4, 500
	for range 3 {
		f := r.Follow(0)
		reading.Go(func() {
			defer f.Close()
			var last, got uint64
			for got < adders*each {
				e, missed := f.Wait(t.Context())
				if e == nil || e.Seq <= last {
					t.Errorf("%v after %d", e, last)
					return
				}
				last, got = e.Seq, got+1+missed
			}
		})
	}
	for range adders {
		adding.Go(func() {
			for range each {
				r.add(&Entry{Kind: CallKind, Outcome: "ok", Start: time.Now()})
			}
		})
	}
	adding.Wait()
	reading.Wait()
	if r.followers.Load() != nil {
		t.Error("somebody is still told")
	}
}

func TestMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Ring
		for range 90 { // minutes
			for i := range 100 {
				r.add(&Entry{Kind: CallKind, Start: time.Now(), Took: time.Duration(i+1) * time.Millisecond, Outcome: "ok"})
			}
			time.Sleep(time.Minute)
		}
		all := r.Minutes(time.Now())
		if len(all) != Hour {
			t.Fatalf("%d minutes", len(all))
		}
		for i, m := range all[:Hour-1] {
			if m.Calls != 100 {
				t.Errorf("minute %d has %d calls", i, m.Calls)
			}
			if m.Median < 45*time.Millisecond || m.Median > 65*time.Millisecond || m.Slow < 90*time.Millisecond || m.Slow > 125*time.Millisecond {
				t.Errorf("median %v, slow %v", m.Median, m.Slow)
			}
		}
		if last := all[Hour-1]; last.Calls != 0 || last.Median != 0 {
			t.Errorf("the minute that begins has %+v", last)
		}
	})
}

func TestBucketsHoldTheirTimes(t *testing.T) {
	for d := time.Duration(1); d < 10*time.Hour; d = d*5/4 + 1 {
		b := bucketOf(d)
		if b < timeBuckets-1 && (d.Truncate(time.Microsecond) >= boundOf(b) || b > 0 && d.Truncate(time.Microsecond) < boundOf(b-1)) {
			t.Fatalf("%v is in bucket %d, from %v to %v", d, b, boundOf(b-1), boundOf(b))
		}
	}
}

// scripted makes two calls of every request.
type scripted struct {
	nobody
	do call.Func
}

func (s scripted) Serve(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	for range 2 {
		if _, err := s.do(ctx, &call.Request{Server: "alpha", Method: in.Method, Name: "echo", Params: in.Params}); err != nil {
			return nil, err
		}
	}
	return empty, nil
}

// What agents ask for is remembered once: the call that became of it, or the script with
// its calls, or the search, and nothing of what was in them.
func TestActivity(t *testing.T) {
	tr, err := Open(t.Context(), Options{Activity: true, Redact: func(s string) string { return s }, Tokens: func(s string) int { return len(s) }, Definitions: func() int { return 100 }})
	if err != nil {
		t.Fatal(err)
	}
	do := tr.Around(func(ctx context.Context, r *call.Request) ([]byte, error) {
		call.Queued(ctx, time.Second)
		call.Started(ctx, 2*time.Second)
		return []byte(`{"content":[],"isError":true}`), nil
	})
	ask := func(h wire.Handler, method, params string) {
		in := &wire.Incoming{Era: wire.Modern, Method: method, Params: []byte(params), Subject: "ann", Meta: wire.Meta{ClientInfo: []byte(`{"name":"prog","version":"2"}`)}}
		if _, err := tr.Handler(h).Serve(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	ask(calling{do: do}, wire.MethodToolsCall, `{"name":"call_tool","arguments":{"tool":"alpha.echo","arguments":{"password":"hunter2"}}}`)
	ask(scripted{do: do}, wire.MethodToolsCall, `{"name":"execute","arguments":{"script":"secret"}}`)
	ask(nobody{}, wire.MethodToolsCall, `{"name":"search_tools","arguments":{"query":" send mail "}}`)
	ask(nobody{}, wire.MethodToolsCall, `{"name":"call_tool","arguments":{"tool":"alpha.nothing"}}`)
	ask(nobody{}, wire.MethodToolsList, `{}`)
	ask(nobody{}, wire.MethodPing, `{}`)
	tr.Refused(t.Context(), &call.Request{Server: "alpha", Method: wire.MethodToolsCall, Name: "rm"}, wire.Errorf(wire.CodeRefused, "no"))
	tr.Reload(3, 0)(nil)
	for range 3 { // of which the last two bring nothing new
		_, learned := tr.Discovery(t.Context(), "alpha")
		learned(Lesson{Rung: "protocol", Tools: []string{"a", "b"}})
	}

	var got []*Entry
	tr.Ring().Back(0, func(e *Entry) bool { got = append([]*Entry{e}, got...); return true })
	type brief struct {
		kind                  Kind
		server, name, outcome string
		calls, found          int
	}
	want := []brief{
		{CallKind, "alpha", "echo", "tool_error", 0, 0},
		{CallKind, "alpha", "echo", "tool_error", 0, 0},
		{CallKind, "alpha", "echo", "tool_error", 0, 0},
		{ScriptKind, "", "execute", "ok", 2, 0},
		{SearchKind, "", "search_tools", "ok", 0, 0},
		{CallKind, "", "alpha.nothing", "ok", 0, 0},
		{ListKind, "", "", "ok", 0, 0},
		{CallKind, "alpha", "rm", "denied", 0, 0},
		{ReloadKind, "", "", "ok", 0, 3},
		{DiscoveryKind, "alpha", "", "ok", 0, 2},
	}
	if len(got) != len(want) {
		t.Fatalf("%d entries, not %d", len(got), len(want))
	}
	for i, e := range got {
		if b := (brief{e.Kind, e.Server, e.Name, e.Outcome, e.Calls, e.Found}); b != want[i] {
			t.Errorf("entry %d: %+v, not %+v", i, b, want[i])
		}
		if e.Arguments != "" || e.Result != "" {
			t.Errorf("entry %d has what was in the call", i)
		}
	}
	if e := got[0]; e.Queued != time.Second || e.Starting != 2*time.Second {
		t.Errorf("%+v", e)
	}
	if got[1].Parent != got[3].ID || got[3].ID == 0 {
		t.Error("a script's calls do not know it")
	}
	if got[4].More.Query != "send mail" || got[4].Client != "prog 2" || got[4].Subject != "ann" || got[6].KeptOut != 98 {
		t.Errorf("%+v, %d tokens kept out", got[4].More, got[6].KeptOut)
	}
	if n := tr.Ring().Totals(); n.Calls != 5 || n.Errors != 4 || n.Refused != 1 || n.Searches != 1 || n.Scripts != 1 || n.KeptOut != 98 {
		t.Errorf("%+v", n)
	}
}

// What was in a call is remembered where the options ask for it, and without secrets.
func TestActivityContent(t *testing.T) {
	for _, asked := range []bool{true, false} {
		tr, err := Open(t.Context(), Options{Activity: true, Arguments: asked, Results: asked, Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }})
		if err != nil {
			t.Fatal(err)
		}
		do := tr.Around(func(context.Context, *call.Request) ([]byte, error) { return []byte(`{"content":["hunter2"]}`), nil })
		if _, err := do(t.Context(), &call.Request{Method: wire.MethodToolsCall, Name: "x", Params: []byte(`{"name":"x","arguments":{"p":"hunter2"}}`)}); err != nil {
			t.Fatal(err)
		}
		want := [2]string{}
		if asked {
			want = [2]string{`{"p":"***"}`, `{"content":["***"]}`}
		}
		if e := tr.Ring().Entry(1); [2]string{e.Arguments, e.Result} != want {
			t.Errorf("%q, %q", e.Arguments, e.Result)
		}
	}
}

// Nobody who reads slowly keeps a call waiting.
func TestRingWaitsForNobody(t *testing.T) {
	var r Ring
	f := r.Follow(0)
	defer f.Close()
	e := &Entry{Kind: CallKind, Outcome: "ok", Server: "s", Start: time.Now(), ID: 1}
	r.add(e)
	if n := testing.AllocsPerRun(1000, func() { copied := *e; r.add(&copied) }); n > 1 {
		t.Errorf("%v allocations for an entry", n)
	}
}
