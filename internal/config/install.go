package config

import (
	"errors"
	"fmt"
	"strings"
)

// Install is what puts this gateway into the file of a client: an entry that
// starts command. The file is the user's, or with inProject the project's.
func (r *Reader) Install(name string, inProject bool, command string, args []string) (Change, error) {
	c, err := r.target(name)
	if err != nil {
		return Change{}, err
	}
	return r.install(c, inProject, c.write.node(command, args))
}

// install puts an entry into the file of a client that is in use.
func (r *Reader) install(c *client, inProject bool, entry *node) (Change, error) {
	paths := r.own(c, inProject)
	if len(paths) == 0 {
		return Change{}, noPlace(c, inProject)
	}
	path := paths[0]
	for _, p := range paths {
		if now, err := current(p); err == nil && !now.New {
			path = p // the one that is in use
			break
		}
	}
	change, err := current(path)
	if err != nil {
		return Change{}, err
	}
	change.After, err = c.edit(path, change.Before).set(change.Before, ownName, entry)
	return change, err
}

// Uninstall is what takes this gateway out of the files of a client. Files that
// do not name it are not among the changes.
func (r *Reader) Uninstall(name string, inProject bool) ([]Change, error) {
	c, err := r.target(name)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, path := range r.own(c, inProject) {
		change, err := current(path)
		if err != nil {
			return nil, err
		}
		if change.New {
			continue
		}
		if change.After, err = c.edit(path, change.Before).remove(change.Before, ownName); err != nil {
			return nil, err
		}
		if change.Needed() {
			changes = append(changes, change)
		}
	}
	return changes, nil
}

func (r *Reader) target(name string) (*client, error) {
	if c := clientNamed(name); c != nil {
		return c, nil
	}
	near := nearest(name, Clients())
	if near != "" {
		near = fmt.Sprintf("; did you mean %s?", near)
	}
	return nil, fmt.Errorf("no client %q%s There are %s", clip(name), near, strings.Join(Clients(), ", "))
}

// own are the files of a client that belong to the user, or to the project.
func (r *Reader) own(c *client, inProject bool) []string {
	scope := UserScope
	if inProject {
		scope = ProjectScope
	}
	var out []string
	for _, at := range r.locate(c.places) {
		if at.scope == scope {
			out = append(out, at.path)
		}
	}
	return out
}

func noPlace(c *client, inProject bool) error {
	if inProject {
		return fmt.Errorf("%s keeps no servers in a project: leave --project out", c.title)
	}
	return errors.New(c.title + " has no file on this system")
}

// edit is about the entries of a file of the client. opencode's newer shape has
// them one level deeper.
func (c *client) edit(path string, src []byte) edit {
	e := edit{file: path, path: c.path(), list: c.write.list}
	if c.name == openCode.name {
		if root, err := e.tree(src); err == nil && root.below([]string{"mcp", "servers"}) != nil {
			e.path = []string{"mcp", "servers"}
		}
	}
	return e
}
