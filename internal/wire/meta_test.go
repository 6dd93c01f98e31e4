package wire

import (
	"strings"
	"testing"
)

const (
	legacyParams = `{"name":"echo","arguments":{"text":"hello"},"_meta":{"progressToken":7}}`
	modernParams = `{"name":"echo","arguments":{"text":"hello"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"roots":{}}}}`
)

func TestReadMeta(t *testing.T) {
	m, err := readMeta(MethodToolsCall, []byte(modernParams))
	if err != nil {
		t.Fatal(err)
	}
	if !m.Present || m.Version != VersionModern || string(m.ClientInfo) != `{"name":"test","version":"1"}` || m.LogLevel != "" || m.ProgressToken != nil {
		t.Errorf("got %+v", m)
	}
	if c := m.Capabilities; !c.Sampling || !c.Roots || c.Elicitation || string(c.Raw) != `{"sampling":{},"roots":{}}` {
		t.Errorf("capabilities %+v", c)
	}
	if m, err = readMeta(MethodToolsCall, []byte(`{"_meta":{"progressToken":"a\u0062","io.modelcontextprotocol/logLevel":"debug","vendor/x":{"A":1,"a":2}}}`)); err != nil {
		t.Fatal(err)
	}
	if string(m.ProgressToken) != `"a\u0062"` || m.LogLevel != "debug" || m.Version != "" || m.Capabilities.Raw != nil {
		t.Errorf("got %+v", m)
	}
	for _, params := range []string{"", "{}", `{"name":"x","arguments":{"Name":1,"name":2,"_meta":3}}`} {
		var raw []byte
		if params != "" {
			raw = []byte(params)
		}
		if m, err := readMeta(MethodToolsCall, raw); err != nil || m.Present {
			t.Errorf("%q: %+v, %v", params, m, err)
		}
	}
	if m, err = readMeta(MethodToolsCall, []byte(`{"_meta":{"io.modelcontextprotocol/clientCapabilities":[],"io.modelcontextprotocol/protocolVersion":7}}`)); err != nil || m.Version != "" || m.Capabilities.Raw != nil {
		t.Errorf("values of the wrong type: %+v, %v", m, err)
	}
}

// Two readers of these would not agree on what they say.
func TestAmbiguousMetaIsRefused(t *testing.T) {
	for _, params := range []string{
		`[]`, `null`, `{"name":"a","name":"b"}`, `{"name":"a","n\u0061me":"b"}`, `{"Name":"a"}`, `{"name":"a","NAME":"b"}`, `{"URI":"a"}`, `{"Arguments":{}}`,
		`{"_Meta":{}}`, `{"_meta":{},"_META":{}}`, `{"_meta":{},"_meta":{}}`, `{"requeststate":"x"}`, `{"InputResponses":{}}`, `{"Cursor":"x"}`,
		`{"_meta":null}`, `{"_meta":[]}`, `{"_meta":7}`,
		`{"_meta":{"progressToken":1,"progressToken":2}}`, `{"_meta":{"ProgressToken":1}}`, `{"_meta":{"progresstoken":1}}`, `{"_meta":{"progre\u017f\u017fToken":1}}`,
		`{"_meta":{"io.modelcontextprotocol/protocolversion":"2026-07-28"}}`, `{"_meta":{"IO.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
		`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/protocolVersion":"2025-11-25"}}`,
		`{"_meta":{"io.modelcontextprotocol/ClientCapabilities":{}}}`, `{"_meta":{"io.modelcontextprotocol/clientinfo":{}}}`, `{"_meta":{"io.modelcontextprotocol/loglevel":"debug"}}`,
	} {
		if m, err := readMeta(MethodToolsCall, []byte(params)); err == nil || !strings.HasPrefix(err.Error(), "params") {
			t.Errorf("%s: %+v, %v", params, m, err)
		}
	}
}

func TestMetaOf(t *testing.T) {
	for params, want := range map[string]string{
		`{"a":1,"_meta": { "b" : 2 } }`: `{ "b" : 2 }`, `{}`: "", `{"_meta":{},"_meta":{}}`: "", `[]`: "", ``: "", `{"_Meta":{}}`: "",
	} {
		if got := string(MetaOf([]byte(params))); got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
	if MetaOf(nil) != nil {
		t.Error("no params have a _meta")
	}
}

func TestChangeMeta(t *testing.T) {
	token := Change{"progressToken", []byte("9")}
	for _, c := range []struct {
		params  string
		changes []Change
		want    string
	}{
		{"", nil, `{"_meta":{}}`},
		{"", []Change{token}, `{"_meta":{"progressToken":9}}`},
		{`{}`, []Change{token}, `{"_meta":{"progressToken":9}}`},
		{"{ \"n\" : 9223372036854775807 ,\n\"_meta\" : { \"vendor/x\" : 1e-7 , \"progressToken\" : \"old\" } , \"z\":[ ] }", []Change{token}, "{ \"n\" : 9223372036854775807 ,\n\"_meta\" : { \"vendor/x\" : 1e-7 , \"progressToken\" : 9 } , \"z\":[ ] }"},
		{`{"a":"\u00e9","_meta":{"progressToken":1,"b":2},"c":{"_meta":{"progressToken":3}}}`, []Change{{"progressToken", nil}}, `{"a":"\u00e9","_meta":{"b":2},"c":{"_meta":{"progressToken":3}}}`},
		{`{"_meta":{"a":1}}`, []Change{{"b", []byte(`"x"`)}, {"a", nil}}, `{"_meta":{"b":"x"}}`},
	} {
		var raw []byte
		if c.params != "" {
			raw = []byte(c.params)
		}
		got, err := ChangeMeta(raw, c.changes...)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, want %s (%v)", c.params, got, c.want, err)
		}
		if string(raw) != c.params {
			t.Errorf("the params themselves became %s", raw)
		}
	}
	for _, params := range []string{`[]`, `null`, `{"_meta":null}`, `{"_meta":[]}`, `{"_meta":{"a":1,"a":2}}`, `{"_meta":{},"_meta":{}}`, `{"a":1,"a":2}`} {
		if got, err := ChangeMeta([]byte(params), token); err == nil {
			t.Errorf("%s became %s", params, got)
		}
	}
}

