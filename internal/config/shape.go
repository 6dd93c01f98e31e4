package config

// A shape is how a client writes an entry that starts a program.
type shape struct {
	entry func(command string, args []string) *node // nil: command and args
	list  bool                                      // entries are items of a list, and say their names
}

func (s shape) node(command string, args []string) *node {
	var n *node
	if s.entry == nil {
		n = part(pair{"command", text(command)}, pair{"args", texts(args)})
	} else {
		n = s.entry(command, args)
	}
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
