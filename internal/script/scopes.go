package script

import "slices"

// scopes are the local names at one place of a script. Where it is not sure they
// know fewer names than Lua does, never more: a name that they do not know is taken
// for a server.
type scopes struct {
	stack   []map[string]string // what server a name stands for, "" for none
	depth   int                 // of brackets
	pending []declaration
	loops   []loop
}

// A declaration is a local statement whose names do not hold yet: Lua makes them
// after the expressions.
type declaration struct {
	names         []string
	scope, depth  int
	start         int // the first token of the expressions
	server        string
	noExpressions bool
}

// A loop is a for whose body has not begun.
type loop struct {
	names []string
	scope int
}

func (s *scopes) open() { s.stack = append(s.stack, map[string]string{}) }

func (s *scopes) close() {
	if len(s.stack) > 1 {
		s.stack = s.stack[:len(s.stack)-1]
	}
}

// nest follows brackets.
func (s *scopes) nest(symbol string) {
	switch symbol {
	case "(", "[", "{":
		s.depth++
	case ")", "]", "}":
		s.depth--
	}
}

// name makes a local name, of a server or, with "", of anything else.
func (s *scopes) name(name, server string) { s.stack[len(s.stack)-1][name] = server }

// find tells whether a name is local, and of which server.
func (s *scopes) find(name string) (server string, local bool) {
	for _, names := range slices.Backward(s.stack) {
		if server, local = names[name]; local {
			return server, true
		}
	}
	return "", false
}

// awaitDo keeps the names of a for until its body.
func (s *scopes) awaitDo(names []string) {
	s.loops = append(s.loops, loop{names, len(s.stack)})
}

// openDo opens the body of a loop, or a block.
func (s *scopes) openDo() {
	var names []string
	if n := len(s.loops); n > 0 && s.loops[n-1].scope == len(s.stack) {
		names = s.loops[n-1].names
		s.loops = s.loops[:n-1]
	}
	s.open()
	for _, name := range names {
		s.name(name, "")
	}
}

// declare begins a local statement.
func (s *scopes) declare(names []string, expressions bool, start int) {
	s.pending = append(s.pending, declaration{names: names, scope: len(s.stack), depth: s.depth, start: start, noExpressions: !expressions})
}

// settle makes the names of statements that ended before the token at i.
func (s *scopes) settle(tokens []token, i int) {
	for n := len(s.pending); n > 0; n = len(s.pending) {
		d := s.pending[n-1]
		switch {
		case d.scope < len(s.stack): // this is in a function among its expressions
			return
		case d.scope == len(s.stack):
			if d.depth != s.depth || !d.noExpressions && !statementEnds(tokens, i) {
				return
			}
			for _, name := range d.names {
				s.name(name, d.server)
			}
		}
		s.pending = s.pending[:n-1]
	}
}

// alias tells whether the token at i is all that one local name is given, and makes
// that name stand for the server.
func (s *scopes) alias(tokens []token, i int, server string) bool {
	n := len(s.pending)
	if n == 0 {
		return false
	}
	d := &s.pending[n-1]
	if d.start != i || d.noExpressions || len(d.names) != 1 || !statementEnds(tokens, i+1) {
		return false
	}
	d.server = server
	return true
}

// statementEnds tells whether a statement whose expressions came so far has ended
// before the token at i: the one before can end an expression, and this one cannot
// go on with it.
func statementEnds(tokens []token, i int) bool {
	before, now := tokens[i-1], tokens[i]
	switch before.kind {
	case otherToken:
		if !slices.Contains([]string{")", "]", "}", "..."}, before.text) {
			return false
		}
	case nameToken:
		if slices.Contains(reserved, before.text) && !slices.Contains([]string{"nil", "true", "false", "end"}, before.text) {
			return false
		}
	}
	switch now.kind {
	case endToken:
		return true
	case nameToken:
		return now.text != "and" && now.text != "or"
	case otherToken:
		return now.text == ";" || now.text == "::"
	}
	return false
}
