package catalog

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"toolcrib/internal/wire"
)

// FuzzBuild builds a snapshot of two servers from lines of anything.
func FuzzBuild(f *testing.F) {
	f.Add("srv", `{"name":"srv"}`, []byte("{\"name\":\"a-b\"}\n{\"name\":\"a_b\"}\n{\"name\":\"a-b\",\"description\":\"2\"}"))
	f.Add("", ``, []byte("\n{}\nnull\n{\"name\":null}\n{\"name\":\"\"}\n{\"name\":\"\\ud800\"}"))
	f.Add("end", `[]`, []byte(`{"name":"x","_meta":{"category":"c","tags":["t"],"fastmcp":{"tags":[1]},"related":["y"]},"annotations":{"readOnlyHint":true}}`))
	f.Add("s.t", `{"name":1}`, []byte(`{"name":"createIssue2","description":"Gets \u00e9 \"quoted\"","inputSchema":{"b":[1,2],"a":{"":{}}}}`))
	f.Fuzz(func(t *testing.T, server, info string, lines []byte) {
		l := Listing{Server: server, ServerInfo: json.RawMessage(info), Taken: time.Unix(1, 0)}
		ways := slices.Concat(provenances, []Provenance{""})
		for i, raw := range bytes.Split(lines, []byte("\n")) {
			if i == 200 {
				break
			}
			l.Tools = append(l.Tools, Found{Raw: raw, Provenance: ways[i/3%len(ways)], Confidence: float64(i)})
		}
		other := l
		other.Server = server + "-"
		s := Build([]Listing{l, other}, Rules{}, time.Unix(2, 0))
		seen := map[ToolID]bool{}
		for _, x := range s.Tools() {
			if _, _, ok := x.ID().Split(); !ok || seen[x.ID()] || s.Tool(x.ID()) != x {
				t.Fatalf("bad id %q", x.ID())
			}
			seen[x.ID()] = true
			if s.Find(x.Server().Name(), x.Name()) == nil || len(x.Tags()) > maxTags || x.Category() == "" || len(x.Fingerprint()) != 64 {
				t.Fatalf("%q is incomplete", x.ID())
			}
			s.Related(x, 3)
		}
		if next := s.Next([]Listing{other, l}, Rules{}, time.Unix(3, 0)); next.Version() != s.Version() {
			t.Fatal("the next snapshot of the same differs")
		}
	})
}

// FuzzCanonical: writing JSON canonically changes nothing but how it is written.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":[1,{"d":"\u00e9","c":null}],"a":-0.5e3}`, `"\ud83d\ude00\ud83d"`, ` [ ] `, `{"":{"":{}}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if wire.CheckJSON(raw) != nil {
			t.Skip()
		}
		got, rest := appendCanonical(nil, raw)
		if len(skipSpace(rest)) > 0 {
			t.Fatalf("%q: %q is left over", raw, rest)
		}
		if err := wire.CheckJSON(got); err != nil {
			t.Fatalf("%q gives %q: %v", raw, got, err)
		}
		if again, _ := appendCanonical(nil, got); !bytes.Equal(again, got) {
			t.Fatalf("%q gives %q, and that %q", raw, got, again)
		}
		if !utf8.Valid(raw) || bytes.Contains(bytes.ToLower(raw), []byte(`\ud`)) {
			return // the standard library makes one of what is different
		}
		var a, b any
		if json.Unmarshal(raw, &a) == nil {
			if err := json.Unmarshal(got, &b); err != nil {
				t.Fatalf("%q gives %q: %v", raw, got, err)
			}
			before, _ := json.Marshal(a)
			after, _ := json.Marshal(b)
			if !bytes.Equal(before, after) {
				t.Fatalf("%q gives %q", raw, got)
			}
		}
	})
}
