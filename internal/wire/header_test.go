package wire

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestHeaderValues(t *testing.T) {
	for value, want := range map[string]string{
		"":                   "",
		"us-west1":           "us-west1",
		"us west 1":          "us west 1",
		" us-west1":          "=?base64?IHVzLXdlc3Qx?=",
		"us-west1 ":          "=?base64?dXMtd2VzdDEg?=",
		"\tindented":         "=?base64?CWluZGVudGVk?=",
		"line1\r\nline2":     "=?base64?bGluZTENCmxpbmUy?=",
		"日本語":                "=?base64?5pel5pys6Kqe?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
		"=?BASE64?abc?=":     "=?BASE64?abc?=",
		"=?base64?=":         "=?base64?=",
		"\x7f":               "=?base64?fw==?=",
	} {
		if got := encodeHeader(value); got != want {
			t.Errorf("encode %q = %q, want %q", value, got, want)
		}
		if got, ok := decodeHeader(want); !ok || got != value {
			t.Errorf("decode %q = %q, %v", want, got, ok)
		}
	}
	for _, bad := range []string{"=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?="} {
		if got, ok := decodeHeader(bad); ok {
			t.Errorf("decode %q = %q, want it refused", bad, got)
		}
	}
	for _, literal := range []string{"SGVsbG8=", "=?base64?SGVsbG8=", "SGVsbG8=?="} {
		if got, ok := decodeHeader(literal); !ok || got != literal {
			t.Errorf("decode %q = %q, %v, want it literal", literal, got, ok)
		}
	}
}

func FuzzHeaderValue(f *testing.F) {
	for _, s := range []string{"", "a", " a", "=?base64?YQ==?=", "\x00", "日本", "=?base64??="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := encodeHeader(s)
		if !headerSafe(e) && !isSentinel(e) {
			t.Fatalf("%q encodes to %q, which no header can say", s, e)
		}
		for i := 0; i < len(e); i++ {
			if e[i] < 0x20 || e[i] > 0x7e {
				t.Fatalf("%q encodes to %q", s, e)
			}
		}
		if got, ok := decodeHeader(e); !ok || got != s {
			t.Fatalf("%q came back as %q (%v)", s, got, ok)
		}
		decodeHeader(s)
	})
}

func TestParamHeaderAnnotations(t *testing.T) {
	good := map[string][]ParamHeader{
		`{}`: nil,
		`{"type":"object","properties":{"a":{"type":"string"}}}`:                                  nil,
		`{"properties":{"x-mcp-header":{"type":"string"}}}`:                                       nil,
		`{"properties":{"a":{"enum":[{"x-mcp-header":"no schema"}]}}}`:                            nil,
		`{"properties":{"a":{"type":"string","x-mcp-header":"Region"}}}`:                          {{[]string{"a"}, "Region"}},
		`{"properties":{"a":{"type":["null","string"],"x-mcp-header":"R"}}}`:                      {{[]string{"a"}, "R"}},
		`{"properties":{"a":{"type":"string","x-mcp-header":"!#$%&'*+-.^_` + "`" + `|~aZ0"}}}`:    {{[]string{"a"}, "!#$%&'*+-.^_`|~aZ0"}},
		`{"properties":{"o":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}`:         {{[]string{"o", "n"}, "N"}},
		`{"properties":{"properties":{"type":"boolean","x-mcp-header":"P"},"q":{"type":"null"}}}`: {{[]string{"properties"}, "P"}},
	}
	for schema, want := range good {
		got, err := ParamHeaders([]byte(schema))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", schema, got, err, want)
		}
	}
	on := func(schema string) string { return `{"properties":{"a":` + schema + `}}` }
	for _, schema := range []string{
		on(`{"type":"string","x-mcp-header":""}`),
		on(`{"type":"string","x-mcp-header":7}`),
		on(`{"type":"string","x-mcp-header":"My Region"}`),
		on(`{"type":"string","x-mcp-header":"Region:Primary"}`),
		on(`{"type":"string","x-mcp-header":"Région"}`),
		on(`{"type":"string","x-mcp-header":"Region\t1"}`),
		on(`{"type":"string","x-mcp-header":"A\r\nX-Evil"}`),
		on(`{"type":"object","x-mcp-header":"A"}`),
		on(`{"type":"array","x-mcp-header":"A"}`),
		on(`{"type":"number","x-mcp-header":"A"}`),
		on(`{"type":"null","x-mcp-header":"A"}`),
		on(`{"type":["string","integer"],"x-mcp-header":"A"}`),
		on(`{"x-mcp-header":"A"}`),
		on(`{"items":{"type":"string","x-mcp-header":"A"}}`),
		on(`{"anyOf":[{"type":"string","x-mcp-header":"A"}]}`),
		`{"type":"string","x-mcp-header":"A"}`,
		`{"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`,
		`{"if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`,
		`{"properties":{"a":{"type":"string","x-mcp-header":"F"},"b":{"type":"string","x-mcp-header":"f"}}}`,
		strings.Repeat(`{"properties":{"a":`, 200) + `{"type":"string","x-mcp-header":"A"}` + strings.Repeat(`}}`, 200),
	} {
		if got, err := ParamHeaders([]byte(schema)); err == nil {
			t.Errorf("%s: %v, want an error", clip(schema), got)
		}
	}
}

