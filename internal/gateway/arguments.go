package gateway

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"toolcrib/internal/call"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// arguments of one of our own tools, read with patience: names may be written in
// camelCase or with hyphens, a number or a truth may come as a string, a list as
// one string. What cannot be read is told; what means nothing is named in the
// answer.
type arguments struct {
	members map[string][]byte // by snake_case name
	used    map[string]bool
	wrong   *disclose.Problem // the first that cannot be read
}

// aliases are other names that agents use.
var aliases = map[string]string{
	"lua_server_name": "server", "server_name": "server",
	"lua_tool_name": "tool", "tool_name": "tool", "tool_id": "tool",
	"args": "arguments", "params": "arguments", "parameters": "arguments", "input": "arguments",
	"sample_arguments": "sample_args",
	"limit":            "max_results", "level": "detail_level", "q": "query", "mode": "match_mode", "tag": "tags",
	"code": "script", "lua": "script",
}

func readArguments(raw []byte) (*arguments, *disclose.Problem) {
	a := &arguments{members: map[string][]byte{}, used: map[string]bool{}}
	raw = call.Unpack(raw)
	if raw == nil || string(raw) == "null" {
		return a, nil
	}
	o, err := wire.ParseObject(raw)
	if err != nil {
		return nil, &disclose.Problem{Message: "arguments must be an object: " + err.Error(), Next: `Send them as {"name":value}.`}
	}
	for _, m := range o.Members() {
		name := snake(m.Name)
		if _, twice := a.members[name]; twice {
			return nil, &disclose.Problem{Message: fmt.Sprintf("argument %q is given twice", name), Next: "Send it once."}
		}
		if string(m.Value) != "null" {
			a.members[name] = m.Value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.members)) {
		real := aliases[name]
		if _, there := a.members[real]; real != "" && !there {
			a.members[real] = a.members[name]
			delete(a.members, name)
		}
	}
	return a, nil
}

// snake writes maxResults and max-results as max_results.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '-':
			r = '_'
		case r >= 'A' && r <= 'Z':
			if i > 0 && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (a *arguments) raw(name string) []byte {
	a.used[name] = true
	return a.members[name]
}

func (a *arguments) refuse(name, want string, raw []byte) {
	if a.wrong == nil {
		if len(raw) > 60 {
			raw = append(raw[:60:60], "..."...)
		}
		a.wrong = &disclose.Problem{Message: fmt.Sprintf("argument %q must be %s, not %s", name, want, disclose.Line(string(raw))), Next: "Send the call again with it."}
	}
}

// text is a string argument, "" if it is absent.
func (a *arguments) text(name string) string {
	raw := a.raw(name)
	if raw == nil {
		return ""
	}
	if s, ok := wire.Text(raw); ok {
		return s
	}
	if c := raw[0]; c == '{' || c == '[' {
		a.refuse(name, "a string", raw)
		return ""
	}
	return string(raw) // a number or a truth, by its letters
}

// number is a whole number, 0 if it is absent.
func (a *arguments) number(name string) int {
	raw := a.raw(name)
	if raw == nil {
		return 0
	}
	text := string(raw)
	if s, ok := wire.Text(raw); ok {
		text = strings.TrimSpace(s)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != float64(int(n)) || n < 0 {
		a.refuse(name, "a whole number from 1", raw)
		return 0
	}
	return int(n)
}

// flag is a truth, false if it is absent.
func (a *arguments) flag(name string) bool {
	raw := a.raw(name)
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true", "1", "yes":
		return true
	case "", "false", "0", "no":
		return false
	}
	a.refuse(name, "true or false", raw)
	return false
}

// words is a list of strings: also one string, or several with commas.
func (a *arguments) words(name string) []string {
	raw := a.raw(name)
	if raw == nil {
		return nil
	}
	if text, ok := wire.Text(raw); ok {
		if text = strings.TrimSpace(text); strings.HasPrefix(text, "[") {
			raw = []byte(text)
		} else {
			var out []string
			for part := range strings.SplitSeq(text, ",") {
				if part = strings.TrimSpace(part); part != "" {
					out = append(out, part)
				}
			}
			return out
		}
	}
	var out []string
	if json.Unmarshal(raw, &out) != nil {
		a.refuse(name, "a list of strings", raw)
		return nil
	}
	return out
}

// choice is one of some words, the first if it is absent.
func (a *arguments) choice(name string, of ...string) string {
	word := strings.ToLower(strings.TrimSpace(a.text(name)))
	if word == "" {
		return of[0]
	}
	if !slices.Contains(of, word) {
		a.refuse(name, strings.Join(of, " or "), a.members[name])
		return of[0]
	}
	return word
}

// ignored are arguments that nobody asked for.
func (a *arguments) ignored() []string {
	var out []string
	for name := range a.members {
		if !a.used[name] && len(out) < 5 {
			out = append(out, clipName(disclose.Line(name)))
		}
	}
	slices.Sort(out)
	return out
}