// usualParams are such that AddMeta does for them what ChangeMeta does; what is said of
// unusualParams is for ChangeMeta to judge.
var (
	usualParams = []string{
		"", `{}`, ` { } `, `{"a":1}`, "{\"a\" : [1, {\"_meta\":1}] \n}\n", `{"_meta":{}}`, `{"_meta": { } ,"b":"\\"}`, legacyParams, modernParams,
		"{ \"n\" : 9223372036854775807 ,\n\"_meta\" : { \"vendor/x\" : 1e-7 } , \"z\":[ ] }",
	}
	unusualParams = []string{
		`[]`, `null`, `7`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1;}`, `{"a":1,}`, `{"a":1}x`, `{"a":1,"a":2}`, `{"_met\u0061":{}}`, `{"_meta":null}`, `{"_meta":[]}`, `{"_meta":{},"_meta":{}}`,
		`{"_meta":{"trace":"x"}}`, `{"_meta":{"tr\u0061ce":"x"}}`, `{"_meta":{"a":1,"state":2}}`, `{"_meta":{"a":1,"a":2}}`, manyMembers(9), `{"_meta":` + manyMembers(9) + `}`,
	}
)

func TestAddMeta(t *testing.T) {
	added := []byte(`"trace":"x","state":[1]`)
	changes := []Change{{"trace", []byte(`"x"`)}, {"state", []byte(`[1]`)}}
	for _, params := range usualParams {
		var raw []byte
		if params != "" {
			raw = []byte(params)
		}
		want, err := ChangeMeta(raw, changes...)
		if got := AddMeta(raw, added, "trace", "state"); err != nil || string(got) != string(want) || string(raw) != params {
			t.Errorf("%s became %s, want %s (%v)", params, got, want, err)
		}
		if n := testing.AllocsPerRun(100, func() { AddMeta(raw, added, "trace", "state") }); n > 1 {
			t.Errorf("%s: %v allocations", params, n)
		}
	}
	for _, params := range unusualParams {
		if got := AddMeta([]byte(params), added, "trace", "state"); got != nil {
			t.Errorf("%s became %s", params, got)
		}
	}
}

// FuzzAddMeta: AddMeta does what ChangeMeta does, or nothing.
func FuzzAddMeta(f *testing.F) {
	for _, params := range append(usualParams, unusualParams...) {
		f.Add([]byte(params))
	}
	f.Fuzz(func(t *testing.T, params []byte) {
		got := AddMeta(params, []byte(`"trace":"x"`), "trace", "state")
		if got == nil {
			return
		}
		want, err := ChangeMeta(params, Change{"trace", []byte(`"x"`)}, Change{Name: "state"})
		if err != nil || string(got) != string(want) {
			t.Fatalf("%q became %q, want %q (%v)", params, got, want, err)
		}
	})
}

func BenchmarkAddMeta(b *testing.B) {
	for name, text := range map[string]string{"legacy": legacyParams, "modern": modernParams} {
		b.Run(name, func(b *testing.B) {
			params := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				if AddMeta(params, []byte(`"trace":"x"`), "trace", "state") == nil {
					b.Fatal("it is not added")
				}
			}
		})
	}
}

func TestReadMetaAllocations(t *testing.T) {
	for params, most := range map[string]float64{legacyParams: 1, modernParams: 4} {
		raw := []byte(params)
		if n := testing.AllocsPerRun(200, func() {
			if _, err := readMeta(MethodToolsCall, raw); err != nil {
				t.Fatal(err)
			}
		}); n > most {
			t.Errorf("%s: %v allocations, at most %v", params, n, most)
		}
	}
}

func BenchmarkReadMeta(b *testing.B) {
	for name, text := range map[string]string{"legacy": legacyParams, "modern": modernParams} {
		b.Run(name, func(b *testing.B) {
			params := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readMeta(MethodToolsCall, params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
