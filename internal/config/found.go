package config

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
)

// A Found file is one of another client, and what it says.
type Found struct {
	Client, Title string
	File          string
	Scope         Scope
	Servers       []Server
	Warnings      []Problem // what is left out, and why

	used []string // other files that it hangs on
}

// Find reads the files of clients, all if none are named. Files that there are
// not are only in used.
func (r *Reader) Find(names ...string) (found []Found, used []string) {
	return r.find(names, false)
}

func (r *Reader) find(names []string, translate bool) (found []Found, used []string) {
	for _, c := range clients {
		if len(names) > 0 && !slices.Contains(names, c.name) {
			continue
		}
		allowed, more := r.allowed(c)
		used = append(used, more...)
		for _, at := range withoutTwins(r.locate(c.places)) {
			used = append(used, at.path)
			one, exists := r.findFile(c, at, translate)
			if !exists {
				continue
			}
			used = append(used, one.used...)
			for i, s := range one.Servers {
				for _, tool := range allowed.of(s, at.scope == ProjectScope && (translate || !s.Untrusted)) {
					if !slices.Contains(s.Approved, tool) {
						one.Servers[i].Approved = append(one.Servers[i].Approved, tool)
					}
				}
			}
			found = append(found, one)
		}
	}
	// A project's file must not take a name from the user's own.
	slices.SortStableFunc(found, func(a, b Found) int { return rank(a.Scope) - rank(b.Scope) })
	slices.Sort(used)
	return found, slices.Compact(used)
}

// withoutTwins leaves out files of a project that are the user's own: whoever works in
// their home directory has written them.
func withoutTwins(all []located) []located {
	return slices.DeleteFunc(slices.Clone(all), func(one located) bool {
		return one.scope == ProjectScope && slices.ContainsFunc(all, func(other located) bool {
			return other.scope != ProjectScope && (other.path == one.path || sameFile(other.path, one.path))
		})
	})
}

func rank(s Scope) int {
	if s == ProjectScope {
		return 1
	}
	return 0
}

// findFile reads one file of a client. An unreadable one has a warning and no
// servers.
func (r *Reader) findFile(c *client, at located, translate bool) (Found, bool) {
	out := Found{Client: c.name, Title: c.title, File: at.path, Scope: at.scope}
	root, d, err := r.foreignTree(at.path, c.forms)
	if errors.Is(err, fs.ErrNotExist) {
		return out, false
	}
	if err != nil {
		out.Warnings = problemsOf(at.path, err)
		return out, true
	}
	d.variables.translate = translate
	f := &foreign{decoder: d, client: c, scope: at.scope}
	f.read(root)
	out.Servers, out.Warnings, out.used = f.out, f.warnings, d.used
	return out, true
}

// read reads all entries of a file.
func (f *foreign) read(root *node) {
	if f.client.read != nil {
		f.client.read(f, root)
		return
	}
	f.entries(root.below(f.client.path()))
}

func (c *client) path() []string {
	if c.root == nil {
		return []string{"mcpServers"}
	}
	return c.root
}

// foreignTree reads a file of any syntax. An empty one is an empty mapping.
func (r *Reader) foreignTree(path string, forms form) (*node, *decoder, error) {
	src, err := readSmall(path, maxForeign)
	if err != nil {
		return nil, nil, err
	}
	d := r.decoder(path, src, forms)
	d.most = maxForeign
	if len(bytes.TrimSpace(d.src)) == 0 {
		return &node{kind: mapNode, at: Position{1, 1}}, d, nil
	}
	root, err := d.tree()
	return root, d, err
}

func problemsOf(path string, err error) []Problem {
	var bad *Error
	if errors.As(err, &bad) {
		for i := range bad.Problems {
			bad.Problems[i].Line = "" // of a file that is not ours to show
		}
		return bad.Problems
	}
	return []Problem{{File: path, Text: "cannot be read: " + reason(err).Error()}}
}

// permissions are tools that lists of a client approve.
type permissions map[permission][]string

// A permission is of a project's list, or of the user's, for a server.
type permission struct {
	project bool
	server  string
}

// of is what concerns a server. What a project says is about its own servers alone.
func (p permissions) of(s Server, projects bool) []string {
	out := p[permission{false, s.Name}]
	if projects {
		out = append(slices.Clone(out), p[permission{true, s.Name}]...)
	}
	return out
}

// allowed are the tools that a client's own lists approve, by server.
func (r *Reader) allowed(c *client) (permissions, []string) {
	all := permissions{}
	var used []string
	for _, at := range r.locate(c.allowed) {
		used = append(used, at.path)
		root, _, err := r.foreignTree(at.path, 0)
		if err != nil {
			continue // the servers themselves are told about; these are only hints
		}
		for server, tools := range c.readAllowed(root) {
			key := permission{at.scope == ProjectScope, server}
			all[key] = append(all[key], tools...)
		}
	}
	return all, used
}
