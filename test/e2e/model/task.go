package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A task is what the user wants, and what to do it with.
type task struct {
	want   string
	values []string
}

var quoted = regexp.MustCompile(`"([^"]*)"`)

func readTask(text string) task {
	var t task
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		t.values = append(t.values, m[1])
	}
	t.want = strings.Join(strings.Fields(quoted.ReplaceAllString(text, "")), " ")
	return t
}

// words counts how many words of the task are in a text. Short ones say nothing,
// and an s at the end makes no other word.
func (t task) words(text string) int {
	in := wordsOf(text)
	n := 0
	for w := range wordsOf(t.want) {
		if in[w] {
			n++
		}
	}
	return n
}

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 3 {
			words[strings.TrimSuffix(w, "s")] = true
		}
	}
	return words
}

// A param is what a tool cannot be called without.
type param struct{ name, kind string }

// value is a value of the task as a parameter takes it.
func (p param) value(text string) any {
	if p.kind == "num" || p.kind == "int" {
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return json.Number(text)
		}
	}
	return text
}

// readSignature reads the required parameters of a signature:
//
//	create_issue(owner*: str, repo*: str, labels: [str])
func readSignature(signature string) ([]param, error) {
	_, list, ok := strings.Cut(signature, "(")
	if !ok || !strings.HasSuffix(list, ")") {
		return nil, fmt.Errorf("%q is no signature", signature)
	}
	var all []param
	for part := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ", ") {
		name, kind, _ := strings.Cut(part, ": ")
		if name, required := strings.CutSuffix(name, "*"); required {
			all = append(all, param{name, kind})
		}
	}
	return all, nil
}

// readSchema reads the required parameters of a schema.
func readSchema(schema json.RawMessage) ([]param, error) {
	var s struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("read a tool's schema: %w", err)
	}
	var all []param
	for _, name := range s.Required {
		kind := "any"
		switch s.Properties[name].Type {
		case "number":
			kind = "num"
		case "integer":
			kind = "int"
		}
		all = append(all, param{name, kind})
	}
	return all, nil
}
