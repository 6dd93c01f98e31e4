package script

import (
	"encoding/json"
	"strings"
	"testing"
)

func answer(t *testing.T, source string, options *AnswerOptions) string {
	t.Helper()
	r, err := runScript(t, source, newHost())
	for i := range r.Ledger {
		r.Ledger[i].Millis = 0
	}
	text, err := Answer(r, err, options)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Fatalf("not JSON: %s", text)
	}
	return string(text)
}

func TestAnswer(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`return {a=1}`, `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`},
		{`return 5`, `{"content":[{"type":"text","text":"5"}]}`},
		{`return "<a&b>"`, `{"content":[{"type":"text","text":"\"<a&b>\""}]}`},
		{`print("x") print("y") return 5`, `{"content":[{"type":"text","text":"5"},{"type":"text","text":"Printed:\nx\ny"}]}`},
		{`local x`, `{"content":[{"type":"text","text":"Note: the script gave no result: end with return value, or call result(value)"}]}`},
		{`return {content={{type="text", text="hi"}}, isError=true}`, `{"content":[{"text":"hi","type":"text"}],"isError":true}`},
		{`print("p") return {content={{type="text", text="hi"}}}`, `{"content":[{"text":"hi","type":"text"},{"type":"text","text":"Printed:\np"}]}`},
		{`return {content={{text="no type"}}}`, `{"content":[{"type":"text","text":"{\"content\":[{\"text\":\"no type\"}]}"}],"structuredContent":{"content":[{"text":"no type"}]}}`},
		{`return {content={{type="file"}}}`, `{"content":[{"type":"text","text":"{\"content\":[{\"type\":\"file\"}]}"}],"structuredContent":{"content":[{"type":"file"}]}}`},
		{
			"print('p')\nt.echo{}:await()\nt.fail{}:await()",
			`{"content":[{"type":"text","text":"tool_error at line 3: t.fail: it went wrong"},{"type":"text","text":"Printed:\np"},` +
				`{"type":"text","text":"Calls made:\n1. t.echo (line 2): ok, 0 ms\n2. t.fail (line 3): error, 0 ms: it went wrong"}],` +
				`"structuredContent":{"calls":[{"server":"t","tool":"echo","line":2,"status":"ok","ms":0,"awaited":true},` +
				`{"server":"t","tool":"fail","line":3,"status":"error","ms":0,"error":"it went wrong","awaited":true}],` +
				`"error":{"code":"tool_error","message":"it went wrong","line":3,"server":"t","tool":"fail"},"printed":"p\n"},"isError":true}`,
		},
		{`if 1 != 2 then end`, `{"content":[{"type":"text","text":"syntax at line 1: 'then' expected near '!'. Hint: Lua writes ~= for not equal"},` +
			`{"type":"text","text":"Calls made: none."}],"structuredContent":{"calls":[],"error":{"code":"syntax","message":"'then' expected near '!'","line":1,` +
			`"hint":"Lua writes ~= for not equal"},"printed":""},"isError":true}`},
	} {
		if got := answer(t, c.source, nil); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
		}
	}
	got := answer(t, `return t.echo{x=1}:await()`, &AnswerOptions{Ledger: true})
	if !strings.Contains(got, `Calls made:\n1. t.echo (line 1): ok`) {
		t.Error(got)
	}
}

// A large answer is whole: what becomes of it is for whoever shows it.
func TestLargeAnswer(t *testing.T) {
	if got := answer(t, `return ("xxxxxxxxxx"):rep(50000)`, nil); len(got) < 500_000 || strings.Contains(got, "isError") {
		t.Errorf("%d bytes: %s", len(got), clip(got, 300))
	}
}
