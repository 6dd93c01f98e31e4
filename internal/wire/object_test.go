package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func manyMembers(n int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"m%d":%d`, i, i)
	}
	b.WriteByte('}')
	return b.String()
}

func TestObjectMembers(t *testing.T) {
	text := "{ \"a\" : 1 ,\"b\":\t[1, 2] , \"\\u0063\":\"t\\u00e9xt\",\"\":null}"
	o, err := ParseObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range o.Members() {
		got = append(got, m.Name+"="+string(m.Value))
	}
	if want := `a=1;b=[1, 2];c="t\u00e9xt";=null`; strings.Join(got, ";") != want {
		t.Errorf("members %q, want %q", strings.Join(got, ";"), want)
	}
	if o.Text("c") != "téxt" || o.Text("a") != "" || o.Text("none") != "" {
		t.Errorf("texts %q %q", o.Text("c"), o.Text("a"))
	}
	if o.Get("none") != nil || string(o.Get("")) != "null" {
		t.Error("absent and empty names are mixed up")
	}
	value := o.Get("b")
	if _ = append(value, 'x'); string(o.With()) != text {
		t.Error("appending to a value writes into the object")
	}
}

func TestObjectsOfEverySize(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 66, 500, maxMembers} {
		o, err := ParseObject([]byte(manyMembers(n)))
		if err != nil {
			t.Fatalf("%d members: %v", n, err)
		}
		if len(o.Members()) != n {
			t.Fatalf("%d members, found %d", n, len(o.Members()))
		}
		for _, i := range []int{0, n / 2, n - 1} {
			if i < 0 || i >= n {
				continue
			}
			name := fmt.Sprintf("m%d", i)
			if string(o.Get(name)) != fmt.Sprint(i) {
				t.Errorf("%d members: %s is %s", n, name, o.Get(name))
			}
			// The same object with that member once more, at its end.
			twice := strings.TrimSuffix(manyMembers(n), "}") + `,"` + name + `":0}`
			if _, err := ParseObject([]byte(twice)); err == nil || !strings.Contains(err.Error(), "twice") && n < maxMembers {
				t.Errorf("%d members and %s again: %v", n, name, err)
			}
		}
	}
	if _, err := ParseObject([]byte(manyMembers(maxMembers + 1))); err == nil {
		t.Error("an object may have any number of members")
	}
}

func TestObjectsThatAreNone(t *testing.T) {
	for _, text := range []string{
		"", " ", "null", "[]", `"a"`, "1", "{", `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a":1 "b":2}`, `{"a" 1}`, `{a:1}`, `{"a":1}}`, `{"a":1} x`,
		`{"a":1,"a":1}`, `{"a":1,"\u0061":1}`, `{"":1,"":2}`, `{"\ud83d\ude00":1,"😀":2}`, `{"\ud800":1,"\ud801":2}`, `{"\q":1}`, "{\"\n\":1}",
	} {
		if _, err := ParseObject([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestWrongCaseIsRefused(t *testing.T) {
	for text, want := range map[string]bool{
		`{"result":1}`: true, `{"results":1}`: true, `{"x":1}`: true,
		`{"Result":1}`: false, `{"RESULT":1}`: false, `{"result":1,"resulT":2}`: false, `{"re\u017fult":1}`: false, `{"re` + "\u017f" + `ult":1}`: false,
	} {
		o, err := ParseObject([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := o.refuseWrongCase("result"); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWith(t *testing.T) {
	for _, c := range []struct {
		object  string
		changes []Change
		want    string
	}{
		{`{}`, nil, `{}`},
		{`{ }`, []Change{{"a", []byte("1")}}, `{ "a":1}`},
		{` { } `, []Change{{"a", []byte("1")}, {"b", []byte("2")}}, ` { "a":1,"b":2} `},
		{`{"a":1}`, []Change{{"a", nil}}, `{}`},
		{`{ "a" : 1 }`, []Change{{"a", []byte("2")}}, `{ "a" : 2 }`},
		{`{"a":1 , "b":2}`, []Change{{"a", nil}}, `{"b":2}`},
		{`{"a":1 , "b":2}`, []Change{{"b", nil}}, `{"a":1}`},
		{`{"a":1, "b":2, "c":3}`, []Change{{"b", nil}}, `{"a":1,"c":3}`},
		{`{"a":1, "b":2, "c":3}`, []Change{{"a", nil}, {"b", nil}}, `{"c":3}`},
		{`{"a":1, "b":2, "c":3}`, []Change{{"a", nil}, {"b", nil}, {"c", nil}, {"d", []byte("4")}}, `{"d":4}`},
		{`{"a":1, "b":2, "c":3 }`, []Change{{"c", []byte(`"x"`)}, {"d", []byte("4")}}, `{"a":1, "b":2, "c":"x","d":4 }`},
		{`{"\u0061":1}`, []Change{{"a", []byte("2")}}, `{"\u0061":2}`},
		{`{"a":1}`, []Change{{"none", nil}}, `{"a":1}`},
		{`{"a":1}`, []Change{{"a\"\n", []byte("2")}}, `{"a":1,"a\"\n":2}`},
		{`{"n":9223372036854775807,"a":1}`, []Change{{"a", []byte("2")}}, `{"n":9223372036854775807,"a":2}`},
		// The last of several changes of one member counts, as it would one after the other.
		{`{"a":1}`, []Change{{"a", []byte("2")}, {"a", []byte("3")}}, `{"a":3}`},
		{`{"a":1}`, []Change{{"b", []byte("2")}, {"b", []byte("3")}}, `{"a":1,"b":3}`},
		{`{"a":1}`, []Change{{"b", []byte("2")}, {"b", nil}}, `{"a":1}`},
	} {
		o, err := ParseObject([]byte(c.object))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(o.With(c.changes...)); got != c.want {
			t.Errorf("%s with %v is %s, want %s", c.object, c.changes, got, c.want)
		}
	}
}

func TestElements(t *testing.T) {
	for text, want := range map[string]string{
		"[]": "", " [ ] ": "", "[1]": "1", "[1, [2,3] ,{\"a\":[]}]\n": `1|[2,3]|{"a":[]}`, `["a",null]`: `"a"|null`,
	} {
		list, err := Elements([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var got []string
		for _, e := range list {
			got = append(got, string(e))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", "{}", "1", "[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "[1}", "[]]", "[] x", "[1] x", "[1][2]"} {
		if list, err := Elements([]byte(text)); err == nil {
			t.Errorf("%q is accepted as %q", text, list)
		}
	}
}

// An element is two bytes on the wire and many times that in memory.
func TestElementsAreBounded(t *testing.T) {
	zeros := "[" + strings.Repeat("0,", 4<<20) + "0]"
	if _, err := Elements([]byte(zeros)); err == nil {
		t.Error("an array may have any number of elements")
	}
	if size := bytesAllocated(func() { Elements([]byte(zeros)) }); size > 40<<20 {
		t.Errorf("an array of 8 MB takes %d bytes before it is refused", size)
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{`"a"`: "a", `""`: "", `"\u00e9\n"`: "é\n"} {
		if s, ok := Text([]byte(raw)); !ok || s != want {
			t.Errorf("%s: %q %v", raw, s, ok)
		}
	}
	for _, raw := range []string{"", "null", "1", `"`, `"a`, `a"`, "{}"} {
		if s, ok := Text([]byte(raw)); ok {
			t.Errorf("%q is the text %q", raw, s)
		}
	}
}

func TestQuoteCanBeReadBack(t *testing.T) {
	for _, s := range []string{"", "a", `"\`, "\x00\x1f\n", "<é😀\u2028>"} {
		var back string
		if err := json.Unmarshal(Quote(s), &back); err != nil || back != s {
			t.Errorf("%q came back as %q: %v", s, back, err)
		}
	}
}

func BenchmarkParseObject4096(b *testing.B) {
	text := []byte(manyMembers(maxMembers))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParseObject(text); err != nil {
			b.Fatal(err)
		}
	}
}
