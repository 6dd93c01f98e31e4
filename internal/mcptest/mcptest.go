// Package mcptest is the other side in the tests: MCP servers that behave, and
// MCP servers that do not.
//
// A server is a Behaviour, chosen by name, with arguments of the form key=value.
// It runs in memory on any reader and writer, or as a real process, which is the
// test binary started again:
//
//	test ──► Serve / Pipe          in memory
//	     ──► Command ──► Main      a child process of whoever reads the spec
//	     ──► HTTP                  on a loopback port, with faults to order
//
// The servers are written by hand on encoding/json and bytes. They share no code
// with the package that they test, so that one misunderstanding cannot hide in
// both. They are strict: what a client does wrong is remembered, and the tool
// "faults" of the good server lists it.
package mcptest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Behaviour is a way to be a server. Names lists the ones there are.
type Behaviour struct {
	Name string
	Args []string // key=value; a key that the behaviour does not know is an error
}

// A behaviour is a server on three streams. It returns when its input ends, when
// ctx ends, or with an ExitError when as a process it would exit.
type behaviour struct {
	run  func(ctx context.Context, s *streams) error
	args []string // the keys it knows
}

// streams are what a server process has.
type streams struct {
	in      *bufio.Reader
	closeIn func()
	out     *lineWriter
	errOut  io.Writer
	args    args
	process bool // a real process, that may ignore signals and leave children behind
}

// An ExitError says that a server ended on its own, with the code that a process
// would have.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("server exited with code %d", e.Code) }

// Names of all behaviours, sorted.
func Names() []string {
	var names []string
	for name := range behaviours() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Serve is the server b on the given streams. It returns nil when in ends or ctx
// does, and an *ExitError when the server ends on its own. When ctx ends it closes
// in, if it can, so that nothing goes on reading.
func Serve(ctx context.Context, b Behaviour, in io.Reader, out, errOut io.Writer) error {
	return serve(ctx, b, in, out, errOut, false)
}

func serve(ctx context.Context, b Behaviour, in io.Reader, out, errOut io.Writer, process bool) error {
	chosen, ok := behaviours()[b.Name]
	if !ok {
		return fmt.Errorf("no behaviour %q: use one of %s", b.Name, strings.Join(Names(), ", "))
	}
	parsed, err := parseArgs(b.Args, chosen.args)
	if err != nil {
		return fmt.Errorf("behaviour %s: %w", b.Name, err)
	}
	s := &streams{
		in:      bufio.NewReaderSize(in, 64<<10),
		closeIn: func() {},
		out:     &lineWriter{w: out},
		errOut:  errOut,
		args:    parsed,
		process: process,
	}
	if c, ok := in.(io.Closer); ok {
		s.closeIn = func() { c.Close() }
	}
	return chosen.run(ctx, s)
}
