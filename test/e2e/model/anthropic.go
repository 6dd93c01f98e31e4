package model

import (
	"encoding/json"
	"fmt"
	"io"
)

// readMessages understands a request of Anthropic's Messages API.
func readMessages(body []byte) (Conversation, error) {
	var in struct {
		System   json.RawMessage   `json:"system"`
		Tools    []json.RawMessage `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Conversation{}, fmt.Errorf("read a request for a message: %w", err)
	}
	system, err := texts(in.System)
	if err != nil {
		return Conversation{}, fmt.Errorf("read the system prompt: %w", err)
	}
	c := Conversation{System: system}
	for _, raw := range in.Tools {
		var t struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"input_schema"`
		}
		if err := json.Unmarshal(raw, &t); err != nil {
			return Conversation{}, fmt.Errorf("read a tool: %w", err)
		}
		c.Tools = append(c.Tools, Tool{Name: t.Name, About: t.Description, Schema: t.InputSchema, Raw: raw})
	}
	for _, m := range in.Messages {
		if err := c.addMessage(m.Role, m.Content); err != nil {
			return Conversation{}, fmt.Errorf("read a message of the %s: %w", m.Role, err)
		}
	}
	return c, nil
}

// addMessage takes over what is said, asked for and answered in a message.
func (c *Conversation) addMessage(role string, content json.RawMessage) error {
	text, err := texts(content)
	if err != nil {
		return err
	}
	if task, ok := taskIn(text); ok && role == "user" {
		c.Task = task
	}
	if role != "assistant" {
		c.System += "\n" + text
	}
	if len(content) == 0 || content[0] != '[' {
		return nil
	}
	var blocks []struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Input     json.RawMessage `json:"input"`
		ToolUseID string          `json:"tool_use_id"`
		Content   json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(content, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			c.Steps = append(c.Steps, Step{Tool: b.Name, Arguments: b.Input})
		case "tool_result":
			// One call at a time is asked for, so the answer is to the last.
			if len(c.Steps) == 0 {
				return fmt.Errorf("an answer to %s, which was not asked for", b.ToolUseID)
			}
			if c.Steps[len(c.Steps)-1].Answer, err = texts(b.Content); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeMessages streams a move; n makes its ids unlike those of other moves.
func writeMessages(w io.Writer, n int, m Move) error {
	block, delta, stop := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": m.Say}, "end_turn"
	if m.Tool != nil {
		block = object{"type": "tool_use", "id": fmt.Sprintf("toolu_%06d", n), "name": m.Tool.Name, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(m.Arguments)}
		stop = "tool_use"
	}
	message := object{
		"id": fmt.Sprintf("msg_%06d", n), "type": "message", "role": "assistant", "model": "scripted",
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": 1, "output_tokens": 1},
	}
	return writeEvents(w,
		event{"message_start", object{"message": message}},
		event{"content_block_start", object{"index": 0, "content_block": block}},
		event{"content_block_delta", object{"index": 0, "delta": delta}},
		event{"content_block_stop", object{"index": 0}},
		event{"message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 1}}},
		event{"message_stop", object{}},
	)
}
