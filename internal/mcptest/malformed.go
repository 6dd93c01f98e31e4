package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
)

// Kind says in which way a message of the corpus is bad.
type Kind string

const (
	Syntax   Kind = "syntax"   // lines that are no JSON text
	Envelope Kind = "envelope" // JSON, but no JSON-RPC message
	Hostile  Kind = "hostile"  // a JSON-RPC message that two readers may read in two ways, or that is dear to read
	Stray    Kind = "stray"    // a proper message that nobody waits for, or whose content is no MCP
)

// A Case is one bad message.
type Case struct {
	Name string
	Kind Kind
	raw  []byte
}

// idMark stands in a case for the id of the request that it answers.
const idMark = "%ID%"

// Raw is the message, without an end of line, as the answer to the request id.
// It may hold newlines of its own.
func (c Case) Raw(id []byte) []byte { return bytes.ReplaceAll(c.raw, []byte(idMark), id) }

// Malformed is the corpus: what a server may send that it should not. A case's
// index is the argument of tool malformed.
func Malformed() []Case {
	var all []Case
	add := func(k Kind, cases [][2]string) {
		for _, c := range cases {
			all = append(all, Case{Name: string(k) + "/" + c[0], Kind: k, raw: []byte(c[1])})
		}
	}
	add(Syntax, truncatedCases())
	add(Syntax, syntaxCases())
	add(Syntax, literalCases())
	add(Syntax, encodingCases())
	add(Envelope, envelopeCases())
	add(Envelope, idCases())
	add(Envelope, errorCases())
	add(Hostile, doubledCases())
	add(Hostile, wrongCaseCases())
	add(Hostile, extremeCases())
	add(Stray, strayCases())
	add(Stray, shapeCases())
	return all
}

// malformed is good and answers a call of tool malformed with the case-th entry
// of the corpus, and then, unless then is false, with a proper result: whoever
// did not take the first for an answer gets the second.
func malformed(ctx context.Context, s *streams) error {
	u := rules{eras: Dual}
	g := newGood(&u)
	corpus := Malformed()
	g.tools = append(g.tools, tool{
		name: "malformed", about: "Answers with a bad message", params: object{"case": anInt, "then": object{"type": "boolean"}}, needed: []string{"case"},
		run: func(_ context.Context, _ *good, c *toolCall) (any, *rpcError) {
			i, fault := c.num("case", 0)
			then := true
			if f := c.into("then", &then); f != nil {
				fault = f
			}
			if fault != nil {
				return nil, fault
			}
			if i < 0 || i >= len(corpus) {
				return nil, rpcErrorf(-32602, "no case %d: there are %d", i, len(corpus))
			}
			if err := s.out.line(corpus[i].Raw(c.id)); err != nil || !then {
				return nil, nil
			}
			return say("after " + corpus[i].Name), nil
		},
	})
	return s.converse(ctx, g, u, hooks{})
}

// plainResult is what the cases spoil.
const plainResult = `{"content":[{"type":"text","text":"bad"}]}`

func envelope(members string) string { return `{"jsonrpc":"2.0",` + members + `}` }

func answerWith(result string) string {
	return envelope(`"id":` + idMark + `,"result":` + result)
}

// namedBy makes a case of each value, put into a template at %s.
func namedBy(prefix, template string, values ...string) [][2]string {
	var cases [][2]string
	for _, v := range values {
		quoted, _ := json.Marshal(v) // a readable, printable name; strings always marshal
		cases = append(cases, [2]string{prefix + string(quoted), strings.Replace(template, "%s", v, 1)})
	}
	return cases
}
