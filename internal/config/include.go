package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// includeAuto stands for every client that has files on this computer.
const includeAuto = "auto"

// include reads the names of clients, one or a list.
func (d *decoder) include(n *node) []string {
	words := append([]string{includeAuto}, Clients()...)
	if n.about != nil {
		n.about.Type, n.about.Items = "array", &Schema{Words: words}
		n.about.Alternative = &Schema{Words: words}
		return nil
	}
	if n.kind == textNode {
		n = &node{kind: listNode, at: n.at, items: []*node{n}}
	}
	var out []string
	d.list(n, "include", func(item *node) {
		name := d.text(item, "an item of include")
		switch {
		case name == "" || slices.Contains(out, name):
		case slices.Contains(words, name):
			out = append(out, name)
		default:
			near := nearest(name, words)
			if near != "" {
				near = "; did you mean " + near + "?"
			}
			d.problem(item.at, "%q is no client whose files are read%s; there are %s", clip(name), near, strings.Join(words, ", "))
		}
	})
	return out
}

// add puts the servers of clients behind those of our own file.
func (r *Reader) add(c Config) Config {
	if len(c.Include) == 0 {
		return c
	}
	names := c.Include
	if slices.Contains(names, includeAuto) {
		names = nil
	}
	found, used := r.Find(names...)
	if names != nil { // the order of the file decides which of two wins
		slices.SortStableFunc(found, func(a, b Found) int {
			return cmp.Or(rank(a.Scope)-rank(b.Scope), slices.Index(names, a.Client)-slices.Index(names, b.Client))
		})
	}
	c.Used = append(c.Used, used...)
	for _, f := range found {
		c.Warnings = append(c.Warnings, f.Warnings...)
	}
	servers, conflicts := r.Merge(c.Servers, found)
	c.Servers, c.Warnings = servers, append(c.Warnings, conflicts...)
	return c
}

// Merge adds the servers of found files to own ones. The same launch under
// another name is an alias of the first; of two launches under one name the
// first is kept, and the other a conflict. Entries that point back at this
// gateway are left out.
func (r *Reader) Merge(own []Server, found []Found) (all []Server, conflicts []Problem) {
	all = slices.Clone(own)
	for _, f := range found {
		for _, s := range f.Servers {
			if r.pointsBack(s) {
				continue
			}
			if i := slices.IndexFunc(all, func(o Server) bool { return sameLaunch(o, s) }); i >= 0 {
				if all[i].Untrusted && !s.Untrusted {
					// Nearly the same is not the same: a path that ends in the name of
					// the program that was approved leads to another one.
					all[i], s = s, all[i]
				}
				all[i] = joined(all[i], s)
				continue
			}
			if i := slices.IndexFunc(all, func(o Server) bool { return o.Name == s.Name }); i >= 0 {
				conflicts = append(conflicts, conflict(all[i], s, f))
				continue
			}
			all = append(all, s)
		}
	}
	return all, conflicts
}

// joined is a server that another file names too.
func joined(a, b Server) Server {
	if b.Untrusted && !a.Untrusted {
		return a // what it says, its name included, is nobody's word yet
	}
	if b.Name != a.Name && !slices.Contains(a.Aliases, b.Name) {
		a.Aliases = append(slices.Clone(a.Aliases), b.Name)
	}
	for _, tool := range b.Approved {
		if !slices.Contains(a.Approved, tool) {
			a.Approved = append(slices.Clone(a.Approved), tool)
		}
	}
	for _, tool := range b.Hidden {
		if !slices.Contains(a.Hidden, tool) {
			a.Hidden = append(slices.Clone(a.Hidden), tool)
		}
	}
	if a.Client != "" { // what our own file says of it stands
		a.Disabled = a.Disabled && b.Disabled
	}
	return a
}

func conflict(kept, other Server, f Found) Problem {
	where := "this configuration"
	if kept.Source != "" {
		where = fmt.Sprintf("%s:%s", kept.Source, kept.At)
	}
	return Problem{
		File: f.File, At: other.At,
		Text: fmt.Sprintf("server %s of %s is not used: the one of %s is another server with the same name; add it to your own file under another name to have both",
			other.Name, f.Title, where),
	}
}
