package gateway

import (
	"encoding/json"
	"strings"

	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
)

// A StoredScript is a script of the configuration. Agents run it by its name, and
// see it in list_tools.
type StoredScript struct {
	Name        string
	Description string
	Schema      json.RawMessage // of its arguments
	// Request is the script with arguments, an object or nil, ready to be run.
	// What it returns as an error is for the agent.
	Request func(arguments json.RawMessage) (*script.Request, error)
}

func (g *Gateway) storedEntries() []disclose.Entry {
	var entries []disclose.Entry
	for _, s := range g.o.Stored {
		entries = append(entries, disclose.ScriptEntry(s.Name, s.Description, s.Schema))
	}
	return entries
}

// source is the script that an agent means: one that is stored, by its name, or
// else its own text.
func (g *Gateway) source(text string, arguments json.RawMessage) (*script.Request, *disclose.Problem) {
	for _, s := range g.o.Stored {
		if s.Name != strings.TrimSpace(text) {
			continue
		}
		r, err := s.Request(arguments)
		if err != nil {
			return nil, &disclose.Problem{Message: err.Error(), Schema: s.Schema, Next: `Send it again: {"script":"` + s.Name + `","args":{...}}.`}
		}
		return r, nil
	}
	return &script.Request{Source: text, Args: arguments}, nil
}
