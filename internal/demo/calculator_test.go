package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCalculatorIsExact(t *testing.T) {
	s := connect(t, "", nil, "calculator")
	for _, c := range []struct {
		tool, a, b string
		want       answer
	}{
		{"add", `0.1`, `0.2`, answer{Result: "0.3"}},
		{"add", `9007199254740993`, `0`, answer{Result: "9007199254740993"}},
		{"add", `"123456789012345678901234567890"`, `1`, answer{Result: "123456789012345678901234567891"}},
		{"add", `"1/3"`, `"1/6"`, answer{Result: "0.5"}},
		{"subtract", `1`, `1.10`, answer{Result: "-0.1"}},
		{"multiply", `1e20`, `1e20`, answer{Result: "1" + strings.Repeat("0", 40)}},
		{"divide", `1`, `3`, answer{Result: "0." + strings.Repeat("3", 40), Fraction: "1/3", Rounded: true}},
		{"divide", `-7`, `8`, answer{Result: "-0.875"}},
		{"divide", `"100000000000000000000000000000000000000000001"`, `3`, answer{Result: "33333333333333333333333333333333333333333333.7", Fraction: "100000000000000000000000000000000000000000001/3", Rounded: true}},
	} {
		got := structured[answer](t, call(t, s, c.tool, json.RawMessage(`{"a":`+c.a+`,"b":`+c.b+`}`)))
		if got != c.want {
			t.Errorf("%s %s %s: %+v, want %+v", c.tool, c.a, c.b, got, c.want)
		}
	}
	refused(t, s, "divide", map[string]any{"a": 1, "b": 0}, "divide by zero")
	refused(t, s, "add", map[string]any{"a": "one", "b": 0}, "not a number")
	refused(t, s, "add", map[string]any{"a": "0x10", "b": 0}, "not a number")
	refused(t, s, "add", map[string]any{"a": "1/0", "b": 0}, "not a number")
	refused(t, s, "add", map[string]any{"a": "1e999999999", "b": 0}, "6,000 digits")
	refused(t, s, "add", map[string]any{"a": strings.Repeat("9", 7000), "b": 0}, "6,000 digits")
	refused(t, s, "add", map[string]any{"a": 1}, "b")
	refused(t, s, "add", map[string]any{"a": true, "b": 1}, "a")
	if text := textOf(t, call(t, s, "add", map[string]any{"a": 2, "b": 2})); text != "2 + 2 = 4" {
		t.Errorf("text %q", text)
	}
}

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]string{
		"1":                        "1",
		" ( 1 + 2 ) * 3 ":          "9",
		"2 + 3 * 4":                "14",
		"10 - 4 - 3":               "3",
		"100 / 10 / 5":             "2",
		"-2^2":                     "-4",
		"(-2)^2":                   "4",
		"2^3^2":                    "512",
		"2^-2":                     "0.25",
		"--3":                      "3",
		"1 - -1":                   "2",
		"7 % 3":                    "1",
		"-7 % 3":                   "2",
		"7.5 % 2":                  "1.5",
		"0.1 + 0.2":                "0.3",
		".5 * 2.":                  "1",
		"1e3 + 1E-3":               "1000.001",
		"2^100":                    "1267650600228229401496703205376",
		"sqrt(2.25)":               "1.5",
		"sqrt(2)":                  "1.4142135623730950488016887242096980785697",
		"4^(1/2)":                  "2",
		"pi":                       "3.1415926535897932384626433832795028841972",
		"e":                        "2.7182818284590452353602874713526624977572",
		"abs(-3) + floor(-1.5)":    "1",
		"ceil(1.2) + round(2.5)":   "5",
		"round(-2.5)":              "-3",
		"max(1, 3, 2) - min(4, 0)": "3",
		"1^99999999999999999999":   "1",
		"(-1)^99999999999999999":   "-1",
		"0^5 + 0^0":                "1",
		"1/3":                      "0.3333333333333333333333333333333333333333",
		"2e":                       "", // an e without digits belongs to nothing
	} {
		v, err := evaluate(t.Context(), text)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is %s, want an error", text, v.answer().Result)
		case want != "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && v.answer().Result != want:
			t.Errorf("%s is %s, want %s", text, v.answer().Result, want)
		}
	}
}

func TestEvaluateSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "empty",
		"   ":                      "empty",
		"1 +":                      "ends where",
		"1 + * 2":                  `unexpected '*' at character 5`,
		"(1":                       "a closing parenthesis",
		"1)":                       "unexpected ')' at character 2",
		"1 2":                      "unexpected '2'",
		"1..2":                     "not a number",
		"ä + @":                    "no constant or function",
		"1 + €":                    `unexpected '€' at character 5`,
		"x":                        "known are pi, e, abs",
		"sqrt":                     "is a function",
		"foo(1)":                   "known are abs",
		"sqrt(1, 2)":               "takes 1 value",
		"sqrt()":                   "a number",
		"sqrt(-1)":                 "negative",
		"1/0":                      "division by zero",
		"1 % (2 - 2)":              "division by zero",
		"0^-1":                     "negative power",
		"2^0.3":                    "whole number",
		"9^9^9":                    "6,000 digits",
		"2^99999":                  "6,000 digits",
		"1e9999999999999999999":    "not a number",
		"1e99999":                  "6,000 digits",
		strings.Repeat("(", 10000): "nested more than",
		strings.Repeat("-", 5000):  "nested more than",
		strings.Repeat("1", 10001): "split it",
		"2\x00":                    "unexpected",
		"\xff":                     "unexpected",
	} {
		if v, err := evaluate(t.Context(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, %v, want %q", text, v, err, want)
		}
	}
}

func TestEvaluateTool(t *testing.T) {
	for era, version := range eras() {
		s := connect(t, version, nil, "calculator")
		if got := structured[answer](t, call(t, s, "evaluate", map[string]any{"expression": "(1 + 2) * 3 ^ 4 / 7"})); got.Fraction != "243/7" {
			t.Errorf("%s: %+v", era, got)
		}
		refused(t, s, "evaluate", map[string]any{"expression": "1 +"}, "ends where")
		refused(t, s, "evaluate", map[string]any{}, "expression")
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, s := range []string{
		"1 + 2 * (3 - 4) / 5 ^ 6 % 7", "sqrt(2) + pi * e", "max(1,2,min(3,4))", "-+-1", "1e10", "1e", ".", "((", "9^9^9^9", "(1/3)^999",
		"round(0.5)", "abs(", "π", "1/0", "0^0", "2^-3", "1..", "_", "a(b(c(1)))",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := evaluate(t.Context(), text)
		if err != nil {
			return
		}
		if err := v.check(); err != nil {
			t.Errorf("%q is too big: %v", text, err)
		}
		a := v.answer()
		if a.Rounded || len(a.Result) > maxLiteral {
			return
		}
		// What is not rounded reads back as the same number.
		back, err := parseNumber(a.Result)
		if err != nil || back.Cmp(v.rat) != 0 {
			t.Errorf("%q gave %s, which reads as %v, %v", text, a.Result, back, err)
		}
	})
}
