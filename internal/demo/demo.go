// Package demo is five small MCP servers that need nothing but the binary they
// are in, so that a first run has something to show.
//
//	calculator  exact arithmetic        many small tools, schemas, annotations
//	notes       notes in a directory    resources, a prompt, list_changed
//	text        text utilities          completion, several kinds of arguments
//	slow        takes its time          progress, cancellation
//	ask         asks back               elicitation, in both eras
//
// Together they use every mechanism of the protocol that the gateway relays.
// Each is an ordinary server on the official Go SDK and knows nothing of the
// gateway in front of it.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// version is what the servers say of themselves.
const version = "1.0.0"

// A kind is one of the servers.
type kind struct {
	name  string
	about string // one line
	build func(args []string) (*mcp.Server, func() error, error)
}

// kinds in the order in which they are best shown.
func kinds() []kind {
	return []kind{
		{"calculator", "exact arithmetic: add, subtract, multiply, divide, and whole expressions", without(newCalculator)},
		{"notes", "a notes store on disk: every note is a resource, and a prompt summarizes them", newNotes},
		{"text", "text utilities: count words, change case, diff, find and replace, hash, base64", without(newText)},
		{"slow", "tools that take their time: progress reports and cancellation", without(newSlow)},
		{"ask", "tools that ask back: what they need to know they ask the user for", without(newAsk)},
	}
}

// without makes a builder of one that takes no arguments and holds nothing.
func without(build func() *mcp.Server) func([]string) (*mcp.Server, func() error, error) {
	return func(args []string) (*mcp.Server, func() error, error) {
		if len(args) > 0 {
			return nil, nil, fmt.Errorf("it takes no arguments, and got %q", args)
		}
		return build(), func() error { return nil }, nil
	}
}

// Names of the servers.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Describe says in one line what a server is for, "" if there is no such server.
func Describe(name string) string {
	for _, k := range kinds() {
		if k.name == name {
			return k.about
		}
	}
	return ""
}

// Run is a server on in and out until in ends or ctx does.
func Run(ctx context.Context, name string, args []string, in io.ReadCloser, out io.WriteCloser) error {
	for _, k := range kinds() {
		if k.name != name {
			continue
		}
		s, release, err := k.build(args)
		if err != nil {
			return fmt.Errorf("demo server %s: %w", name, err)
		}
		err = s.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
		if ctx.Err() != nil || errors.Is(err, io.EOF) {
			err = nil // both are how it is meant to end
		}
		return errors.Join(err, release())
	}
	return fmt.Errorf("no demo server %q: use one of %s", name, strings.Join(Names(), ", "))
}

// newServer makes an empty server.
func newServer(name, title string, o *mcp.ServerOptions) *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "toolcrib-demo-" + name, Title: title, Version: version}, o)
}
