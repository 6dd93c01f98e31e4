package mcptest

import (
	"context"
	"encoding/json"
	"strings"
)

// odd is the server whose answers are hard to pass on unchanged: every one is
// fixed bytes. What it does not know the good server answers.
type odd struct{ *good }

func runOdd(ctx context.Context, s *streams) error {
	u := rules{eras: map[string]Eras{"legacy": LegacyOnly, "modern": ModernOnly}[s.args.text("eras", "")]}
	return s.converse(ctx, &odd{good: newGood(&u)}, u, hooks{})
}

// An OddAnswer is what the behaviour odd answers to one request: the bytes of
// the result, or of the error object.
type OddAnswer struct {
	Method string
	Name   string          // the tool, prompt or URI that the request names; "" for lists
	Params json.RawMessage // of the request, without _meta
	Error  bool            // the bytes are an error
	Legacy []byte          // the answer up to 2025-11-25
	Modern []byte          // the answer in 2026-07-28
}

// Marks in the texts below, replaced by what only modern results have.
const (
	modernMark = `@modern@`
	cacheMark  = `@cache@`
)

func oddAnswer(method, name, params string, fault bool, text string) OddAnswer {
	fill := func(modern, cache string) []byte {
		return []byte(strings.NewReplacer(modernMark, modern, cacheMark, cache).Replace(text))
	}
	return OddAnswer{
		Method: method, Name: name, Params: json.RawMessage(params), Error: fault,
		Legacy: fill("", ""),
		Modern: fill(`"resultType" : "complete", `, `"ttlMs":60000,"cacheScope":"public", `),
	}
}

// OddAnswers are all answers of the behaviour odd, except the two opening ones.
func OddAnswers() []OddAnswer {
	list := []OddAnswer{
		oddAnswer("tools/list", "", `{}`, false, oddToolList()),
		oddAnswer("prompts/list", "", `{}`, false, oddPromptList),
		oddAnswer("resources/list", "", `{}`, false, oddResourceList),
		oddAnswer("resources/templates/list", "", `{}`, false, oddTemplateList),
		oddAnswer("prompts/get", "odd", `{"name":"odd"}`, false, oddPrompt),
		oddAnswer("resources/read", oddURI, `{"uri":"`+oddURI+`"}`, false, oddResource),
		oddAnswer("completion/complete", "odd", `{"ref":{"type":"ref/prompt","name":"odd"},"argument":{"name":"a","value":"x"}}`, false, oddCompletion),
	}
	for _, t := range oddTools() {
		list = append(list, oddAnswer("tools/call", t.name, `{"name":"`+t.name+`","arguments":{}}`, t.fault, t.answer))
	}
	return list
}

func (o *odd) serve(ctx context.Context, r *request) (any, *rpcError) {
	result, fault := o.good.serve(ctx, r) // counts, and opens the session
	switch r.method {
	case "initialize":
		text := strings.Replace(oddInitialize, "@version@", r.version, 1)
		return json.RawMessage(text), fault
	case "server/discover":
		if !r.modern {
			return nil, fault
		}
		return json.RawMessage(strings.Replace(oddDiscover, "@versions@", string(encode(o.rules.supported())), 1)), nil
	}
	name := r.text("name")
	switch r.method {
	case "resources/read":
		name = r.text("uri")
	case "completion/complete":
		name = "odd"
	}
	for _, a := range OddAnswers() {
		if a.Method != r.method || a.Name != name {
			continue
		}
		raw := a.Legacy
		if r.modern {
			raw = a.Modern
		}
		if a.Error {
			return nil, &rpcError{Code: -32051, Data: rawError(raw)}
		}
		return json.RawMessage(raw), nil
	}
	return result, fault
}