var bindings = []ParamHeader{
	{[]string{"region"}, "Region"},
	{[]string{"count"}, "Count"},
	{[]string{"flag"}, "Flag"},
	{[]string{"deep", "er"}, "Deep"},
}

func TestParamHeadersOfACall(t *testing.T) {
	for params, want := range map[string][][2]string{
		`{"name":"t"}`: nil,
		`{"arguments":{"region":"us-west1","count":42,"flag":false}}`: {
			{"Mcp-Param-Region", "us-west1"}, {"Mcp-Param-Count", "42"}, {"Mcp-Param-Flag", "false"},
		},
		`{"arguments":{"region":null,"count":4.2e1,"flag":"","deep":{"er":"é"}}}`: {
			{"Mcp-Param-Count", "42"}, {"Mcp-Param-Flag", ""}, {"Mcp-Param-Deep", "=?base64?w6k=?="},
		},
		`{"arguments":{"count":9007199254740993,"region":{"a":1},"deep":[1],"flag":1.5}}`: nil,
		`{"arguments":{"count":9007199254740991}}`:                                        {{"Mcp-Param-Count", "9007199254740991"}},
		`{"arguments":{"region":"a","region":"b"}}`:                                       nil,
		`{"arguments":7}`: nil,
	} {
		got := AppendParamHeaders(nil, bindings, []byte(params))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
		h := http.Header{}
		for _, p := range got {
			h.Set(p[0], p[1])
		}
		if err := CheckParamHeaders(h, bindings, []byte(params)); len(want) > 0 && err != nil {
			t.Errorf("%s: what the client sends is refused: %v", params, err)
		}
	}
}

func TestParamHeadersAreCompared(t *testing.T) {
	check := func(params string, pairs ...string) error {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Add(pairs[i], pairs[i+1])
		}
		return CheckParamHeaders(h, bindings, []byte(params))
	}
	for _, err := range []error{
		check(`{"arguments":{"region":"Hello"}}`, "mcp-param-region", "=?base64?SGVsbG8=?="),
		check(`{"arguments":{"region":"SGVsbG8="}}`, "Mcp-Param-Region", "SGVsbG8="),
		check(`{"arguments":{"count":42}}`, "Mcp-Param-Count", "42.0"),
		check(`{"arguments":{"region":"","other":1}}`, "Mcp-Param-Region", "", "Mcp-Param-Other", "2"),
		check(`{"arguments":{"region":null}}`),
		check(`{}`),
	} {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
	}
	for _, err := range []error{
		check(`{"arguments":{"region":"Hello"}}`),
		check(`{"arguments":{"region":"Hello"}}`, "Mcp-Param-Region", "hello"),
		check(`{"arguments":{"region":"Hello"}}`, "Mcp-Param-Region", "=?base64?SGVsbG8?="),
		check(`{"arguments":{"region":"Hello"}}`, "Mcp-Param-Region", "Hello", "Mcp-Param-Region", "Hello"),
		check(`{"arguments":{"region":"42"}}`, "Mcp-Param-Region", "42.0"),
		check(`{"arguments":{"region":null}}`, "Mcp-Param-Region", ""),
		check(`{"arguments":{"count":42}}`, "Mcp-Param-Count", "43"),
		check(`{"arguments":{"count":{"a":1}}}`, "Mcp-Param-Count", "1"),
		check(`{"arguments":{"region":"a","region":"b"}}`, "Mcp-Param-Region", "a"),
	} {
		if AsError(orNil(err)).Code != CodeHeaderMismatch {
			t.Errorf("got %v, want a header mismatch", err)
		}
	}
}

func orNil(err error) error {
	if err == nil {
		return Errorf(0, "no error")
	}
	return err
}

func FuzzParamHeaders(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`), []byte(`{"arguments":{"a":"b"}}`))
	f.Add([]byte(`{"properties":{"o":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}`), []byte(`{"arguments":{"o":{"n":-0}}}`))
	f.Add([]byte(`{"anyOf":[{"x-mcp-header":1}]}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, schema, params []byte) {
		found, err := ParamHeaders(schema)
		if err != nil || CheckJSON(params) != nil {
			return
		}
		h := http.Header{}
		for _, p := range AppendParamHeaders(nil, found, params) {
			h.Set(p[0], p[1])
		}
		_ = CheckParamHeaders(h, found, params)
	})
}
