// Package model stands in for the language model behind a real agent, so that
// the whole agent can be run where no model is.
//
//	Claude Code ──► POST /v1/messages  ─┐
//	                                    ├─► Conversation ──► Decide ──► Move
//	Codex       ──► POST /v1/responses ─┘
//
// Both APIs are read into a Conversation, and what Decide makes of it is written
// back as the stream of events that the agent waits for. Decide is a function of
// the conversation alone. It knows nothing of any server: what it does follows
// from the user's task, the tools that the agent offers, and the answers to the
// calls so far. Every conversation is kept for whoever wants to see what a model
// would have seen.
package model

import (
	"encoding/json"
	"strings"
)

// A Tool is one that the agent offers.
type Tool struct {
	Space  string // Codex groups a server's tools; Claude Code writes the server into the name
	Name   string
	About  string
	Schema json.RawMessage
	Raw    json.RawMessage // all of it, as the model reads it
}

// Server is the name of the server that a tool belongs to, "" for the agent's own
// tools.
func (t Tool) Server() string {
	if t.Space != "" {
		name, _ := strings.CutPrefix(t.Space, agentPrefix)
		return name
	}
	rest, ok := strings.CutPrefix(t.Name, agentPrefix)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "__")
	return name
}

// OwnName is the name that its server gives it.
func (t Tool) OwnName() string { return ownName(t.Name) }

// agentPrefix begins the names that agents make of a server's and its tool's.
const agentPrefix = "mcp__"

func ownName(name string) string {
	if rest, ok := strings.CutPrefix(name, agentPrefix); ok {
		_, name, _ = strings.Cut(rest, "__")
	}
	return name
}

// A Step is a call that was asked for, and what the agent made of the answer.
type Step struct {
	Tool      string
	Arguments json.RawMessage
	Answer    string
}

// A Conversation is all that a request shows the model.
type Conversation struct {
	Task   string // what the user wants
	System string // what the model is told besides, by the agent and by the servers
	Tools  []Tool
	Steps  []Step
}

// Told are the tools of servers that the model is told the names of, each on a
// line of its own: those that the agent hides until they are asked for.
func (c Conversation) Told() []Tool {
	var tools []Tool
	for line := range strings.Lines(c.System) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, agentPrefix) && !strings.ContainsAny(name, " :,") {
			tools = append(tools, Tool{Name: name})
		}
	}
	return tools
}

// A Move is what the model does next: it calls a tool, or it has said what there
// is to say.
type Move struct {
	Tool      *Tool
	Arguments json.RawMessage
	Say       string
}

// taskMark begins the line in which the user says what is wanted. An agent puts
// much around it.
const taskMark = "Task: "

func taskIn(text string) (string, bool) {
	for line := range strings.Lines(text) {
		if task, ok := strings.CutPrefix(strings.TrimSpace(line), taskMark); ok {
			return task, true
		}
	}
	return "", false
}

// texts is the text of content that is either a string or a list of blocks.
func texts(content json.RawMessage) (string, error) {
	if len(content) == 0 {
		return "", nil
	}
	if content[0] == '"' {
		var s string
		err := json.Unmarshal(content, &s)
		return s, err
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(content, &blocks); err != nil {
		return "", err
	}
	var all []string
	for _, b := range blocks {
		if b.Text != "" {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n"), nil
}
