package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
)

func TestCheckJSONAgreesWithEncodingJSON(t *testing.T) {
	texts := []string{
		"", " ", "\n", "null", " null ", "nul", "nulll", "true", "false", "True", "tru",
		"0", "-0", "00", "01", "-", "-a", "1.", "1.5", ".5", "1e5", "1E+5", "1e-", "1e", "1.5e3.2", "+1", "1 2", "-1.5E-10", "9223372036854775808",
		`""`, `"`, `"a`, `"\`, `"\"`, `"\u"`, `"\u12"`, `"\u123`, `"\u12g4"`, `"\ud800"`, `"\ud83d\ude00"`, `"\x41"`, `"\/\b\f\n\r\t\"\\"`,
		"\"a\nb\"", "\"a\tb\"", "\"a\x7fb\"", "\"\xff\"", "\"\x00\"", "\"\x1f\"", "\"\x20\"",
		"[]", "[ ]", "[1]", "[1,2]", "[1,]", "[,1]", "[1 2]", "[", "]", "[}", "{]", "[[]", "[[],[]]", "[]]",
		"{}", "{ }", `{"a":1}`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{1:1}`, `{"a":1 "b":2}`, `{"a":1,"a":2}`, `{"a":{"b":[{}]}}`,
		"\v1", "\f1", "\u00a01", "\ufeff1", "1\x00", "// x\n1", "1 // x", "'a'", "NaN", "Infinity",
	}
	for _, c := range mcptest.Malformed() {
		texts = append(texts, string(c.Raw([]byte("1"))))
	}
	for _, text := range texts {
		err := CheckJSON([]byte(text))
		if errors.Is(err, errDepth) {
			continue // ours is the lower limit
		}
		if ok := err == nil; ok != json.Valid([]byte(text)) {
			t.Errorf("%.80q: valid is %v, encoding/json disagrees (%v)", text, ok, err)
		}
	}
}

// A string is read eight bytes at a time: what ends it, or must not be in it,
// is found at every place of the eight.
func TestStringsAreReadAtAnyOffset(t *testing.T) {
	for _, special := range []string{`"`, `\`, `\n`, `\u0041`, "\x00", "\x01", "\x1f", "\x20", "!", "#", "[", "]", "\x7f", "\x80", "\xa2", "\xdc", "\xff"} {
		for before := range 20 {
			for after := range 20 {
				text := []byte(strings.Repeat(" ", before%4) + `"` + strings.Repeat("x", before) + special + strings.Repeat("\xc3", after) + `"`)
				if got, want := CheckJSON(text) == nil, json.Valid(text); got != want {
					t.Fatalf("%q: valid is %v, encoding/json says %v", text, got, want)
				}
			}
		}
	}
}

func TestDepthIsLimited(t *testing.T) {
	arrays := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	mixed := func(n int) string { return strings.Repeat(`[{"a":`, n/2) + "1" + strings.Repeat("}]", n/2) }
	for name, nested := range map[string]func(int) string{"arrays": arrays, "objects": objects, "mixed": mixed} {
		if err := CheckJSON([]byte(nested(MaxDepth))); err != nil {
			t.Errorf("%s: %d levels: %v", name, MaxDepth, err)
		}
		for _, n := range []int{MaxDepth + 2, 100_000} {
			if err := CheckJSON([]byte(nested(n))); !errors.Is(err, errDepth) {
				t.Errorf("%s: %d levels: %v", name, n, err)
			}
		}
	}
	inObject := func(n int) []byte { return []byte(`{"a":` + arrays(n) + `}`) }
	if _, err := ParseObject(inObject(MaxDepth - 1)); err != nil {
		t.Errorf("an object's own level counts: %v", err)
	}
	if _, err := ParseObject(inObject(MaxDepth)); !errors.Is(err, errDepth) {
		t.Errorf("one level too many inside an object: %v", err)
	}
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for text, at := range map[string]int{`{"a":1,}`: 7, `[1 2]`: 3, `{"a" 1}`: 5, `{"a":"\x"}`: 6, `[1]x`: 3, "[\"a\x01\"]": 3, `[-]`: 1, `[01]`: 2} {
		err := CheckJSON([]byte(text))
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("at byte %d", at)) {
			t.Errorf("%s: want byte %d in %v", text, at, err)
		}
	}
}

func TestCheckingAllocatesNothing(t *testing.T) {
	text := []byte(strings.Repeat(`[{"a":"text with \n","b":[1,2.5e3,null,true]},`, 200) + "0" + strings.Repeat("]", 200))
	if n := testing.AllocsPerRun(100, func() {
		if err := CheckJSON(text); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
