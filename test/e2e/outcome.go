package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// A surface is what a gateway shows its agents.
type surface struct {
	name     string
	tools    []string // of ours, in the order in which they are listed; nil for those of the servers
	told     int      // how often an agent gets the reference of the tools
	thorough bool     // run the agents in every way
}

var surfaces = []surface{
	{"standard", []string{
		"search_tools", "tool_details", "call_tool", "execute", "list_servers", "list_server_tools", "inspect_tool_response",
		"list_tools", "list_categories", "find_by_tags", "get_related_tools",
	}, 1, true},
	{"lean", []string{"search_tools", "tool_details", "call_tool", "execute"}, 1, false},
	{"passthrough", nil, 0, false},
}

// hasAnswers checks what the agent said in the end.
func (o outcome) hasAnswers(t task) error {
	for _, answer := range t.answers {
		if !strings.Contains(o.said, answer) {
			return fmt.Errorf("it said %.2000q; the model was asked %d times, and besides %q", o.said, len(o.model.Seen()), o.model.Odd())
		}
	}
	return nil
}

// seesTools checks which tools of the gateway the model was offered, or told the
// names of if the agent hides them. The size is that of those it was offered.
func (o outcome) seesTools(want []string, hidden bool) (size string, err error) {
	want = slices.Sorted(slices.Values(want)) // agents have an order of their own
	var offered string
	for _, c := range o.model.Seen() {
		offered = ""
		names := map[string]bool{}
		for _, t := range c.Tools {
			if t.Server() == gatewayName {
				names[t.OwnName()] = true
				offered += string(t.Raw)
			}
		}
		if hidden {
			for _, t := range c.Told() {
				names[t.OwnName()] = names[t.OwnName()] || t.Server() == gatewayName
			}
		}
		if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, want) {
			return "", fmt.Errorf("with %d steps done it was shown %q, not %q", len(c.Steps), got, want)
		}
	}
	if offered == "" {
		return "", errors.New("the model was never offered any")
	}
	return tokens(offered)
}

// seesInstructions checks that the model reads what the gateway said of itself,
// and that this says what is there.
func (o outcome) seesInstructions() (size string, err error) {
	hellos := append(o.asked.of("initialize"), o.asked.of("server/discover")...)
	if len(hellos) == 0 {
		return "", errors.New("the agent did not ask")
	}
	var r struct {
		Instructions string `json:"instructions"`
	}
	if err := json.Unmarshal(hellos[0].Result, &r); err != nil {
		return "", err
	}
	if !strings.Contains(r.Instructions, "calculator") || !strings.Contains(r.Instructions, "search_tools") {
		return "", fmt.Errorf("the instructions are %q", r.Instructions)
	}
	for _, c := range o.model.Seen() {
		if !strings.Contains(c.System, strings.TrimSpace(r.Instructions)) {
			return "", fmt.Errorf("the model does not see %q", r.Instructions)
		}
	}
	return tokens(r.Instructions)
}

// takesSteps checks which tools of the gateway were called, in order.
func (o outcome) takesSteps(want ...string) error {
	var names []string
	for _, e := range o.asked.of("tools/call") {
		names = append(names, e.tool())
	}
	if !slices.Equal(names, want) {
		return fmt.Errorf("it called %q, not %q", names, want)
	}
	return nil
}

// reference is how the reference of the tools begins.
const reference = "[toolcrib: reference of the tools here"

// givenReference checks that the reference is the first block of the first call
// of a tool behind the gateway, that the result follows it, and that no other
// block of any result has it.
func (o outcome) givenReference(t task, want int) error {
	found := 0
	for _, e := range o.asked.of("tools/call") {
		r, err := e.toolResult()
		if err != nil {
			return err
		}
		if has := r.Structured != nil; e.tool() == "call_tool" && has != t.structured {
			return fmt.Errorf("structured content: %v, not %v", has, t.structured)
		}
		for i, b := range r.Content {
			if !strings.Contains(b.Text, reference) {
				continue
			}
			if found++; i != 0 || e.tool() != "call_tool" || len(r.Content) < 2 || !strings.Contains(r.Content[1].Text, t.answers[0]) {
				return fmt.Errorf("block %d of %s has the reference: %q", i, e.tool(), r.Content)
			}
		}
	}
	return times("the reference", found, want)
}

// readsReference checks that the model has the reference before it, and the
// result behind it.
func (o outcome) readsReference(t task, want int) error {
	seen := o.model.Seen()
	found := 0
	for _, s := range seen[len(seen)-1].Steps {
		if n := strings.Count(s.Answer, reference); n > 0 {
			if found += n; !strings.HasPrefix(s.Answer, reference) || !strings.Contains(s.Answer, t.answers[0]) {
				return fmt.Errorf("it reads %q", s.Answer)
			}
		}
	}
	return times("the reference", found, want)
}

// tokens counts a text as models of two kinds read it.
func tokens(text string) (string, error) {
	codecs, err := tokenizers()
	if err != nil {
		return "", err
	}
	var counts []string
	for _, c := range codecs {
		n, err := c.Count(text)
		if err != nil {
			return "", err
		}
		counts = append(counts, fmt.Sprintf("%d tokens of %s", n, c.GetName()))
	}
	return strings.Join(counts, ", "), nil
}

// tokenizers take long to make.
var tokenizers = sync.OnceValues(func() ([]tokenizer.Codec, error) {
	older, err1 := tokenizer.Get(tokenizer.Cl100kBase)
	newer, err2 := tokenizer.Get(tokenizer.O200kBase)
	return []tokenizer.Codec{older, newer}, errors.Join(err1, err2)
})
