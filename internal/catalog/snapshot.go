package catalog

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// A Snapshot is all listings merged, at one moment. It never changes.
type Snapshot struct {
	built      time.Time
	rules      Rules
	version    string
	servers    []*Server // sorted by identifier
	byName     map[string]*Server
	byLua      map[string]*Server
	aliases    map[string]string // to names, of servers that are listed and others
	tools      []*Tool
	categories []Category
	problems   []Problem
}

// A Category is a kind of tools.
type Category struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Count       int    `json:"count"`
}

// A Tag is a word that tools can be found by.
type Tag struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func (s *Snapshot) index() {
	s.byName = make(map[string]*Server, len(s.servers))
	s.byLua = make(map[string]*Server, len(s.servers))
	counts := map[string]int{}
	total := 0
	for _, server := range s.servers {
		s.byName[server.Name()] = server
		s.byLua[server.lua] = server
		s.problems = append(s.problems, server.shelf.problems...)
		for category, tools := range server.shelf.category {
			counts[category] += len(tools)
		}
		total += server.Len()
	}
	s.aliases = aliases(s.rules.Aliases)
	s.tools = make([]*Tool, 0, total)
	for _, server := range s.servers {
		s.tools = server.all(s.tools)
	}
	for name, count := range counts {
		s.categories = append(s.categories, Category{Name: name, Description: s.describe(name), Count: count})
	}
	slices.SortFunc(s.categories, func(a, b Category) int { return strings.Compare(a.Name, b.Name) })
}

// Version is a hash of all that the snapshot tells: equal for equal content,
// whenever it was learned and in whatever order.
func (s *Snapshot) Version() string { return s.version }

// Built is when the snapshot was made.
func (s *Snapshot) Built() time.Time { return s.built }

// Len is how many tools there are.
func (s *Snapshot) Len() int { return len(s.tools) }

// Tools are all tools in the order of their ids. The slice is everybody's and
// not to be changed.
func (s *Snapshot) Tools() []*Tool { return slices.Clip(s.tools) }

// Servers are all servers in the order of their identifiers, as a copy.
func (s *Snapshot) Servers() []*Server { return slices.Clone(s.servers) }

// Problems are what could not be taken as it was: first what concerns several
// servers, then by server. It is a copy.
func (s *Snapshot) Problems() []Problem { return slices.Clone(s.problems) }

// Server returns a server by its identifier, its name or an alias of it, nil if there
// is none.
func (s *Snapshot) Server(name string) *Server {
	if server := s.byLua[name]; server != nil {
		return server
	}
	if server := s.byName[name]; server != nil {
		return server
	}
	return s.byName[s.aliases[name]]
}

// Unalias is the name of the server that has an alias, also of one that is not listed;
// any other name stays as it is.
func (s *Snapshot) Unalias(name string) string {
	if s.byLua[name] != nil || s.byName[name] != nil || s.aliases[name] == "" {
		return name
	}
	return s.aliases[name]
}

// Aliases are other names that servers go by, to their own, as a copy. Servers have them
// whether they are listed or not.
func (s *Snapshot) Aliases() map[string]string {
	out := maps.Clone(s.aliases)
	maps.DeleteFunc(out, func(_, server string) bool { return server == "" })
	return out
}

// aliases are those of the rules, and their identifiers, where that is clear.
func aliases(given map[string]string) map[string]string {
	if len(given) == 0 {
		return nil
	}
	all := maps.Clone(given)
	for _, alias := range slices.Sorted(maps.Keys(given)) {
		lua := Identifier(alias)
		if at, taken := all[lua]; taken && at != given[alias] {
			if _, own := given[lua]; !own {
				all[lua] = "" // two servers': it is nobody's
			}
			continue
		}
		all[lua] = given[alias]
	}
	return all
}

// Tool returns a tool by its id, nil if there is none.
func (s *Snapshot) Tool(id ToolID) *Tool {
	server, tool, _ := strings.Cut(string(id), ".")
	if found := s.byLua[server]; found != nil {
		if t := found.find(tool); t != nil && t.lua == tool {
			return t
		}
	}
	return nil
}

// Find returns a tool by its server and its name, each either the identifier
// or the original name; nil if there is none.
func (s *Snapshot) Find(server, tool string) *Tool {
	if found := s.Server(server); found != nil {
		return found.find(tool)
	}
	return nil
}

// Resolve returns the tool that somebody means by server.tool, where either may
// be an original name and have dots itself; nil if there is none.
func (s *Snapshot) Resolve(reference string) *Tool {
	if t := s.Tool(ToolID(reference)); t != nil {
		return t
	}
	for i := range len(reference) {
		if reference[i] != '.' {
			continue
		}
		if t := s.Find(reference[:i], reference[i+1:]); t != nil {
			return t
		}
	}
	return nil
}

// Named returns the tools of all servers that have this identifier or original
// name, in the order of their ids, as a copy.
func (s *Snapshot) Named(tool string) []*Tool {
	var tools []*Tool
	for _, server := range s.servers {
		if t := server.find(tool); t != nil {
			tools = append(tools, t)
		}
	}
	return tools
}

// InCategory returns the tools of a category in the order of their ids, as a
// copy. It does not matter how the category is written.
func (s *Snapshot) InCategory(category string) []*Tool {
	category = label(category)
	var tools []*Tool
	for _, server := range s.servers {
		tools = server.at(tools, server.shelf.category[category])
	}
	return tools
}

// Tagged returns the tools that have a tag in the order of their ids, as a
// copy. It does not matter how the tag is written, and Issues finds issue too.
func (s *Snapshot) Tagged(tag string) []*Tool {
	tag = label(tag)
	one := singular(tag)
	var tools []*Tool
	for _, server := range s.servers {
		numbers := server.shelf.tag[tag]
		if one != tag {
			numbers = slices.Concat(numbers, server.shelf.tag[one])
			slices.Sort(numbers)
			numbers = slices.Compact(numbers)
		}
		tools = server.at(tools, numbers)
	}
	return tools
}

// Categories are those that have tools, by name, as a copy.
func (s *Snapshot) Categories() []Category { return slices.Clone(s.categories) }

// Tags are all tags, those of the most tools first, as a copy.
func (s *Snapshot) Tags() []Tag {
	counts := map[string]int{}
	for _, server := range s.servers {
		for tag, tools := range server.shelf.tag {
			counts[tag] += len(tools)
		}
	}
	tags := make([]Tag, 0, len(counts))
	for name, count := range counts {
		tags = append(tags, Tag{name, count})
	}
	slices.SortFunc(tags, func(a, b Tag) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return tags
}

// describe explains a category.
func (s *Snapshot) describe(category string) string {
	for name, description := range s.rules.Describe {
		if label(name) == category {
			return description
		}
	}
	for _, own := range ownCategories {
		if own.name == category {
			return own.description
		}
	}
	return "As named by the configuration or by the servers themselves"
}
