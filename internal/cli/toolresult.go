package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"toolcrib/internal/disclose"
)

// A toolResult is what a tool answered, as far as it is shown.
type toolResult struct {
	Content    []contentBlock  `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

type contentBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"` // in base64
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource *struct {
		URI      string  `json:"uri"`
		MIMEType string  `json:"mimeType"`
		Text     *string `json:"text"`
		Blob     string  `json:"blob"`
	} `json:"resource"`
}

func readToolResult(raw json.RawMessage) (*toolResult, error) {
	var r toolResult
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("the server's answer is no result of a tool: %w", err)
	}
	return &r, nil
}

// text is what a result says, and leftOut what cannot be shown as text.
func (r *toolResult) text() (text string, leftOut []string) {
	var parts []string
	for _, b := range r.Content {
		switch {
		case b.Type == "text":
			parts = append(parts, b.Text)
		case b.Type == "resource_link":
			parts = append(parts, strings.TrimSpace(b.Name+" "+b.URI))
		case b.Type == "resource" && b.Resource != nil && b.Resource.Text != nil:
			parts = append(parts, *b.Resource.Text)
		case b.Type == "resource" && b.Resource != nil:
			leftOut = append(leftOut, nontext("resource "+b.Resource.URI, b.Resource.MIMEType, b.Resource.Blob))
		default:
			leftOut = append(leftOut, nontext(b.Type, b.MIMEType, b.Data))
		}
	}
	if len(parts) == 0 && len(r.Structured) > 0 && string(r.Structured) != "null" {
		parts = append(parts, string(indented(r.Structured)))
	}
	return strings.Join(parts, "\n"), leftOut
}

// nontext names content that is not text.
func nontext(what, mime, base64 string) string {
	if mime != "" {
		what += " of type " + mime
	}
	return clean(fmt.Sprintf("%s, %s", what, count(len(strings.TrimRight(base64, "="))*3/4, "byte")))
}

// printText writes what a tool or script says. A terminal does not get what it
// would act on.
func (s *streams) printText(w io.Writer, text string) error {
	if terminalOf(w, s.getenv).width > 0 {
		text = disclose.Clean(text)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// printResult writes what a tool answered: as data if it succeeded, else as talk.
func (s *streams) printResult(r *toolResult) error {
	text, leftOut := r.text()
	to := s.out
	if r.IsError {
		to = s.err
	}
	err := s.printText(to, text)
	for _, what := range leftOut {
		fmt.Fprintf(s.err, "left out: %s; --json prints it\n", what)
	}
	return err
}

// printRaw writes JSON as it is, on a line of its own.
func (s *streams) printRawJSON(raw json.RawMessage) error {
	_, err := s.out.Write(append(bytes.TrimSpace(raw), '\n'))
	return err
}

// indented is JSON for reading, its values untouched.
func indented(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return raw
	}
	return b.Bytes()
}
