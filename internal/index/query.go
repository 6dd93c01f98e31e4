package index

import (
	"strings"
	"unicode/utf8"
)

// What is read of a query. Agents paste whole tasks; what they want is said long
// before this.
const (
	maxQueryBytes = 4096
	maxQueryWords = 80
	maxSelected   = 50
)

// A request is a query's text, read.
type request struct {
	selected   []string // names after select:
	servers    []string // after server:
	categories []string // after category:
	text       string   // the rest
}

// parse reads the terms of a query: select:a,b server:x category:"two words".
// What is written otherwise is text, also where a colon stands in it.
func parse(text string) request {
	var r request
	if len(text) > maxQueryBytes {
		end := maxQueryBytes
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	var rest []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		term, value, after, ok := cutTerm(text)
		if !ok {
			end := strings.IndexAny(text, " \t\r\n")
			if end < 0 {
				end = len(text)
			}
			rest = append(rest, text[:end])
			text = text[end:]
			continue
		}
		text = after
		switch term {
		case "select":
			for one := range strings.SplitSeq(value, ",") {
				if one = strings.TrimSpace(one); one != "" && len(r.selected) < maxSelected {
					r.selected = append(r.selected, one)
				}
			}
		case "server":
			r.servers = append(r.servers, value)
		case "category":
			r.categories = append(r.categories, value)
		}
	}
	r.text = strings.Join(rest, " ")
	return r
}

// cutTerm reads a term that text begins with, if it does. Spaces after a comma
// belong to a selection.
func cutTerm(text string) (term, value, after string, ok bool) {
	term, value, found := strings.Cut(text, ":")
	if !found {
		return "", "", text, false
	}
	switch term = strings.ToLower(term); term {
	case "select", "server", "category":
	default:
		return "", "", text, false
	}
	value = strings.TrimLeft(value, " ")
	if quoted, rest, closed := cutQuoted(value); closed {
		return term, quoted, rest, quoted != ""
	}
	end := strings.IndexAny(value, " \t\r\n")
	for term == "select" && end > 0 && value[end-1] == ',' {
		next := strings.IndexFunc(value[end:], func(r rune) bool { return !strings.ContainsRune(" \t\r\n", r) })
		if next < 0 {
			break
		}
		more := strings.IndexAny(value[end+next:], " \t\r\n")
		if more < 0 {
			end = -1
			break
		}
		end += next + more
	}
	if end < 0 {
		end = len(value)
	}
	return term, value[:end], value[end:], end > 0
}

func cutQuoted(value string) (quoted, rest string, ok bool) {
	if !strings.HasPrefix(value, `"`) {
		return "", "", false
	}
	return strings.Cut(value[1:], `"`)
}
