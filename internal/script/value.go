package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxDepth is MAX_DEPTH of lua/bridge.h.
const maxDepth = 64

// plainText in front of a value says that it is text and no JSON.
const plainText = 2

// unpack turns the raw result of a call into the value a script sees: the structured
// content, else the JSON in a single text block, else its text, else the content.
func unpack(raw []byte, limit int, b *blobs) ([]byte, *fault) {
	var result struct {
		Structured json.RawMessage   `json:"structuredContent"`
		Content    []json.RawMessage `json:"content"`
		IsError    bool              `json:"isError"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, &fault{Code: CodeCallFailed, Message: fmt.Sprintf("the server's answer is not a tool result: %v", err)}
	}
	texts, onlyText := textBlocks(result.Content)
	if result.IsError {
		return nil, &fault{Code: CodeToolError, Message: errorText(texts, result.Structured)}
	}
	var value []byte
	switch {
	case len(result.Structured) > 0 && !bytes.Equal(result.Structured, []byte("null")):
		value = result.Structured
	case onlyText && len(texts) == 1:
		value = fromText(texts[0])
	default:
		if value = b.withdraw(result.Content); value == nil {
			return nil, &fault{Code: CodeCallResult, Message: "there is no room for so much binary content in one script"}
		}
	}
	if len(value) > limit {
		return nil, &fault{
			Code:    CodeCallResult,
			Message: fmt.Sprintf("the result has %d bytes, a script can take %d: ask the tool for less", len(value), limit),
		}
	}
	if depth(value) > maxDepth {
		if onlyText && len(texts) == 1 {
			return append([]byte{plainText}, texts[0]...), nil
		}
		return nil, &fault{Code: CodeCallResult, Message: fmt.Sprintf("the result is nested deeper than %d", maxDepth)}
	}
	return value, nil
}

// textBlocks are the texts of the content, and whether there is nothing else.
func textBlocks(content []json.RawMessage) (texts []string, only bool) {
	only = true
	for _, block := range content {
		var b struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if json.Unmarshal(block, &b) == nil && b.Type == "text" {
			texts = append(texts, b.Text)
		} else {
			only = false
		}
	}
	return texts, only
}

func errorText(texts []string, structured json.RawMessage) string {
	if text := strings.TrimSpace(strings.Join(texts, "\n")); text != "" {
		return clip(text, 4*kb)
	}
	if len(structured) > 0 {
		return clip(string(structured), 4*kb)
	}
	return "the tool failed and did not say why"
}

// fromText is the JSON in a text, or the text. An integer that Lua has no room for
// stays text: it is an identifier more likely than an amount.
func fromText(text string) []byte {
	trimmed := strings.TrimSpace(text)
	if trimmed != "" && json.Valid([]byte(trimmed)) && !inexactInteger(trimmed) {
		return []byte(trimmed)
	}
	return append([]byte{plainText}, text...)
}

func inexactInteger(text string) bool {
	if strings.Trim(text, "-0123456789") != "" {
		return false
	}
	_, err := json.Number(text).Int64()
	return err != nil
}

// depth is how deep JSON is nested; it is known to be valid, but for the marks of
// binary content.
func depth(text []byte) int {
	if len(text) > 0 && text[0] == plainText {
		return 0
	}
	deepest, now, inString := 1, 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			now++
			deepest = max(deepest, now)
		case c == ']' || c == '}':
			now--
		}
	}
	return deepest - 1
}

// isToolResult tells whether a value is a tool result already: an object with content
// blocks of the protocol, and with nothing that a result does not have.
func isToolResult(value []byte) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(value, &fields) != nil || fields["content"] == nil {
		return false
	}
	for name := range fields {
		if !slices.Contains([]string{"content", "structuredContent", "isError", "_meta"}, name) {
			return false
		}
	}
	var blocks []struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(fields["content"], &blocks) != nil {
		return false
	}
	for _, b := range blocks {
		if !slices.Contains([]string{"text", "image", "audio", "resource", "resource_link"}, b.Type) {
			return false
		}
	}
	return len(blocks) > 0
}
