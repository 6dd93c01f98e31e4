package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// AnswerOptions are what Answer is to do besides the usual.
type AnswerOptions struct {
	// Ledger adds the calls that were made to an answer that succeeded.
	Ledger bool
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type toolResult struct {
	Content    []content       `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

// Answer makes of a script's end the result of a tool. A success is the value, as
// text and, of an object, as structured content, then what was printed and noted. A
// failure says what is wrong and what to do, and what was done until then.
func Answer(r *Result, err error, options *AnswerOptions) (json.RawMessage, error) {
	if options == nil {
		options = &AnswerOptions{}
	}
	if err != nil {
		return failed(r, err)
	}
	if r.IsToolResult && len(r.Notes) == 0 && r.Printed == "" && !options.Ledger {
		return r.Value, nil
	}
	out := toolResult{Content: []content{}}
	if r.Value != nil {
		out.Content = append(out.Content, content{Type: "text", Text: string(r.Value)})
		if r.Value[0] == '{' {
			out.Structured = r.Value
		}
	}
	if r.IsToolResult {
		return appendContent(r, options)
	}
	out.Content = append(out.Content, extras(r, options.Ledger)...)
	return marshal(&out)
}

// appendContent passes a tool result on, with what there is to say behind its content.
func appendContent(r *Result, options *AnswerOptions) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	var blocks []json.RawMessage
	if err := errors.Join(json.Unmarshal(r.Value, &fields), json.Unmarshal(fields["content"], &blocks)); err != nil {
		return nil, fmt.Errorf("read a script's result: %w", err)
	}
	for _, extra := range extras(r, options.Ledger) {
		text, err := marshal(extra)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, text)
	}
	var err error
	if fields["content"], err = marshal(blocks); err != nil {
		return nil, err
	}
	return marshal(fields)
}

// extras are what was printed, noted and done.
func extras(r *Result, withLedger bool) (blocks []content) {
	if r.Printed != "" {
		blocks = append(blocks, content{Type: "text", Text: "Printed:\n" + strings.TrimSuffix(r.Printed, "\n")})
	}
	if len(r.Notes) > 0 {
		blocks = append(blocks, content{Type: "text", Text: "Note: " + strings.Join(r.Notes, "\nNote: ")})
	}
	if withLedger {
		blocks = append(blocks, content{Type: "text", Text: ledgerText(r.Ledger)})
	}
	return blocks
}

func failed(r *Result, err error) (json.RawMessage, error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Code: CodeInternal, Message: err.Error()}
	}
	type report struct {
		Code    Code   `json:"code"`
		Message string `json:"message"`
		Line    int    `json:"line,omitempty"`
		Server  string `json:"server,omitempty"`
		Tool    string `json:"tool,omitempty"`
		Hint    string `json:"hint,omitempty"`
	}
	ledger := r.Ledger
	if ledger == nil {
		ledger = []Call{}
	}
	structured, err := marshal(map[string]any{"error": report(*e), "calls": ledger, "printed": r.Printed})
	if err != nil {
		return nil, err
	}
	blocks := append([]content{{Type: "text", Text: e.Error()}}, extras(r, true)...)
	return marshal(&toolResult{Content: blocks, Structured: structured, IsError: true})
}

// ledgerText is the ledger for reading.
func ledgerText(calls []Call) string {
	if len(calls) == 0 {
		return "Calls made: none."
	}
	var b strings.Builder
	b.WriteString("Calls made:")
	for i, c := range calls {
		fmt.Fprintf(&b, "\n%d. %s.%s", i+1, c.Server, c.Tool)
		if c.Line > 0 {
			fmt.Fprintf(&b, " (line %d)", c.Line)
		}
		fmt.Fprintf(&b, ": %s, %d ms", c.Status, c.Millis)
		if c.Error != "" {
			b.WriteString(": " + c.Error)
		}
	}
	return b.String()
}

// marshal is json.Marshal without the escapes that are for web pages.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write a script's answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
