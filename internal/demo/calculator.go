package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The calculator reckons in fractions, so 0.1 + 0.2 is 0.3 and a number of forty
// digits keeps them all.

func newCalculator() *mcp.Server {
	s := newServer("calculator", "Calculator", &mcp.ServerOptions{
		Instructions: "Exact arithmetic on numbers of any size. Use evaluate for a whole expression, the other tools for one step.",
	})
	operation(s, "add", "Add", "Add two numbers exactly: 0.1 + 0.2 is 0.3.", "+", (*big.Rat).Add)
	operation(s, "subtract", "Subtract", "Subtract b from a exactly.", "-", (*big.Rat).Sub)
	operation(s, "multiply", "Multiply", "Multiply two numbers exactly, however many digits they have.", "*", (*big.Rat).Mul)
	operation(s, "divide", "Divide", "Divide a by b. A result without end, such as 1/3, comes as a fraction and rounded to 40 digits.", "/", (*big.Rat).Quo)
	mcp.AddTool(s, &mcp.Tool{
		Name: "evaluate", Title: "Evaluate expression", Annotations: readOnly(),
		Description: "Evaluate an arithmetic expression exactly. Knows + - * / % ^, parentheses, abs, ceil, floor, max, min, round, sqrt, pi and e. " +
			"Example: (1 + 2) * 3 ^ 4 / 7.",
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in struct {
		Expression string `json:"expression" jsonschema:"what to reckon, such as (1 + 2) * 3"`
	},
	) (*mcp.CallToolResult, answer, error) {
		v, err := evaluate(ctx, in.Expression)
		if err != nil {
			return nil, answer{}, err
		}
		a := v.answer()
		return said(in.Expression + " = " + a.Result), a, nil
	})
	return s
}

// answer is a number on its way out, as text: a JSON number would be rounded by
// most who read it.
type answer struct {
	Result   string `json:"result" jsonschema:"the number, as text so that no digit is lost"`
	Fraction string `json:"fraction,omitempty" jsonschema:"the exact value, where result had to be rounded"`
	Rounded  bool   `json:"rounded" jsonschema:"whether result is rounded"`
}

// operand takes a JSON number, or a number or fraction in a string.
type operand struct{ rat *big.Rat }

const operandText = "a number, such as 12, -0.5 or 1e3; in quotes also a fraction, such as \"1/3\", or any number of digits"

func (o *operand) UnmarshalJSON(b []byte) error {
	text := string(bytes.TrimSpace(b))
	if text != "" && text[0] == '"' {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	}
	var err error
	o.rat, err = parseNumber(text)
	return err
}

// operation adds a tool for two numbers.
func operation(s *mcp.Server, name, title, about, sign string, f func(z, x, y *big.Rat) *big.Rat) {
	number := object{"type": []string{"number", "string"}, "description": operandText}
	mcp.AddTool(s, &mcp.Tool{
		Name: name, Title: title, Description: about, Annotations: readOnly(),
		InputSchema: schemaOf(object{"a": number, "b": number}, "a", "b"),
	}, func(_ context.Context, r *mcp.CallToolRequest, _ map[string]any) (*mcp.CallToolResult, answer, error) {
		// The raw arguments: what the SDK decoded has gone through a float.
		var in struct {
			A operand `json:"a"`
			B operand `json:"b"`
		}
		if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
			return nil, answer{}, err
		}
		a, b := in.A.rat, in.B.rat
		if sign == "/" && b.Sign() == 0 {
			return nil, answer{}, errors.New("cannot divide by zero: give a b that is not 0")
		}
		v := value{rat: f(new(big.Rat), a, b)}
		if err := v.check(); err != nil {
			return nil, answer{}, err
		}
		out := v.answer()
		return said(fmt.Sprintf("%s %s %s = %s", value{rat: a}.answer().Result, sign, value{rat: b}.answer().Result, out.Result)), out, nil
	})
}
