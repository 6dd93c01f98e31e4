package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

const whole = `{"name":"n","title":"T","description":"D","inputSchema":{"type":"object","properties":{"b":{"type":"integer","default":1},"a":{}}},` +
	`"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"title":"x"},"_meta":{"k":1},"icons":[]}`

func fingerprint(t *testing.T, raw string) string {
	t.Helper()
	d, err := new(reader).read(tool(raw))
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return d.fingerprint
}

func TestFingerprintIsOfTheCanonicalDefinition(t *testing.T) {
	canonical := `{"annotations":{"readOnlyHint":true,"title":"x"},"description":"D",` +
		`"inputSchema":{"properties":{"a":{},"b":{"default":1,"type":"integer"}},"type":"object"},"name":"n","outputSchema":{"type":"object"},"title":"T"}`
	sum := sha256.Sum256([]byte(canonical))
	if got := fingerprint(t, whole); got != hex.EncodeToString(sum[:]) {
		t.Errorf("got %s", got)
	}
}

func TestFingerprintIgnoresHowItIsWritten(t *testing.T) {
	want := fingerprint(t, whole)
	for _, same := range []string{
		strings.ReplaceAll(whole, ",", " ,\n\t"),
		strings.ReplaceAll(whole, ":", " : "),
		`{"icons":[1],"_meta":{},"annotations":{"title":"x","readOnlyHint":true},"outputSchema":{"type":"object"},` +
			`"inputSchema":{"properties":{"a":{},"b":{"default":1,"type":"integer"}},"type":"object"},"description":"D","title":"T","name":"n"}`,
		strings.ReplaceAll(whole, `"D"`, `"\u0044"`),
		strings.ReplaceAll(whole, `"type"`, `"\u0074ype"`),
		strings.Replace(whole, `"_meta":{"k":1}`, `"_meta":{"k":2},"more":true`, 1),
	} {
		if got := fingerprint(t, same); got != want {
			t.Errorf("differs for %s", same)
		}
	}
}

func TestFingerprintTellsEveryChange(t *testing.T) {
	seen := map[string]string{fingerprint(t, whole): whole}
	for _, change := range [][2]string{
		{`"name":"n"`, `"name":"N"`},
		{`"T"`, `"T "`},
		{`"D"`, `"D\n"`},
		{`"D"`, `"D\u200b"`},
		{`"D"`, `""`},
		{`"description":"D",`, ``},
		{`"description":"D",`, `"description":null,`},
		{`"default":1`, `"default":1.0`},
		{`"default":1`, `"default":10000000000000001`},
		{`"default":1`, `"default":10000000000000002`},
		{`"default":1`, `"default":"1"`},
		{`"a":{}`, `"a":[]`},
		{`"a":{}`, `"a":{"":{}}`},
		{`"outputSchema":{"type":"object"}`, `"outputSchema":{"type":"array"}`},
		{`"readOnlyHint":true`, `"readOnlyHint":false`},
		{`"title":"x"`, `"title":"y"`},
		{`"D"`, `"\ud800"`},
		{`"D"`, `"\ud801"`},
		{`"D"`, `"\ufffd"`},
		{`"D"`, `"\\u0044"`},
	} {
		raw := strings.Replace(whole, change[0], change[1], 1)
		f := fingerprint(t, raw)
		if was, ok := seen[f]; ok {
			t.Errorf("same fingerprint:\n%s\n%s", raw, was)
		}
		seen[f] = raw
	}
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{` { } `, `{}`},
		{`[ ]`, `[]`},
		{`[ 1 , -2.50e+3 ,true,false , null ]`, `[1,-2.50e+3,true,false,null]`},
		{`{"b":1,"a":{"d":[{"z":0,"y":0}],"c":2}}`, `{"a":{"c":2,"d":[{"y":0,"z":0}]},"b":1}`},
		{`{"a":1,"b":2,"a":3}`, `{"a":1,"a":3,"b":2}`},
		{`{"é":1,"z":2,"\u00e9a":3}`, `{"z":2,"é":1,"éa":3}`},
		{`"\b\f\n\r\t\"\\\/"`, `"\u0008\u000c\u000a\u000d\u0009\u0022\u005c/"`},
		{`"\u00E9\u4e2D\uD83D\uDE00"`, `"é中😀"`},
		{`"\uD83D"`, `"\ud83d"`},
		{`"\uD83Dx\uDE00"`, `"\ud83dx\ude00"`},
		{`"\uD83D\u0041"`, `"\ud83dA"`},
	} {
		got, rest := appendCanonical(nil, []byte(c.in))
		if string(got) != c.want || len(skipSpace(rest)) > 0 {
			t.Errorf("%s gives %s, want %s", c.in, got, c.want)
		}
		if again, _ := appendCanonical(nil, got); string(again) != string(got) {
			t.Errorf("%s gives %s", got, again)
		}
	}
}
