package demo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools here ask the user by returning the question as their result. A modern
// client asks and calls again with the reply; for a legacy one the SDK sends the
// question as a request of its own and calls the handler again. Nothing is kept
// between the two calls: the second has all that the first had.

func newAsk() *mcp.Server {
	s := newServer("ask", "Asks back", &mcp.ServerOptions{
		Instructions: "Tools that ask the user for what they need to know. The client must support elicitation, or pass everything as arguments.",
	})
	mcp.AddTool(s, &mcp.Tool{
		Name: "book_table", Title: "Book a table", Annotations: changing(false, false),
		Description: "Book a table at a (made up) restaurant. Asks the user for the date and the party size, unless both are given.",
		InputSchema: schemaOf(object{
			"restaurant": object{"type": "string", "minLength": 1, "maxLength": 100, "description": "the name of the restaurant"},
			"date":       object{"type": "string", "description": "the day, as YYYY-MM-DD; asked for if it is not given"},
			"party_size": object{"type": "integer", "description": "how many people, 1 to 20; asked for if it is not given"},
		}, "restaurant"),
	}, bookTable)
	mcp.AddTool(s, &mcp.Tool{
		Name: "confirm", Title: "Ask for confirmation", Annotations: readOnly(),
		Description: "Ask the user a question that can be answered with yes or no, and return the answer.",
		InputSchema: schemaOf(object{
			"question": object{"type": "string", "minLength": 1, "maxLength": 500, "description": "what to ask"},
		}, "question"),
	}, confirm)
	return s
}

type bookingArgs struct {
	Restaurant string `json:"restaurant"`
	Date       string `json:"date"`
	PartySize  int    `json:"party_size"`
}

type booking struct {
	Booked     bool   `json:"booked" jsonschema:"false if the user did not want to"`
	Restaurant string `json:"restaurant"`
	Date       string `json:"date,omitempty"`
	PartySize  int    `json:"party_size,omitempty"`
	Reference  string `json:"reference,omitempty" jsonschema:"what to say at the door"`
}

func bookTable(_ context.Context, r *mcp.CallToolRequest, in bookingArgs) (*mcp.CallToolResult, booking, error) {
	if in.Date == "" || in.PartySize == 0 {
		reply, question, err := ask(r, "booking", fmt.Sprintf("When do you want to come to %s, and how many are you?", in.Restaurant), object{
			"type": "object",
			"properties": object{
				"date":       object{"type": "string", "format": "date", "title": "Date", "description": "The day, as YYYY-MM-DD"},
				"party_size": object{"type": "integer", "minimum": 1, "maximum": 20, "title": "Party size", "description": "How many people"},
			},
			"required": []string{"date", "party_size"},
		}, "pass date and party_size as arguments instead")
		if err != nil || question != nil {
			return question, booking{}, err
		}
		if reply.Action != "accept" {
			return said("No table was booked: the user did not want to."), booking{Restaurant: in.Restaurant}, nil
		}
		in.Date, _ = reply.Content["date"].(string)
		size, _ := reply.Content["party_size"].(float64)
		if in.PartySize = int(size); size != float64(in.PartySize) {
			return nil, booking{}, fmt.Errorf("a party of %g is not possible: give a whole number from 1 to 20", size)
		}
	}
	if _, err := time.Parse(time.DateOnly, in.Date); err != nil {
		return nil, booking{}, fmt.Errorf("%q is not a date: write it as YYYY-MM-DD, such as 2026-12-24", shorten(in.Date))
	}
	if in.PartySize < 1 || in.PartySize > 20 {
		return nil, booking{}, fmt.Errorf("a party of %d is not possible: give a number from 1 to 20", in.PartySize)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", in.Restaurant, in.Date, in.PartySize))
	b := booking{Booked: true, Restaurant: in.Restaurant, Date: in.Date, PartySize: in.PartySize, Reference: fmt.Sprintf("TC-%X", sum[:3])}
	return said(fmt.Sprintf("Booked a table for %d at %s on %s. Reference: %s.", b.PartySize, b.Restaurant, b.Date, b.Reference)), b, nil
}

type confirmArgs struct {
	Question string `json:"question"`
}

type confirmation struct {
	Answer string `json:"answer" jsonschema:"yes, no, or none if the user did not answer"`
}

func confirm(_ context.Context, r *mcp.CallToolRequest, in confirmArgs) (*mcp.CallToolResult, confirmation, error) {
	reply, question, err := ask(r, "confirmation", in.Question, object{
		"type":       "object",
		"properties": object{"yes": object{"type": "boolean", "title": "Yes", "description": strings.TrimSpace(in.Question)}},
		"required":   []string{"yes"},
	}, "ask the user yourself")
	if err != nil || question != nil {
		return question, confirmation{}, err
	}
	answer := "none"
	if yes, ok := reply.Content["yes"].(bool); ok && reply.Action == "accept" {
		answer = map[bool]string{true: "yes", false: "no"}[yes]
	}
	return said("The user's answer: " + answer), confirmation{Answer: answer}, nil
}

// ask returns the user's reply if the call brings it, and else the question to
// return. A client that cannot ask its user is told what to do instead.
func ask(r *mcp.CallToolRequest, key, message string, schema object, instead string) (*mcp.ElicitResult, *mcp.CallToolResult, error) {
	if response, ok := r.Params.InputResponses[key]; ok {
		reply, ok := response.(*mcp.ElicitResult)
		if !ok {
			return nil, nil, errors.New("the reply is not that of an elicitation: call the tool again")
		}
		return reply, nil, nil
	}
	if c := r.ClientCapabilities(); c == nil || c.Elicitation == nil {
		return nil, nil, fmt.Errorf("this client cannot ask its user (no elicitation): %s", instead)
	}
	return nil, &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{
		key: &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema},
	}}, nil
}
