package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"toolcrib/internal/mcptest"
)

// The oracle of these targets is encoding/json: written by others, slow, right.

func addCorpus(f *testing.F, add func(text []byte)) {
	f.Helper()
	for _, c := range mcptest.Malformed() {
		if text := c.Raw([]byte("7")); len(text) < 4<<10 { // large ones slow the fuzzer down
			add(text)
		}
	}
}

// decoded is what encoding/json sees, numbers as they were written.
func decoded(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// rawMembers are the members of an object as encoding/json finds them.
func rawMembers(t *testing.T, text []byte) map[string]json.RawMessage {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return members
}

// inside tells whether part lies in the memory of whole.
func inside(whole, part []byte) bool {
	for i := range whole {
		if &whole[i] == &part[0] {
			return len(part) <= len(whole)-i
		}
	}
	return false
}

func FuzzCheckJSON(f *testing.F) {
	addCorpus(f, func(text []byte) { f.Add(text) })
	f.Add([]byte(`[1.5e-7,"é\u00e9\ud83d\ude00",{"a":{"":[]}},true,null]`))
	f.Add([]byte(strings.Repeat("[", MaxDepth+1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		err := CheckJSON(text)
		if errors.Is(err, errDepth) {
			return
		}
		if (err == nil) != json.Valid(text) {
			t.Fatalf("%q: %v, encoding/json says valid: %v", text, err, json.Valid(text))
		}
		if err != nil {
			return
		}
		if list, e := Elements(text); e == nil {
			var want []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil || len(want) != len(list) {
				t.Fatalf("%q: %d elements, want %d (%v)", text, len(list), len(want), err)
			}
			for i := range list {
				if !bytes.Equal(list[i], want[i]) {
					t.Fatalf("%q: element %d is %q, want %q", text, i, list[i], want[i])
				}
			}
		} else if text[skipSpace(text, 0)] == '[' {
			t.Fatalf("%q: %v", text, e)
		}
	})
}

func FuzzParse(f *testing.F) {
	addCorpus(f, func(text []byte) { f.Add(text) })
	for _, text := range []string{smallResponse, smallCall, `{"jsonrpc":"2.0","method":"n","params":null}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m","data":[1.0]}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		m, err := Parse(text)
		if !bytes.Equal(before, text) {
			t.Fatal("the text was changed")
		}
		if err != nil {
			checkMalformed(t, text, err)
			return
		}
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("%q was accepted", text)
		}
		want := rawMembers(t, text)
		if string(want["jsonrpc"]) != `"2.0"` || string(want["id"]) != string(m.ID) {
			t.Fatalf("%q: id %q, want %q", text, m.ID, want["id"])
		}
		var method string
		if raw := want["method"]; raw != nil {
			if err := json.Unmarshal(raw, &method); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		if method != m.Method {
			t.Fatalf("%q: method %q, want %q", text, m.Method, method)
		}
		params := want["params"]
		if m.Kind == Response || string(params) == "null" {
			params = nil
		}
		for name, pair := range map[string][2][]byte{"params": {m.Params, params}, "result": {m.Result, want["result"]}} {
			if !bytes.Equal(pair[0], pair[1]) {
				t.Fatalf("%q: %s %q, want %q", text, name, pair[0], pair[1])
			}
			if len(pair[0]) > 0 && !inside(text, pair[0]) {
				t.Fatalf("%q: %s is a copy", text, name)
			}
		}
		if kind := kindOf(want); kind != m.Kind {
			t.Fatalf("%q: kind %d, want %d", text, m.Kind, kind)
		}
		if m.Fault != nil && !json.Valid(m.Fault.JSON()) {
			t.Fatalf("%q: error %q", text, m.Fault.JSON())
		}
		again(t, m)
	})
}

func kindOf(members map[string]json.RawMessage) Kind {
	switch {
	case members["method"] == nil:
		return Response
	case members["id"] == nil:
		return Notification
	}
	return Request
}

// checkMalformed: the answer to a malformed message can be sent.
func checkMalformed(t *testing.T, text []byte, err error) {
	t.Helper()
	var bad *MalformedError
	if !errors.As(err, &bad) || (bad.Fault.Code != CodeParse && bad.Fault.Code != CodeInvalidRequest) {
		t.Fatalf("%q: %v", text, err)
	}
	answer := AppendFault(nil, bad.ID, bad.Fault)
	if m, err := Parse(answer); err != nil || m.Fault == nil {
		t.Fatalf("%q is answered with %q: %v", text, answer, err)
	}
	if bad.Unawaited && bad.Fault.Code == CodeParse {
		t.Fatalf("%q: nobody can know that it is unawaited", text)
	}
}

// again: what was read and is written anew says the same.
func again(t *testing.T, m Message) {
	t.Helper()
	var line []byte
	switch {
	case m.Kind != Response:
		line = AppendRequest(nil, m.ID, m.Method, m.Params)
	case m.Fault != nil:
		line = AppendFault(nil, m.ID, m.Fault)
	default:
		line = AppendResult(nil, m.ID, m.Result)
	}
	n, err := Parse(line)
	if err != nil || n.Kind != m.Kind || n.ID != m.ID || n.Method != m.Method || !bytes.Equal(n.Params, m.Params) || !bytes.Equal(n.Result, m.Result) || (n.Fault == nil) != (m.Fault == nil) {
		t.Fatalf("%+v was written as %q and read as %+v, %v", m, line, n, err)
	}
	if m.Fault != nil && (n.Fault.Code != m.Fault.Code || n.Fault.Message != m.Fault.Message) {
		t.Fatalf("%v became %v", m.Fault, n.Fault)
	}
}

func FuzzObjectWith(f *testing.F) {
	for _, text := range []string{`{}`, `{ }`, ` {"a" : 1 , "b":{"c":[ ]},"\u0061b":"x" } `, `{"n":9223372036854775807,"m":1e-7}`, manyMembers(70)} {
		f.Add([]byte(text), "a", []byte("2"), "b", []byte(nil), "new", []byte(`{"x":[1, 2]}`))
		f.Add([]byte(text), "a", []byte(nil), "a", []byte(`"y"`), "\"\n", []byte("null"))
	}
	f.Fuzz(func(t *testing.T, text []byte, n1 string, v1 []byte, n2 string, v2 []byte, n3 string, v3 []byte) {
		o, err := ParseObject(text)
		if err != nil || !utf8.Valid(text) {
			return
		}
		want := rawMembers(t, text)
		if len(want) != len(o.Members()) {
			t.Fatalf("%q: %d members, encoding/json finds %d", text, len(o.Members()), len(want))
		}
		for _, m := range o.Members() {
			if !bytes.Equal(want[m.Name], m.Value) || !bytes.Equal(Find(text, m.Name), m.Value) {
				t.Fatalf("%q: %q is %q, want %q; Find says %q", text, m.Name, m.Value, want[m.Name], Find(text, m.Name))
			}
		}
		var changes []Change
		for _, c := range []Change{{n1, v1}, {n2, v2}, {n3, v3}} {
			if !utf8.ValidString(c.Name) || (len(c.Value) > 0 && !json.Valid(c.Value)) {
				continue
			}
			if len(c.Value) == 0 {
				c.Value = nil
				delete(want, c.Name)
			} else {
				want[c.Name] = c.Value
			}
			changes = append(changes, c)
		}
		before := bytes.Clone(text)
		got := o.With(changes...)
		if !bytes.Equal(before, text) {
			t.Fatalf("%q itself was changed", text)
		}
		if !json.Valid(got) {
			t.Fatalf("%q with %q is %q", text, changes, got)
		}
		now := rawMembers(t, got)
		if len(now) != len(want) {
			t.Fatalf("%q with %q is %q", text, changes, got)
		}
		for name, value := range want {
			if string(bytes.TrimSpace(now[name])) != string(bytes.TrimSpace(value)) {
				t.Fatalf("%q with %q is %q: %q is %q, want %q", text, changes, got, name, now[name], value)
			}
		}
		if again, err := ParseObject(got); err == nil && len(again.Members()) != len(want) {
			t.Fatalf("%q with %q is %q", text, changes, got)
		}
	})
}

func FuzzAddContent(f *testing.F) {
	for _, text := range []string{`{}`, `{"content":[]}`, `{"content":[ ]}`, `{"content":null}`, `{"a":1, "content" : [ {"type":"text"} , 2 ] ,"isError":true}`, `{"content":{}}`, `[]`} {
		f.Add([]byte(text), []byte(`{"type":"text","text":"docs"}`), true)
		f.Add([]byte(text), []byte(`{"type":"text","text":"docs"}`), false)
	}
	f.Fuzz(func(t *testing.T, result, block []byte, first bool) {
		if CheckJSON(block) != nil || !utf8.Valid(result) || !utf8.Valid(block) {
			return
		}
		before := bytes.Clone(result)
		got, err := AddContent(result, block, first)
		if !bytes.Equal(before, result) {
			t.Fatalf("%q itself was changed", result)
		}
		if err != nil {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q became %q", result, got)
		}
		want, now := decoded(t, result).(map[string]any), decoded(t, got).(map[string]any)
		list, _ := want["content"].([]any)
		if first {
			list = append([]any{decoded(t, block)}, list...)
		} else {
			list = append(list, decoded(t, block))
		}
		want["content"] = list
		if !reflect.DeepEqual(want, now) {
			t.Fatalf("%q became %q", result, got)
		}
		was, is := rawMembers(t, result), rawMembers(t, got)
		for name, value := range was {
			if name != "content" && !bytes.Equal(value, is[name]) {
				t.Fatalf("%q became %q", result, got)
			}
		}
	})
}

// The buffer starts small, so that short texts fill several.
func FuzzLineReader(f *testing.F) {
	f.Add("a\nbb\r\n\nccc", byte(2), byte(4), []byte{1})
	f.Add(strings.Repeat("x", 40)+"\n"+strings.Repeat("y", 90)+"\nz\n", byte(80), byte(8), []byte{20, 1, 7})
	f.Add(strings.Repeat("x", 100), byte(99), byte(1), []byte{5})
	f.Fuzz(func(t *testing.T, text string, limit, buffer byte, sizes []byte) {
		var chunkSizes []int
		for _, n := range sizes {
			chunkSizes = append(chunkSizes, int(n)+1)
		}
		compareLines(t, text, int(limit), int(buffer)+1, chunkSizes...)
	})
}

func FuzzSeal(f *testing.F) {
	f.Add([]byte("state"), "purpose", int64(1_800_000_000), "other", 3, byte('x'))
	f.Add([]byte(nil), "", int64(-1), "", -1, byte('\n'))
	s := newSealer(f, []byte(strings.Repeat("k", 32)))
	f.Fuzz(func(t *testing.T, plain []byte, purpose string, expiry int64, other string, at int, b byte) {
		end := time.Unix(expiry, 0)
		text := s.Seal(plain, purpose, end)
		got, err := s.Open(text, purpose, end)
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("%q came back as %q: %v", plain, got, err)
		}
		if _, err := s.Open(text, purpose, end.Add(time.Second)); err == nil && end.Add(time.Second).Unix() > end.Unix() {
			t.Fatal("opened after it expired")
		}
		if _, err := s.Open(text, other, end); other != purpose && err == nil {
			t.Fatal("opened for another purpose")
		}
		if at >= 0 && at <= len(text) {
			if _, err := s.Open(text[:at]+string([]byte{b})+text[at:], purpose, end); err == nil {
				t.Fatalf("opened with %q at %d", b, at)
			}
			if changed := text[:at] + string([]byte{b}) + text[min(at+1, len(text)):]; changed != text {
				if _, err := s.Open(changed, purpose, end); err == nil {
					t.Fatalf("opened with %q for byte %d", b, at)
				}
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	s := newSealer(f, []byte(strings.Repeat("k", 32)))
	now := time.Unix(1_800_000_000, 0)
	f.Add("", "purpose")
	f.Add("AAAA", "purpose")
	f.Add(strings.Repeat("A", 48), "")
	f.Fuzz(func(t *testing.T, text, purpose string) {
		if got, err := s.Open(text, purpose, now); err == nil || got != nil {
			t.Fatalf("%q was opened: %q", text, got)
		}
	})
}
