package config

import (
	"slices"
)

// An Import is what other clients have, beside what our own file has.
type Import struct {
	File       string // our own
	Candidates []Candidate
	Warnings   []Problem // of entries that cannot be used

	edit edit
	now  Change
}

// A Candidate is an entry of another client.
type Candidate struct {
	Server
	Title  string // of the client
	Scope  Scope
	Status Status
	Of     string // the server that it is the same as, or stands against
}

// Status is what import makes of an entry.
type Status string

// The statuses.
const (
	Added     Status = "new"
	Present   Status = "present"  // the same launch is in our file, or came before
	Conflict  Status = "conflict" // another launch has its name
	OfProject Status = "project"  // from a project's own file, and those were not asked for
	Itself    Status = "itself"   // it starts this gateway
)

// Import compares the files of clients, all if none are named, with our own file.
// Variables are kept as variables. Entries of projects are only taken along if
// they are asked for.
func (r *Reader) Import(file string, projects bool, names ...string) (*Import, error) {
	for _, name := range names {
		if _, err := r.target(name); err != nil {
			return nil, err
		}
	}
	now, err := current(file)
	if err != nil {
		return nil, err
	}
	i := &Import{File: file, now: now, edit: edit{file: file, path: []string{"servers"}}}
	var have []Server
	if !now.New {
		if have, err = r.raw(file, now.Before); err != nil {
			return nil, err
		}
		if root, err := i.edit.tree(now.Before); err == nil && root.child("servers") == nil && root.child("mcpServers") != nil {
			i.edit.path = []string{"mcpServers"}
		}
	}
	found, _ := r.find(names, true)
	for _, f := range found {
		i.Warnings = append(i.Warnings, f.Warnings...)
		for _, s := range f.Servers {
			c := Candidate{Server: s, Title: f.Title, Scope: f.Scope, Status: Added}
			switch {
			case r.pointsBack(s):
				c.Status = Itself
			case f.Scope == ProjectScope && !projects:
				c.Status = OfProject
			default:
				c.compare(have)
			}
			if c.Status == Added {
				have = append(have, s)
			}
			i.Candidates = append(i.Candidates, c)
		}
	}
	return i, nil
}

func (c *Candidate) compare(have []Server) {
	if k := slices.IndexFunc(have, func(o Server) bool { return sameLaunch(o, c.Server) }); k >= 0 {
		c.Status, c.Of = Present, have[k].Name
		return
	}
	if k := slices.IndexFunc(have, func(o Server) bool { return o.Name == c.Name }); k >= 0 {
		c.Status, c.Of = Conflict, have[k].Source
	}
}

// raw reads the servers of our own file with their variables as they are written.
func (r *Reader) raw(file string, src []byte) ([]Server, error) {
	d := r.decoder(file, src, ownForms)
	root, err := d.tree()
	if err != nil {
		return nil, err
	}
	d.variables.translate = true
	c := d.config(root)
	if len(d.problems) > 0 {
		return nil, &Error{d.problems}
	}
	return c.Servers, nil
}

// importHead is what a file begins with that import makes.
const importHead = `# Servers that agents reach through toolcrib. "toolcrib config validate" checks this file,
# "toolcrib config show --defaults" prints what holds for keys that are left out.
`

// Change is what our own file is to become: all that is new, behind what is there.
func (i *Import) Change() (Change, error) {
	out := i.now
	out.After = out.Before
	var err error
	added := slices.DeleteFunc(slices.Clone(i.Candidates), func(c Candidate) bool { return c.Status != Added })
	if len(added) == 0 {
		out.New = false
		return out, nil
	}
	kind := syntaxOf(i.File, out.Before)
	if out.New && kind == yamlSyntax {
		out.After = []byte(importHead)
	}
	if kind != tomlSyntax {
		slices.Reverse(added) // each goes in front of the last
	}
	for _, c := range added {
		s := c.Server
		if out.After, err = i.edit.setShown(out.After, s.Name, s.node(), s.Masked().node()); err != nil {
			return Change{}, err
		}
	}
	return out, nil
}
