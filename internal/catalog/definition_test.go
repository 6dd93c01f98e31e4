package catalog

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func TestMalformedToolsAreToldAndLeftOut(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for _, c := range []struct{ raw, why string }{
		{``, "expected an object"},
		{`null`, "expected an object"},
		{`[]`, "expected an object"},
		{`"search"`, "expected an object"},
		{`{"name":"x"`, "ends in the middle"},
		{`{"name":"x"} {}`, "more after the value"},
		{`{"name":"x","name":"y"}`, "occurs twice"},
		{`{}`, "no name"},
		{`{"Name":"x"}`, "no name"},
		{`{"name":null}`, "null, not a string"},
		{`{"name":5}`, "a number, not a string"},
		{`{"name":["x"]}`, "an array, not a string"},
		{`{"name":{}}`, "an object, not a string"},
		{`{"name":true}`, "a boolean, not a string"},
		{`{"name":"x","inputSchema":` + deep(200) + `}`, "deeper than 128"},
		{`{"name":"x","inputSchema":` + strings.Repeat("[", 100_000), "deeper than 128"},
	} {
		s := build(listing("srv", tool(c.raw), named("good")))
		if s.Len() != 1 || s.Tool("srv.good") == nil {
			t.Errorf("%.40s: there are %d tools", c.raw, s.Len())
		}
		if p := problemsOf(s, Malformed); len(p) != 1 || p[0].Server != "srv" || !strings.Contains(p[0].Text, c.why) {
			t.Errorf("%.40s: told as %+v", c.raw, p)
		}
	}
	if s := build(listing("srv", tool(`{"name":"x","inputSchema":`+deep(100)+`}`))); s.Len() != 1 {
		t.Errorf("100 levels are too many: %v", s.Problems())
	}
}

func TestMalformedMembersArePassedOver(t *testing.T) {
	s := build(listing("srv", tool(`{"name":"x","title":7,"description":["d"],"inputSchema":true,"outputSchema":"s","annotations":[],"_meta":0,"tags":{}}`)))
	x := s.Tool("srv.x")
	if x == nil || x.Title() != "" || x.Description() != "" || x.InputSchema() != nil || x.OutputSchema() != nil || x.Meta() != nil {
		t.Fatalf("got %+v", x)
	}
	if p := problemsOf(s, Malformed); len(p) != 6 || p[0].Tool != "x" {
		t.Errorf("told as %+v", p)
	}
	s = build(listing("srv", tool(`{"name":"x","title":null,"description":null,"inputSchema":null,"annotations":null,"_meta":null}`)))
	if len(s.Problems()) != 0 {
		t.Errorf("null is as good as nothing, but: %+v", s.Problems())
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	l := listing("srv")
	for range 100_000 {
		l.Tools = append(l.Tools, tool(`{}`))
	}
	p := build(l).Problems()
	if len(p) != maxProblems+1 || p[maxProblems].Kind != MoreProblems || !strings.Contains(p[maxProblems].Text, "99950 more") {
		t.Errorf("%d problems, the last %+v", len(p), p[len(p)-1])
	}
}

func TestHugeSchema(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `"p%d":{"type":"string"},`, (i*7919)%100_000)
	}
	raw := `{"name":"x","inputSchema":{"type":"object","properties":{` + strings.TrimSuffix(b.String(), ",") + `}}}`
	start := time.Now()
	s := build(listing("srv", tool(raw)))
	if s.Len() != 1 || len(s.Problems()) != 0 {
		t.Errorf("%d tools, %v", s.Len(), s.Problems())
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestFieldsAreRead(t *testing.T) {
	raw := `{"name":"get-it","description":"Gets\nit","inputSchema":{"type":"object"},"outputSchema":{"type":"string"},` +
		`"annotations":{"title":"Get It","readOnlyHint":true,"destructiveHint":false,"idempotentHint":"yes"},"_meta":{"a":1}}`
	x := build(listing("srv", tool(raw))).Tool("srv.get_it")
	if x.Name() != "get-it" || x.LuaName() != "get_it" || x.Title() != "Get It" || x.Description() != "Gets\nit" {
		t.Errorf("names: %q %q %q %q", x.Name(), x.LuaName(), x.Title(), x.Description())
	}
	if string(x.Raw()) != raw || string(x.InputSchema()) != `{"type":"object"}` || string(x.OutputSchema()) != `{"type":"string"}` || string(x.Meta()) != `{"a":1}` {
		t.Errorf("bytes: %s %s %s %s", x.Raw(), x.InputSchema(), x.OutputSchema(), x.Meta())
	}
	if a := x.Annotations(); a.ReadOnly != Yes || a.Destructive != No || a.Idempotent != Unstated || a.OpenWorld != Unstated {
		t.Errorf("annotations: %+v", a)
	}
	if Unstated.Or(true) != true || No.Or(true) != false || Yes.Or(false) != true {
		t.Error("Or")
	}
	if !x.Callable() || x.Provenance() != Protocol || x.Confidence() != 1 {
		t.Error("provenance")
	}
}

func TestProvenance(t *testing.T) {
	s := build(listing("srv",
		Found{Raw: []byte(`{"name":"listed"}`), Provenance: Protocol, Confidence: 0.2},
		Found{Raw: []byte(`{"name":"read"}`), Provenance: Parsed, Confidence: 0.7},
		Found{Raw: []byte(`{"name":"approved"}`), Provenance: ApprovedName, Confidence: 7},
		Found{Raw: []byte(`{"name":"guessed"}`), Provenance: Predicted, Confidence: math.NaN()},
		Found{Raw: []byte(`{"name":"unmarked"}`)},
	))
	for _, c := range []struct {
		id         ToolID
		callable   bool
		confidence float64
	}{{"srv.listed", true, 1}, {"srv.read", false, 0.7}, {"srv.approved", false, 1}, {"srv.guessed", false, 0}} {
		x := s.Tool(c.id)
		if x.Callable() != c.callable || x.Confidence() != c.confidence {
			t.Errorf("%s: callable %t, confidence %v", c.id, x.Callable(), x.Confidence())
		}
	}
	if s.Tool("srv.unmarked") != nil || len(problemsOf(s, Malformed)) != 1 {
		t.Errorf("a tool that does not tell where it is from is shown, or not told: %+v", s.Problems())
	}
}
