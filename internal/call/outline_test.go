package call_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

func structured(value string) []byte {
	return []byte(`{"content":[],"structuredContent":` + value + `}`)
}

func TestOutline(t *testing.T) {
	people := func(n int, of string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf("%q:%s", strings.Repeat("x", i+1), of))
		}
		return "{" + strings.Join(out, ",") + "}"
	}
	for name, test := range map[string]struct{ result, want string }{
		"record":           {string(structured(`{"id":7,"title":"secret","ok":true,"none":null,"rate":1.5}`)), `{id: int, title: str, ok: bool, none: null, rate: num}`},
		"elements merge":   {string(structured(`[{"id":1,"user":{"name":"x"}},{"id":null,"x":[1,2.5]},{"id":2.5}]`)), `[{id: num|null, user?: {name: str}, x?: [num]}]`},
		"members merge":    {string(structured(`{"a":[{"b":{"c":1}},{"b":{"d":2}},{"b":"text"}]}`)), `{a: [{b: {c?: int, d?: int}|str}]}`},
		"nothing inside":   {string(structured(`{"a":[],"b":{},"c":[[]]}`)), `{a: [], b: {}, c: [[]]}`},
		"JSON in a text":   {`{"content":[{"type":"text","text":" {\"a\":[\"b\"]}\n"}]}`, `{a: [str]}`},
		"number in a text": {`{"content":[{"type":"text","text":"12"}]}`, `int`},
		"text":             {`{"content":[{"type":"text","text":"hello {"}]}`, `text`},
		"two texts":        {`{"content":[{"type":"text","text":"{}"},{"type":"text","text":"{}"}]}`, `text`},
		"content":          {`{"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"image"},{"type":"x y"},7]}`, `image and other and text`},
		"null structure":   {`{"content":[{"type":"text","text":"a"}],"structuredContent":null}`, `text`},
		"names that are data": {
			string(structured(`{"me@example.com":{"n":1},"you@example.com":{"m":1},"2026-01-31":{"n":2},"id":1,"` + strings.Repeat("long", 20) + `":{"n":1},"a b":{"n":1},"cus_83712":{"n":1}}`)),
			`{id: int, *: {n?: int, m?: int}}`,
		},
		"names that may be":  {string(structured(people(12, `{"n":1}`))), `{*: {n: int}}`},
		"too few to tell":    {string(structured(people(2, `{"n":1}`))), `{x: {n: int}, xx: {n: int}}`},
		"many texts":         {string(structured(people(40, `"v"`))), `{*: str}`},
		"deep":               {string(structured(strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat(`}`, 500))), `{a: {a: {a: {a: {a: {a: {a: {a: {...}}}}}}}}}`},
		"deep lists":         {string(structured(strings.Repeat(`[`, 500) + strings.Repeat(`]`, 500))), `[[[[[[[[[...]]]]]]]]]`},
		"question back":      {`{"resultType":"input_required"}`, ``},
		"no result":          {`7`, ``},
		"no JSON":            {`{"content":`, ``},
		"content is no list": {`{"content":"x"}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			if got := call.Outline([]byte(test.result)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestOutlinesAreShort(t *testing.T) {
	bush := "1"
	for range 5 {
		var members []string
		for i := range 9 {
			members = append(members, fmt.Sprintf(`"member_%c":%s`, 'a'+i, bush))
		}
		bush = "{" + strings.Join(members, ",") + "}"
		if len(bush) > 200_000 {
			break
		}
	}
	for name, value := range map[string]string{
		"wide":    `{"a":1` + manyProperties(20_000) + `}`,
		"wide ab": `{"a":1` + strings.ReplaceAll(manyProperties(20_000), `"p`, `"pq_`) + `}`,
		"bushy":   bush,
		"long":    `[1` + strings.Repeat(`,{"a":[1]}`, 50_000) + `]`,
	} {
		got := call.Outline(structured(value))
		if len(got) > 1500 || len(got) < 3 {
			t.Errorf("%s: %d bytes: %s", name, len(got), got)
		}
	}
	if got := call.Outline(structured(`"` + strings.Repeat("x", 1<<20) + `"`)); got != "" {
		t.Errorf("too large: %q", got)
	}
}

func TestOutlinesLearn(t *testing.T) {
	o := call.NewOutlines()
	know := func(want string) {
		t.Helper()
		if got, ok := o.Seen("f"); got != want || ok != (want != "") {
			t.Errorf("knows %q, %v; want %q", got, ok, want)
		}
	}
	know("")
	for _, result := range []string{`{"isError":true,"structuredContent":{"a":1}}`, `{}`, `nonsense`, `{"structuredContent":[]}`, `{"structuredContent":{}}`, `{"resultType":"input_required","inputRequests":{}}`} {
		o.Learn("f", []byte(result))
		know("")
	}
	result := structured(`{"secret":"value"}`)
	o.Learn("f", result)
	know("{secret: str}")
	o.Learn("f", structured(`{"other":1}`))
	know("{secret: str}")
	if n := testing.AllocsPerRun(100, func() { o.Learn("f", result) }); n != 0 {
		t.Errorf("what is known is learnt again: %v allocations", n)
	}
}

func TestOutlinesAreBounded(t *testing.T) {
	o := call.NewOutlines()
	result := structured(`[1]`)
	for i := range 10_001 {
		o.Learn(fmt.Sprint(i), result)
		o.Seen("0")
	}
	for name, want := range map[string]bool{"0": true, "1": false, "2": true, "10000": true} {
		if _, ok := o.Seen(name); ok != want {
			t.Errorf("tool %s is known: %v", name, ok)
		}
	}
}

func TestOutlinesAtOnce(t *testing.T) {
	o := call.NewOutlines()
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for n := range 100 {
				o.Learn(fmt.Sprint(n), structured(fmt.Sprintf(`{"a":%d}`, i)))
				if got, _ := o.Seen(fmt.Sprint(n)); got != "{a: int}" {
					t.Errorf("%q", got)
				}
			}
		})
	}
	wait.Wait()
}

func FuzzOutline(f *testing.F) {
	f.Add([]byte(`{"structuredContent":[{"a":1,"b":{"c d":[null]}},{"a":"x"}]}`))
	f.Add([]byte(`{"content":[{"type":"text","text":"[1,{\"a\":2}]"}]}`))
	f.Fuzz(func(t *testing.T, result []byte) {
		got := call.Outline(result)
		if len(got) > 1500 {
			t.Errorf("%d bytes", len(got))
		}
		if got != "" && wire.CheckJSON(result) != nil {
			t.Errorf("an outline of no JSON: %q", got)
		}
		if again := call.Outline(result); again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}
