package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
)

// The tools here ask the client something.

func askName(message string) object {
	return object{
		"mode": "form", "message": message,
		"requestedSchema": object{
			"type":       "object",
			"properties": object{"name": object{"type": "string", "title": "Name"}},
			"required":   []string{"name"},
		},
	}
}

// elicit asks rounds times, one after the other. A modern client sees one
// question per try; the rounds so far are in the key that it sends back.
func elicit(ctx context.Context, _ *good, c *toolCall) (any, *rpcError) {
	message := "What is your name?"
	if fault := c.into("message", &message); fault != nil {
		return nil, fault
	}
	rounds, fault := c.num("rounds", 1)
	if fault != nil {
		return nil, fault
	}
	first := 1
	if c.modern {
		first = c.roundAnswered(rounds)
	}
	var replies []json.RawMessage
	for i := first; i <= rounds; i++ {
		key := fmt.Sprintf("name-%d", i)
		reply, question, fault := c.need(ctx, key, "elicitation", "elicitation/create", askName(message))
		if fault != nil || question != nil {
			return question, fault
		}
		replies = append(replies, reply)
	}
	return show(object{"replies": replies}), nil
}

// roundAnswered is the round whose answer a modern client brings, 1 if none.
func (c *toolCall) roundAnswered(rounds int) int {
	var replies map[string]json.RawMessage
	if json.Unmarshal(c.params["inputResponses"], &replies) != nil {
		return 1
	}
	for i := rounds; i > 1; i-- {
		if replies[fmt.Sprintf("name-%d", i)] != nil {
			return i
		}
	}
	return 1
}

func sample(ctx context.Context, _ *good, c *toolCall) (any, *rpcError) {
	prompt := "Say hello"
	if fault := c.into("prompt", &prompt); fault != nil {
		return nil, fault
	}
	reply, question, fault := c.need(ctx, "message", "sampling", "sampling/createMessage", object{
		"messages":  []any{object{"role": "user", "content": object{"type": "text", "text": prompt}}},
		"maxTokens": 100,
	})
	if fault != nil || question != nil {
		return question, fault
	}
	return show(object{"reply": reply}), nil
}

func roots(ctx context.Context, _ *good, c *toolCall) (any, *rpcError) {
	reply, question, fault := c.need(ctx, "roots", "roots", "roots/list", object{})
	if fault != nil || question != nil {
		return question, fault
	}
	return show(object{"reply": reply}), nil
}

// urlNeeded is the way of 2025-11-25 to send a user to a page first.
func urlNeeded(context.Context, *good, *toolCall) (any, *rpcError) {
	e := rpcErrorf(-32042, "visit the page first")
	e.Data = object{"elicitations": []any{object{
		"mode": "url", "elicitationId": "page-1", "url": "https://example.com/consent", "message": "Please consent",
	}}}
	return nil, e
}
