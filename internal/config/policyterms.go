package config

// Terms say whom and what a rule or a limit of the policy is about. Names are patterns
// with * and ?; what is left out is any.
type Terms struct {
	Who         []string
	Scopes      []string
	Servers     []string
	Tools       []string
	Categories  []string
	Tags        []string
	Annotations []string
}

// termKeys are what there is to say of the keys of Terms.
var termKeys = map[string]Key{
	"who":         {"authenticated subjects with * and ?; local is whoever is not authenticated, token whoever sends the gateway's token", ""},
	"scopes":      {"of the caller's OAuth token, with * and ?; it has to have one of them", ""},
	"servers":     {"names of servers with * and ?", ""},
	"tools":       {"names or ids of tools with * and ?", ""},
	"categories":  {"categories with * and ?", ""},
	"tags":        {"tags with * and ?", ""},
	"annotations": {"what servers say of their tools: read-only; writes, it is not said to be read-only; destructive; open-world", ""},
}

// callers reads whom something is about.
func (d *decoder) callers(who, scopes *[]string) []field {
	return []field{
		{"who", func(n *node) { *who = d.some(n, "who") }},
		{"scopes", func(n *node) { *scopes = d.some(n, "scopes") }},
	}
}

func (d *decoder) terms(t *Terms) []field {
	return append(d.callers(&t.Who, &t.Scopes), []field{
		{"servers", func(n *node) { t.Servers = d.some(n, "servers") }},
		{"tools", func(n *node) { t.Tools = d.some(n, "tools") }},
		{"categories", func(n *node) { t.Categories = d.some(n, "categories") }},
		{"tags", func(n *node) { t.Tags = d.some(n, "tags") }},
		{"annotations", func(n *node) {
			t.Annotations = d.words(n, "annotations", "read-only", "writes", "destructive", "open-world")
		}},
	}...)
}

func (t *Terms) pairs() []pair {
	return []pair{
		{"who", texts(t.Who)},
		{"scopes", texts(t.Scopes)},
		{"servers", texts(t.Servers)},
		{"tools", texts(t.Tools)},
		{"categories", texts(t.Categories)},
		{"tags", texts(t.Tags)},
		{"annotations", texts(t.Annotations)},
	}
}

// some is a list of patterns. An empty one would fit everything, which nobody means.
func (d *decoder) some(n *node, what string) []string { return d.filled(n, what, d.texts(n, what)) }

// words is a list out of some words, and not an empty one.
func (d *decoder) words(n *node, what string, words ...string) []string {
	return d.filled(n, what, d.each(n, what, func(n *node, what string) string { return d.oneOf(n, what, words...) }))
}

func (d *decoder) filled(n *node, what string, list []string) []string {
	if n.about == nil && len(list) == 0 && n.kind == listNode {
		d.problem(n.at, "%s is an empty list: leave it out if any is meant", what)
	}
	return list
}
