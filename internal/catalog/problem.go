package catalog

import (
	"fmt"
	"strings"
)

// What can be wrong with a listing.
const (
	Malformed      = "malformed"       // a definition, or a part of one, cannot be read
	DuplicateTool  = "duplicate_tool"  // a server lists several tools of one name
	NameClash      = "name_clash"      // several names have one Lua identifier
	DuplicateEntry = "duplicate_entry" // several listings of one server
	ManyCategories = "many_categories" // a server makes up too many categories
	MoreProblems   = "more_problems"   // those that are not told one by one
)

// A Problem is something in the listings that could not be taken as it was.
type Problem struct {
	Kind   string `json:"kind"`
	Server string `json:"server,omitempty"` // its name; "" if it is about several
	Tool   string `json:"tool,omitempty"`   // its original name, where there is one
	Text   string `json:"text"`             // what is wrong, what was done, and what to do
}

// maxProblems is how many problems of one server are told one by one.
const maxProblems = 50

// problems are those of one server.
type problems struct {
	server string
	told   []Problem
	more   int
}

func (p *problems) add(kind, tool, format string, args ...any) {
	if len(p.told) == maxProblems {
		p.more++
		return
	}
	p.told = append(p.told, Problem{Kind: kind, Server: p.server, Tool: tool, Text: fmt.Sprintf(format, args...)})
}

func (p *problems) all() []Problem {
	if p.more > 0 {
		return append(p.told, Problem{Kind: MoreProblems, Server: p.server, Text: fmt.Sprintf(
			"server %s has %d more problems like these; tell its author", quote(p.server), p.more)})
	}
	return p.told
}

// quote writes a name that a server chose so that it can stand in a sentence.
func quote(name string) string {
	const most = 80
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "..."
	}
	return fmt.Sprintf("%q", name)
}

func quoteAll(names []string) string {
	const most = 5
	var quoted []string
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, quote(name))
	}
	if more := len(names) - most; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + " and " + quoted[n-1]
	}
	return strings.Join(quoted, "")
}
