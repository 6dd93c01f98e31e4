package script

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// Any result of a tool comes into Lua and out again as it was, or is an error.
func FuzzBridge(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5,"x",null,true,{}],"b":[]}`, `9007199254740993`, `"\ud83d\ude00\u0000"`, `[[[[1e308]]]]`, `-0.0`, `{"":""}`,
		`[1,2,`, `{"a":1,"a":2}`, `"` + "\xff" + `"`, `{"1":1,"2":2}`, "\x01" + `0`, "\x02", `[18446744073709551615]`, ` [ 1 , 2 ] `,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := newHost()
		h.tools["t"]["fuzz"] = fakeTool{do: func(context.Context, json.RawMessage) (string, error) {
			return `{"structuredContent":` + text + `}`, nil
		}}
		h.tools["t"]["take"] = fakeTool{do: func(_ context.Context, a json.RawMessage) (string, error) {
			if !json.Valid(a) {
				t.Errorf("arguments that are not JSON: %q", a)
			}
			return structured("taken")
		}}
		r, err := runLimited(t, `local v = t.fuzz{}:await() t.take{v=v}:await() print(v) return v`, h, &Limits{Ticks: 500})
		if err != nil {
			if c := code(err); c == CodeInternal || c == "" {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if !json.Valid(r.Value) {
			t.Errorf("%q became %q", text, r.Value)
		}
		if want, exact := canonical(text); exact && string(r.Value) != want {
			t.Errorf("%q became %s, want %s", text, r.Value, want)
		}
	})
}

// canonical is JSON with sorted keys as Go writes it, and whether Lua must write it
// alike: numbers other than 64-bit integers, duplicate keys and texts that Go cleans
// may be written otherwise.
func canonical(text string) (string, bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil || value == nil || strings.ContainsAny(text, `\`+"\x7f\u2028\u2029\ufffd") || strings.ContainsAny(text, ".eE") || hasInexact(value) {
		return "", false
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return "", false
	}
	return strings.TrimSuffix(out.String(), "\n"), !strings.Contains(out.String(), `\`)
}

func hasInexact(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, err := v.Int64()
		return err != nil || v == "-0"
	case []any:
		for _, item := range v {
			if hasInexact(item) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if hasInexact(item) {
				return true
			}
		}
	}
	return false
}

// Any script ends in a result or an error that is not ours, and does what its plan says.
func FuzzScript(f *testing.F) {
	for i, a := range allAttacks() {
		if i%8 == 0 { // all of them are run elsewhere
			f.Add(a.source)
		}
	}
	for _, seed := range []string{
		`return t.echo{a={}}:await()`, "--[==[", `"\`, `return 'a`, `x = [[`, "local t <", `servers["`, `::`, "\x00", `t.`, `return args`,
		`local t = t do local t = 1 end for t in pairs{} do end t.echo{}`, `local a, t = t.echo{}, (function(t) return t end)(1) repeat local t until t`,
		`if x then local t <const> = t t.echo{} elseif y then t.fail{} else t.text{} end`, "local t\n= t\nt['echo']{}", `local f = t.echo f{} goto t ::t::`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p := plan(source, newHost())
		r, err := runLimited(t, source, newHost(), &Limits{Ticks: 10, Memory: 8 * mb, Wall: 50_000_000, Calls: 10})
		if c := code(err); c == CodeInternal {
			t.Errorf("%q: %v", source, err)
		}
		checkPlan(t, source, p, r)
		if _, err := Answer(r, err, nil); err != nil {
			t.Errorf("%q: %v", source, err)
		}
	})
}

// Any JSON that Lua decodes, it encodes to something that means the same.
func FuzzDecode(f *testing.F) {
	f.Add(`{"a":[1,2.5,"x",null,true,{}],"b":[]}`)
	f.Add(`[1e400,-1e-400,"\u12`)
	f.Fuzz(func(t *testing.T, text string) {
		args, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			return
		}
		var given struct{ Text string }
		_ = json.Unmarshal(args, &given) // invalid UTF-8 was replaced
		r, err := shared().Run(t.Context(), &Request{
			Source: `local ok, v = pcall(json.decode, args.text) if not ok then return {bad = true} end return {value = v}`, Args: args, Limits: &Limits{Ticks: 500},
		}, newHost())
		if err != nil {
			if c := code(err); c == CodeInternal {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		bad := bytes.HasPrefix(r.Value, []byte(`{"bad"`))
		if valid := json.Valid([]byte(given.Text)); valid == bad && depth([]byte(given.Text)) <= maxDepth {
			t.Errorf("%q is valid JSON: %v, but gave %s", given.Text, valid, r.Value)
		}
	})
}
