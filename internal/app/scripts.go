package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"toolcrib/internal/call"
	"toolcrib/internal/config"
	"toolcrib/internal/script"
)

// A StoredScript is a script of the configuration, which is run by its name.
type StoredScript struct {
	Name        string
	Description string
	Schema      json.RawMessage // of its arguments

	entry config.Script
	from  string // where it stands in the configuration
}

// StoredScripts are those of a configuration, in its order.
func StoredScripts(c config.Config) []StoredScript {
	var out []StoredScript
	for _, s := range c.Scripts {
		out = append(out, StoredScript{
			Name: s.Name, Description: s.Description, Schema: argumentsSchema(s.Parameters),
			entry: s, from: fmt.Sprintf("%s:%s", c.File, s.At),
		})
	}
	return out
}

// Request is the script with arguments, an object or nil, ready to be run. Those
// that do not fit are a *CallError; for those that are missing the defaults stand in.
// A file is read anew each time, so that an edit needs no restart.
func (s *StoredScript) Request(arguments json.RawMessage) (*script.Request, error) {
	args, err := s.arguments(arguments)
	if err != nil {
		return nil, err
	}
	source := s.entry.Source
	if s.entry.File != "" {
		if source, err = ReadScript(s.entry.File); err != nil {
			return nil, fmt.Errorf("script %s at %s: %w; correct its file, or create it", s.Name, s.from, err)
		}
	}
	return &script.Request{Source: source, Args: args}, nil
}

func (s *StoredScript) arguments(given json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(given)) == 0 {
		given = json.RawMessage("{}")
	}
	if m := call.CheckArguments(s.Schema, given); m != nil {
		return nil, &CallError{Kind: WrongArguments, Problems: m.Problems, Message: fmt.Sprintf("the arguments do not fit script %s, which was not run", s.Name)}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(given, &members); err != nil {
		return nil, fmt.Errorf("read the arguments of script %s: %w", s.Name, err)
	}
	if members == nil {
		members = map[string]json.RawMessage{}
	}
	for _, p := range s.entry.Parameters {
		if _, has := members[p.Name]; !has && p.Default != "" {
			members[p.Name] = json.RawMessage(p.Default)
		}
	}
	return json.Marshal(members)
}

// ReadScript reads the text of a script.
func ReadScript(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("read the script: %w", err)
	}
	defer f.Close()
	return ReadSource(f, file)
}

// ReadSource reads the text of a script from r, which has a name for people.
func ReadSource(r io.Reader, name string) (string, error) {
	most := script.Maxima().Source
	text, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the script: %w", err)
	case len(text) > most:
		return "", fmt.Errorf("read the script: %s is longer than %d KiB, the most that a script may have", name, most>>10)
	}
	source := strings.TrimPrefix(string(text), "\ufeff")
	if strings.HasPrefix(source, "#!") {
		source = "--" + source // as Lua's own program does, and the lines stay what they are
	}
	return source, nil
}

// argumentsSchema is what a script's parameters are to those who send them.
func argumentsSchema(parameters []config.ScriptParameter) json.RawMessage {
	var properties, required []string
	for _, p := range parameters {
		var words []string
		for _, word := range []struct{ name, value string }{
			{"type", asText(p.Type)}, {"description", asText(p.Description)}, {"default", p.Default}, {"enum", p.Enum},
		} {
			if word.value != "" {
				words = append(words, asText(word.name)+":"+word.value)
			}
		}
		properties = append(properties, asText(p.Name)+":{"+strings.Join(words, ",")+"}")
		if p.Required {
			required = append(required, asText(p.Name))
		}
	}
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		schema += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return json.RawMessage(schema + `,"additionalProperties":false}`)
}

// asText is a text as JSON, "" if it is empty.
func asText(text string) string {
	if text == "" {
		return ""
	}
	quoted, _ := json.Marshal(text) // any text has JSON
	return string(quoted)
}
