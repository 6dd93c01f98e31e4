package call_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

const issueSchema = `{
	"type": "object",
	"properties": {
		"owner": {"type": "string"},
		"title": {"type": "string", "minLength": 1, "maxLength": 10},
		"state": {"enum": ["open", "closed", 3, null]},
		"labels": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100},
		"ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
		"who": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]},
		"user": {"$ref": "#/$defs/user"},
		"shape": {"oneOf": [
			{"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
			{"type": "object", "properties": {"kind": {"const": "box"}, "width": {"type": "number"}}, "required": ["kind", "width"]}
		]},
		"map": {"type": "object", "additionalProperties": {"type": "boolean"}},
		"maybe": {"type": ["string", "null"]},
		"version": {"const": 9007199254740993},
		"never": false
	},
	"required": ["owner", "title"],
	"additionalProperties": false,
	"$defs": {"user": {"type": "object", "properties": {"name": {"type": "string"}, "friends": {"type": "array", "items": {"$ref": "#/$defs/user"}}}, "required": ["name"]}}
}`

func TestCheckArguments(t *testing.T) {
	// with adds members to arguments that fit.
	with := func(more string) string { return `{"owner": "o", "title": "t"` + more + `}` }
	for _, test := range []struct {
		name, arguments string
		want            []string
	}{
		{"fits", with(""), nil},
		{"fits with all", with(`, "state": "closed", "labels": ["a"], "limit": 100, "ratio": 0.5, "who": [1], "user": {"name": "n", "friends": [{"name": "m"}]},
			"shape": {"kind": "box", "width": 1}, "map": {"x": true}, "maybe": null, "version": 9007199254740993`), nil},
		{"whole number with a point", with(`, "limit": 1.0`), nil},
		{"whole number with an exponent", with(`, "limit": 1e2`), nil},
		{"number in an enum", with(`, "state": 3.0`), nil},
		{"null in an enum", with(`, "state": null`), nil},
		{"escapes", `{"ow\u006eer": "o", "title": "\u00e4\u00f6\u00fc4567890", "state": "\u006fpen"}`, nil},
		{"none", ``, []string{`missing required "owner" (str)`, `missing required "title" (str)`}},
		{"null", `null`, []string{`missing required "owner" (str)`, `missing required "title" (str)`}},
		{"misspelt", `{"owner": "o", "titel": "t"}`, []string{`unknown "titel": did you mean "title"?`, `missing required "title" (str)`}},
		{"other words", with(`, "xyz": 1`), []string{`unknown "xyz": known are "labels", "limit", "map", "maybe", "never", "owner", "ratio", "shape", "state", "title", "user", "version", "who"`}},
		{"kind", with(`, "labels": "bug"`), []string{`"labels" must be a list of str, not str`}},
		{"kind inside", with(`, "labels": ["bug", 7]`), []string{`"labels[1]" must be str, not int`}},
		{"JSON in a string", with(`, "labels": "[\"bug\"]"`), []string{`"labels" must be a list of str, not str that holds JSON: send the JSON itself`}},
		{"number in a string", with(`, "limit": "5"`), []string{`"limit" must be int, not str: send 5 without quotes`}},
		{"null for nothing", with(`, "limit": null`), []string{`"limit" must be int, not null: leave it out if there is nothing to say`}},
		{"no whole number", with(`, "limit": 1.5`), []string{`"limit" must be int, not num`}},
		{"value", with(`, "state": "opne"`), []string{`"state" must be one of "open", "closed", 3, null, not "opne": did you mean "open"?`}},
		{"number for a value", with(`, "state": 4`), []string{`"state" must be one of "open", "closed", 3, null, not 4`}},
		{"64-bit constant", with(`, "version": 9007199254740992`), []string{`"version" must be 9007199254740993, not 9007199254740992`}},
		{"too long", with(`, "labels": ["a","b","c"]`), []string{`"labels" must have at most 2 elements, not 3`}},
		{"text too long", `{"owner": "o", "title": "12345678901"}`, []string{`"title" must have at most 10 characters, not 11`}},
		{"text too short", `{"owner": "o", "title": ""}`, []string{`"title" must have at least 1 character, not 0`}},
		{"too large", with(`, "limit": 101`), []string{`"limit" must be at most 100, not 101`}},
		{"too small", with(`, "limit": 0`), []string{`"limit" must be at least 1, not 0`}},
		{"on the edge", with(`, "ratio": 1`), []string{`"ratio" must be less than 1, not 1`}},
		{"beyond all numbers", with(`, "ratio": 1e999999999`), []string{`"ratio" must be less than 1, not 1e999999999`}},
		{"no branch", with(`, "who": 1`), []string{`"who" must be str or a list of int, not 1`}},
		{"inside a branch", with(`, "who": ["a"]`), []string{`"who[0]" must be int, not str`}},
		{"the branch that was meant", with(`, "shape": {"kind": "box"}`), []string{`missing required "shape.width" (num)`}},
		{"behind a reference", with(`, "user": {"friends": [{"name": "n"}, {}]}`), []string{`missing required "user.friends[1].name" (str)`, `missing required "user.name" (str)`}},
		{"member of a map", with(`, "map": {"x": 1}`), []string{`"map.x" must be bool, not int`}},
		{"what may never be", with(`, "never": 1`), []string{`"never" must be left out`}},
		{"list", `[1]`, []string{`the arguments must be an object, not a list`}},
		{"no JSON", `{"owner": }`, []string{`the arguments are no JSON: not a JSON value at byte 10`}},
		{"name that does not show", with(`, "a\u202eb": 1`), []string{`unknown "a\u202eb": known are "labels", "limit", "map", "maybe", "never", "owner", "ratio", "shape", "state", "title", "user", "version", "who"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := call.CheckArguments([]byte(issueSchema), []byte(test.arguments))
			if (m == nil) != (test.want == nil) {
				t.Fatalf("mistake %v, want %q", m, test.want)
			}
			if m == nil {
				return
			}
			if diff := cmp.Diff(test.want, m.Problems); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
			if string(m.Schema) != issueSchema {
				t.Error("the schema is not there")
			}
		})
	}
}

func TestOpenSchemaExplainsUnknownNames(t *testing.T) {
	schema := `{"properties": {"repository": {}}, "required": ["repository"]}`
	m := call.CheckArguments([]byte(schema), []byte(`{"repo": "x", "other": 1}`))
	if m == nil {
		t.Fatal("accepted")
	}
	want := []string{`missing required "repository"`, `unknown "repo": did you mean "repository"?`}
	if diff := cmp.Diff(want, m.Problems); diff != "" {
		t.Error(diff)
	}
}

func TestArgumentsMiddleware(t *testing.T) {
	var sent *call.Request
	do := call.Arguments(func(server, tool string) []byte {
		if server != "github" || tool != "create" {
			return nil
		}
		return []byte(issueSchema)
	})(func(_ context.Context, r *call.Request) ([]byte, error) {
		sent = r
		return []byte(`{}`), nil
	})
	request := func(method, tool, params string) *call.Request {
		return &call.Request{Server: "github", Method: method, Name: tool, Params: []byte(params)}
	}
	fits := `{"name":"create", "arguments": {"owner":"o","title":"t", "limit": 1e1 },"_meta":{}}`
	for name, test := range map[string]struct {
		request *call.Request
		params  string // as sent, "" if refused
	}{
		"fits":          {request(wire.MethodToolsCall, "create", fits), fits},
		"does not":      {request(wire.MethodToolsCall, "create", `{"name":"create","arguments":{}}`), ""},
		"none":          {request(wire.MethodToolsCall, "create", `{"name":"create"}`), ""},
		"in a string":   {request(wire.MethodToolsCall, "create", `{"arguments":"{\"owner\":\"o\",\"title\":\"t\"}", "name":"create"}`), `{"arguments":{"owner":"o","title":"t"}, "name":"create"}`},
		"no schema":     {request(wire.MethodToolsCall, "other", `{"arguments":[]}`), `{"arguments":[]}`},
		"other method":  {request(wire.MethodPromptsGet, "create", `{"arguments":{}}`), `{"arguments":{}}`},
		"string of two": {request(wire.MethodToolsCall, "other", `{"arguments":"{} {}"}`), `{"arguments":"{} {}"}`},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // compiled, and kept
				sent = nil
				before := string(test.request.Params)
				_, err := do(t.Context(), test.request)
				var m *call.Mistake
				switch {
				case test.params == "" && (!errors.As(err, &m) || m.Server != "github" || m.Tool != "create" || sent != nil):
					t.Errorf("error %v, sent %v", err, sent)
				case test.params != "" && (err != nil || string(sent.Params) != test.params):
					t.Errorf("error %v, sent %s", err, sent.Params)
				}
				if m != nil && !strings.Contains(err.Error(), `the arguments of create do not fit the tool's schema, and the call was not sent: missing required "owner" (str); missing`) {
					t.Errorf("it says: %v", err)
				}
				if string(test.request.Params) != before {
					t.Errorf("the request was changed to %s", test.request.Params)
				}
			}
		})
	}
}

func TestCheckingSmallArgumentsNeedsNoMemory(t *testing.T) {
	do, r := checkedCall()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func checkedCall() (call.Func, *call.Request) {
	schema := []byte(issueSchema)
	do := call.Arguments(func(string, string) []byte { return schema })(func(context.Context, *call.Request) ([]byte, error) { return nil, nil })
	return do, &call.Request{Method: wire.MethodToolsCall, Params: []byte(
		`{"name":"create","arguments":{"owner":"o","title":"t","limit":10,"labels":["bug","ui"],"state":"open","user":{"name":"n"},"who":[1]},"_meta":{"progressToken":1}}`,
	)}
}

func BenchmarkArguments(b *testing.B) {
	do, r := checkedCall()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := do(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}
