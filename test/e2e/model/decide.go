package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Decide is the model: what to do next in a conversation. The words of the task
// say what is wanted and its quoted parts are what to do it with, a call for
// each:
//
//	Task: evaluate the arithmetic expressions "2 ^ 100" and "1 / 8"
//
// Where there is a tool to search for tools, the model asks it in those words,
// looks at the first tool it names, and calls that one. Where there is none it
// calls the offered tool whose name and description have most of those words.
// Tools that the agent hides it asks for first.
func Decide(c Conversation) Move {
	if c.Task == "" {
		return Move{Say: "ok"} // the agent's own errand, such as a title for the conversation
	}
	t := readTask(c.Task)
	decide := t.callDirectly
	switch {
	case c.hides() && c.lastOf(loadTools) == nil:
		decide = t.load
	case offered(c.Tools, searchTools) != nil:
		decide = t.askForTools
	}
	m, err := decide(c)
	if err != nil {
		return Move{Say: "STUCK: " + err.Error()}
	}
	return m
}

// Done begins what the model says when all calls are made. Their answers follow.
const Done = "DONE"

// Names of the tools through which other tools are found and called. Agents put
// the server's name in front.
const (
	searchTools = "search_tools"
	toolDetails = "tool_details"
	callTool    = "call_tool"
)

// loadTools is a tool of Claude Code's own. It shows the model tools of which it
// was told the name alone.
const loadTools = "ToolSearch"

// hides tells whether the agent tells of a server's tools without offering any.
func (c Conversation) hides() bool {
	own, theirs := false, false
	for _, t := range c.Tools {
		own = own || t.Name == loadTools
		theirs = theirs || t.Server() != ""
	}
	return own && !theirs
}

// load asks the agent for the tools through which others are found, if it told
// of them, else for some in the words of the task.
func (t task) load(c Conversation) (Move, error) {
	var names []string
	for _, tool := range c.Told() {
		if slices.Contains([]string{searchTools, toolDetails, callTool}, tool.OwnName()) {
			names = append(names, tool.Name)
		}
	}
	query := t.want
	if len(names) > 0 {
		query = "select:" + strings.Join(names, ",")
	}
	return c.call(loadTools, object{"query": query, "max_results": 5})
}

// offered finds a tool under the name that its server gives it, or one of the
// agent's own.
func offered(tools []Tool, name string) *Tool {
	for i, t := range tools {
		if t.OwnName() == name {
			return &tools[i]
		}
	}
	return nil
}

// askForTools searches, looks at what was found, and calls it.
func (t task) askForTools(c Conversation) (Move, error) {
	if c.lastOf(searchTools) == nil {
		return c.call(searchTools, object{"query": t.want})
	}
	hit, err := firstHit(c.lastOf(searchTools).Answer)
	if err != nil {
		return Move{}, err
	}
	if c.lastOf(toolDetails) == nil {
		return c.call(toolDetails, object{"tools": []string{hit.ID}})
	}
	params, err := readSignature(hit.Signature)
	if err != nil {
		return Move{}, err
	}
	return t.next(params, c.answers(callTool), func(arguments object) (Move, error) {
		return c.call(callTool, object{"tool": hit.ID, "arguments": arguments})
	})
}

// callDirectly picks one of the offered tools and calls it.
func (t task) callDirectly(c Conversation) (Move, error) {
	best, most := (*Tool)(nil), 0
	for i, tool := range c.Tools {
		if n := t.words(tool.OwnName() + " " + tool.About); tool.Server() != "" && n > most {
			best, most = &c.Tools[i], n
		}
	}
	if best == nil {
		return Move{}, fmt.Errorf("none of %d tools is for %q", len(c.Tools), t.want)
	}
	params, err := readSchema(best.Schema)
	if err != nil {
		return Move{}, err
	}
	return t.next(params, c.answers(best.OwnName()), func(arguments object) (Move, error) {
		return c.call(best.OwnName(), arguments)
	})
}

// next makes the next call of the task, or says what came of all of them.
func (t task) next(params []param, answers []string, call func(object) (Move, error)) (Move, error) {
	if len(params) == 0 {
		return Move{}, errors.New("the tool takes nothing that the task could be put into")
	}
	rest := t.values[min(len(answers)*len(params), len(t.values)):]
	if len(rest) < len(params) {
		return Move{Say: Done + "\n" + strings.Join(answers, "\n")}, nil
	}
	arguments := object{}
	for i, p := range params {
		arguments[p.name] = p.value(rest[i])
	}
	return call(arguments)
}

// call is the move that calls an offered tool.
func (c Conversation) call(name string, arguments object) (Move, error) {
	tool := offered(c.Tools, name)
	if tool == nil {
		return Move{}, fmt.Errorf("there is no %s", name)
	}
	b, err := json.Marshal(arguments)
	return Move{Tool: tool, Arguments: b}, err
}

// lastOf is the last call of a tool, nil if there is none.
func (c Conversation) lastOf(name string) *Step {
	for i, s := range slices.Backward(c.Steps) {
		if ownName(s.Tool) == name {
			return &c.Steps[i]
		}
	}
	return nil
}

// answers are those of a tool so far.
func (c Conversation) answers(name string) []string {
	var all []string
	for _, s := range c.Steps {
		if ownName(s.Tool) == name {
			all = append(all, s.Answer)
		}
	}
	return all
}

// A hit is a tool that a search found.
type hit struct {
	ID        string `json:"name"`
	Signature string `json:"signature"`
}

// firstHit reads the answer of a search. Something may stand in front of it.
func firstHit(answer string) (hit, error) {
	var found struct {
		Tools []hit `json:"tools"`
	}
	_, after, ok := strings.Cut(answer, "{")
	if !ok {
		return hit{}, fmt.Errorf("the search says %.200q", answer)
	}
	if err := json.NewDecoder(bytes.NewReader([]byte("{" + after))).Decode(&found); err != nil {
		return hit{}, fmt.Errorf("read the answer of the search: %w", err)
	}
	if len(found.Tools) == 0 || found.Tools[0].ID == "" {
		return hit{}, fmt.Errorf("the search found nothing: %.300q", answer)
	}
	return found.Tools[0], nil
}
