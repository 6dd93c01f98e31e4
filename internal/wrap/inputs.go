package wrap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toolcrib/internal/call"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// inputs are the arguments of a discovery tool, read with patience: a number may
// come as a string, a list as one string. What cannot be read is told; what means
// nothing is named in the answer.
type inputs struct {
	query, category, tool  string
	tools, tags            []string
	matchAll               bool
	level                  disclose.Level
	maxResults, page, size int
	ignored                []string
}

func readInputs(raw json.RawMessage, takes []string) (*inputs, *disclose.Problem) {
	in := &inputs{}
	raw = call.Unpack(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return in, nil
	}
	o, err := wire.ParseObject(raw)
	if err != nil {
		return nil, &disclose.Problem{Message: "arguments must be an object: " + err.Error(), Next: `Send them as {"name":value}.`}
	}
	for _, m := range o.Members() {
		name := strings.ReplaceAll(m.Name, "-", "_")
		switch {
		case !slices.Contains(takes, name):
			if len(in.ignored) < 5 {
				in.ignored = append(in.ignored, disclose.Cut(disclose.Line(name), 80))
			}
		case string(m.Value) == "null":
		default:
			if want := in.set(name, m.Value); want != "" {
				return nil, &disclose.Problem{
					Message: fmt.Sprintf("argument %q must be %s, not %s", name, want, disclose.Cut(disclose.Line(string(m.Value)), 60)),
					Next:    "Send the call again with it.",
				}
			}
		}
	}
	return in, nil
}

// set takes one argument. If it cannot, it returns what the value must be.
func (in *inputs) set(name string, value []byte) (want string) {
	ok := true
	switch name {
	case "query":
		want, ok = "a string", text(value, &in.query)
	case "category":
		want, ok = "a string", text(value, &in.category)
	case "tool":
		want, ok = "a string", text(value, &in.tool)
	case "tools":
		want, ok = "a list of strings", words(value, &in.tools)
	case "tags":
		want, ok = "a list of strings", words(value, &in.tags)
	case "match_mode":
		mode := ""
		want, ok = "any or all", text(value, &mode) && (mode == "any" || mode == "all")
		in.matchAll = mode == "all"
	case "detail_level":
		level := ""
		ok = text(value, &level)
		in.level = disclose.Level(level)
		want, ok = "minimal, brief or full", ok && slices.Contains([]disclose.Level{disclose.Minimal, disclose.Brief, disclose.Full}, in.level)
	case "max_results":
		want, ok = "a whole number from 1", number(value, &in.maxResults)
	case "page":
		want, ok = "a whole number from 1", number(value, &in.page)
	case "page_size":
		want, ok = "a whole number from 1", number(value, &in.size)
	}
	if ok {
		return ""
	}
	return want
}

func text(value []byte, to *string) (ok bool) {
	*to, ok = wire.Text(value)
	*to = strings.TrimSpace(*to)
	return ok
}

func number(value []byte, to *int) bool {
	written := string(value)
	if s, ok := wire.Text(value); ok {
		written = strings.TrimSpace(s)
	}
	n, err := strconv.ParseFloat(written, 64)
	*to = int(n)
	return err == nil && n > 0 && n == float64(*to)
}

// words is a list of strings: also one string, or several with commas.
func words(value []byte, to *[]string) bool {
	s, ok := wire.Text(value)
	if !ok {
		return json.Unmarshal(value, to) == nil
	}
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			*to = append(*to, part)
		}
	}
	return true
}
