package model

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// readResponses understands a request of OpenAI's Responses API.
func readResponses(body []byte) (Conversation, error) {
	var in struct {
		Instructions string            `json:"instructions"`
		Tools        []json.RawMessage `json:"tools"`
		Input        []inputItem       `json:"input"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Conversation{}, fmt.Errorf("read a request for a response: %w", err)
	}
	c := Conversation{System: in.Instructions}
	for _, raw := range in.Tools {
		if err := c.addTool(raw); err != nil {
			return Conversation{}, fmt.Errorf("read a tool: %w", err)
		}
	}
	for _, item := range in.Input {
		if err := c.addItem(item); err != nil {
			return Conversation{}, fmt.Errorf("read a %s: %w", item.Type, err)
		}
	}
	return c, nil
}

// addTool takes over a tool, or all tools of a group. What is said of the group
// is told to the model too.
func (c *Conversation) addTool(raw json.RawMessage) error {
	var t struct {
		Type        string            `json:"type"`
		Name        string            `json:"name"`
		Description string            `json:"description"`
		Parameters  json.RawMessage   `json:"parameters"`
		Tools       []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return err
	}
	if t.Type != "namespace" {
		c.Tools = append(c.Tools, Tool{Name: t.Name, About: t.Description, Schema: t.Parameters, Raw: raw})
		return nil
	}
	c.System += "\n" + t.Description
	first := len(c.Tools)
	for _, inner := range t.Tools {
		if err := c.addTool(inner); err != nil {
			return err
		}
	}
	for i := range c.Tools[first:] {
		c.Tools[first+i].Space = t.Name
	}
	return nil
}

// An inputItem is one thing that was said or done.
type inputItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
}

func (c *Conversation) addItem(item inputItem) error {
	switch item.Type {
	case "message":
		text, err := texts(item.Content)
		if err != nil {
			return err
		}
		if task, ok := taskIn(text); ok && item.Role == "user" {
			c.Task = task
		}
		if item.Role != "assistant" {
			c.System += "\n" + text
		}
	case "function_call":
		c.Steps = append(c.Steps, Step{Tool: item.Name, Arguments: json.RawMessage(item.Arguments)})
	case "function_call_output":
		if len(c.Steps) == 0 {
			return fmt.Errorf("an answer to %s, which was not asked for", item.CallID)
		}
		text, err := texts(item.Output)
		if err != nil {
			return err
		}
		// Codex says first how long it took.
		if _, after, ok := strings.Cut(text, "\nOutput:\n"); ok && strings.HasPrefix(text, "Wall time:") {
			text = after
		}
		c.Steps[len(c.Steps)-1].Answer = text
	}
	return nil
}

// writeResponses streams a move; n makes its ids unlike those of other moves.
func writeResponses(w io.Writer, n int, m Move) error {
	item := object{
		"type": "message", "id": fmt.Sprintf("msg_%d", n), "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": m.Say, "annotations": []any{}}},
	}
	if m.Tool != nil {
		item = object{
			"type": "function_call", "id": fmt.Sprintf("fc_%d", n), "call_id": fmt.Sprintf("call_%d", n), "status": "completed",
			"name": m.Tool.Name, "arguments": string(m.Arguments),
		}
		if m.Tool.Space != "" {
			item["namespace"] = m.Tool.Space
		}
	}
	response := func(status string, output ...any) object {
		r := object{"id": fmt.Sprintf("resp_%d", n), "object": "response", "status": status, "output": append([]any{}, output...)}
		if status == "completed" {
			r["usage"] = object{
				"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
				"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
			}
		}
		return object{"response": r}
	}
	events := []event{
		{"response.created", response("in_progress")},
		{"response.output_item.added", object{"output_index": 0, "item": item}},
		{"response.output_item.done", object{"output_index": 0, "item": item}},
		{"response.completed", response("completed", item)},
	}
	for i, e := range events {
		e.data["sequence_number"] = i
	}
	return writeEvents(w, events...)
}
