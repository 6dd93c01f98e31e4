package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		name, direct, through string
		want                  bool
	}{
		{"equal", `{"content":[1,2]}`, `{"content":[1,2]}`, true},
		{"what the modern era adds", `{"content":[]}`, `{"resultType":"complete","content":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{}}}`, true},
		{"another _meta", `{"content":[]}`, `{"content":[],"_meta":{"x":1}}`, false},
		{"a lost member", `{"content":[],"x":1}`, `{"content":[]}`, false},
		{"a rounded number", `{"x":9223372036854775807}`, `{"x":9223372036854775808}`, false},
		{"another order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, false},
		{"another escape", `{"a":"\u00e9"}`, `{"a":"é"}`, false},
	} {
		err := same(answer{Result: json.RawMessage(c.direct)}, answer{Result: json.RawMessage(c.through)})
		if (err == nil) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if same(answer{code: 5}, answer{code: 0}) == nil {
		t.Error("different exit codes are the same")
	}
}

func TestSameEntries(t *testing.T) {
	p := probe{list: "tools", key: "name"}
	prefix := func(s string) string { return "s__" + s }
	whole := func(b []byte) []byte { return b }
	direct := answer{Result: json.RawMessage(`{"tools":[{"name":"a","x":1},{"name":"b"}]}`)}
	for through, problem := range map[string]string{
		`{"tools":[{"name":"s__b"},{"name":"s__a","x":1}]}`:                              "",
		`{"tools":[{"name":"s__b"},{"name":"s__a","x":1},{"name":"s__get-roots-list"}]}`: "",
		`{"tools":[{"name":"s__b"},{"name":"s__a","x":2}]}`:                              "a differs",
		`{"tools":[{"name":"s__a","x":1}]}`:                                              "s__b is missing",
		`{"tools":[{"name":"s__b"},{"name":"s__a","x":1},{"name":"s__c"}]}`:              "s__c is there and not directly",
	} {
		err := sameEntries(direct, answer{Result: json.RawMessage(through)}, p, prefix, whole)
		if problem == "" && err != nil || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("%s: %v, want %q", through, err, problem)
		}
	}
}
