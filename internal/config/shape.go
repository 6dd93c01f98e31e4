package config

// A shape is how a client writes an entry: one that starts a program, and one that
// reaches an address.
type shape struct {
	entry func(command string, args []string) *node // nil: command and args
	list  bool                                      // entries are items of a list, and say their names

	remote   func(remote) *node // nil: url and headers
	noRemote bool               // it reaches no addresses
	namesEnv bool               // remote names the variable of a token, and needs no header for it
	variable string             // a variable with NAME in it, where the client's forms do not tell
}

func (s shape) node(command string, args []string) *node {
	var n *node
	if s.entry == nil {
		n = part(pair{"command", text(command)}, pair{"args", texts(args)})
	} else {
		n = s.entry(command, args)
	}
	return s.named(n)
}

// named is an entry that says its name, where entries are a list.
func (s shape) named(n *node) *node {
	if s.list {
		n.entries = append([]entry{{key: "name", value: textOf(ownName)}}, n.entries...)
	}
	return n
}

// typedEntry is the shape of clients that want the type said.
func typedEntry(kind string) func(string, []string) *node {
	return func(command string, args []string) *node {
		return part(pair{"type", text(kind)}, pair{"command", text(command)}, pair{"args", texts(args)})
	}
}
