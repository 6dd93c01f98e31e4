package config

import (
	"errors"
	"fmt"
	"strings"
)

// An Address is how a client reaches a gateway that serves HTTP.
type Address struct {
	URL   string
	Token string // sent as a bearer token; "": none is sent
	Env   string // the variable of the client's environment that holds the token instead
}

// A remote is an entry for an address while a client's shape is made of it.
type remote struct {
	url     string
	headers *node  // nil if nothing is sent
	env     string // for clients that name the variable instead of writing a header
}

// plainRemote is the shape of most.
func plainRemote(r remote) *node { return part(pair{"url", text(r.url)}, pair{"headers", r.headers}) }

// typedRemote is the shape of clients that want the type said, each in its own words.
func typedRemote(kind string) func(remote) *node {
	return func(r remote) *node {
		return part(pair{"type", text(kind)}, pair{"url", text(r.url)}, pair{"headers", r.headers})
	}
}

// keyedRemote is the shape of clients that have another word for the address.
func keyedRemote(key string) func(remote) *node {
	return func(r remote) *node { return part(pair{key, text(r.url)}, pair{"headers", r.headers}) }
}

// remoteNode is the entry of a client for an address.
func (c *client) remoteNode(a Address) (*node, error) {
	if c.write.noRemote {
		return nil, fmt.Errorf("%s only starts programs: leave --http out", c.title)
	}
	r := remote{url: a.URL}
	value := a.Token
	if a.Env != "" {
		if value = c.write.envWord(c.forms, a.Env); value == "" && !c.write.namesEnv {
			return nil, fmt.Errorf("%s has no variables in its file: leave --token-env out, and the token itself is written", c.title)
		}
		r.env = a.Env
	}
	if value != "" && (r.env == "" || !c.write.namesEnv) {
		r.headers = part(pair{"Authorization", textOf("Bearer " + value)})
	}
	write := c.write.remote
	if write == nil {
		write = plainRemote
	}
	return c.write.named(write(r)), nil
}

// envWord is a variable as the client writes it, "" if it has none.
func (s shape) envWord(forms form, name string) string {
	switch {
	case s.variable != "":
		return strings.ReplaceAll(s.variable, "NAME", name)
	case forms&plainForm != 0:
		return "${" + name + "}"
	case forms&envForm != 0:
		return "${env:" + name + "}"
	case forms&dollarForm != 0:
		return "$" + name
	case forms&braceForms != 0:
		return "{env:" + name + "}"
	}
	return ""
}

// InstallHTTP is what has a client reach this gateway at an address. A project's file,
// which others read, gets the name of a variable, never the token itself.
func (r *Reader) InstallHTTP(name string, inProject bool, a Address) (Change, error) {
	c, err := r.target(name)
	if err != nil {
		return Change{}, err
	}
	if inProject && a.Token != "" && a.Env == "" {
		return Change{}, errors.New("a project's file is read by others, and a token must not stand in it: name a variable that holds it with --token-env")
	}
	entry, err := c.remoteNode(a)
	if err != nil {
		return Change{}, err
	}
	return r.install(c, inProject, entry)
}
