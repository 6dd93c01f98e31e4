package gateway_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/wire"
)

const askable = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{},"roots":{}}}`

// TestParkedCall follows a modern agent through a question of a legacy server,
// byte by byte.
func TestParkedCall(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "one", "legacy"))
	a := r.agent(t, true)
	ask := func(more string) *wire.Object {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"elicit","arguments":{"rounds":2},%s%s}}`, more, askable)
		_, got := a.post(body, modernHeader("elicit"))
		o, err := wire.ParseObject([]byte(got))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	answer := func(o *wire.Object) string {
		t.Helper()
		result, err := wire.ParseObject(o.Get("result"))
		if err != nil || result.Text("resultType") != "input_required" {
			t.Fatalf("no question: %s %s", o.Get("result"), o.Get("error"))
		}
		questions, err := wire.ParseObject(result.Get("inputRequests"))
		if err != nil || len(questions.Members()) != 1 {
			t.Fatalf("questions: %s", result.Get("inputRequests"))
		}
		return fmt.Sprintf(`"inputResponses":{%q:{"action":"accept","content":{"name":"Ada"}}},"requestState":%s,`,
			questions.Members()[0].Name, result.Get("requestState"))
	}
	first := answer(ask(""))
	second := answer(ask(first))
	end := ask(second)
	if !strings.Contains(string(end.Get("result")), "Ada") {
		t.Errorf("the call ended with %s %s", end.Get("result"), end.Get("error"))
	}
	for name, more := range map[string]string{
		"used twice": second,
		"made up":    `"inputResponses":{},"requestState":"AAAA",`,
		"no string":  `"requestState":{"a":1},`,
	} {
		if o := ask(more); !strings.Contains(string(o.Get("error")), "-32602") {
			t.Errorf("state %s: %s %s", name, o.Get("result"), o.Get("error"))
		}
	}
	// Questions that were not answered are put again; the state of one tool is
	// of no use for another.
	open := ask("")
	state := string(wire.Find(open.Get("result"), "requestState"))
	again := ask(`"inputResponses":{},"requestState":` + state + `,`)
	if strings.Contains(string(again.Get("error")), "-32602") {
		t.Errorf("an empty answer: %s", again.Get("error"))
	}
	fresh := string(wire.Find(again.Get("result"), "requestState"))
	_, other := a.post(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sample","arguments":{},"requestState":`+fresh+`,`+askable+`}}`, modernHeader("sample"))
	if !strings.Contains(other, "-32602") {
		t.Errorf("another tool's state: %s", other)
	}
}

// TestParkedQuestions has the official client answer several questions of one
// call, and looks at the form of one without params.
func TestParkedQuestions(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "one", "legacy"))
	s := r.connect(t, wire.VersionModern, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
	})
	// The agent's roots are asked for without params, which some agents insist on.
	if got := callTool(t, s, "elicit", map[string]any{"rounds": 3}); !strings.Contains(got, "Ada") {
		t.Errorf("got %s", got)
	}
	a := r.agent(t, true)
	_, got := a.post(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"roots","arguments":{},`+askable+`}}`, modernHeader("roots"))
	if !strings.Contains(got, `"method":"roots/list","params":{}`) {
		t.Errorf("a question without params: %s", got)
	}
}
