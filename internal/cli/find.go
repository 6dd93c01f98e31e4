package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

// A finding is tools that were asked for by name, and what is known besides.
type finding struct {
	in      *app.Inspection
	counter *app.Counter
	tools   []*catalog.Tool // in the order of asking
}

// find is the tools of ids. Only servers that they name are listed, if these never
// were; when an id names none, all that never were. A server that is not known to
// have the tool is asked once more.
func (i *inspection) find(c config.Config, ids []string, f *lookFlags) (*finding, error) {
	var named []string
	for _, id := range ids {
		server, _ := serverOf(c, id)
		if server == "" {
			named = nil
			break
		}
		named = append(named, server)
	}
	if err := checkServers(c, named); err != nil {
		return nil, err
	}
	in, err := app.Inspect(c, i.app)
	if err != nil {
		return nil, err
	}
	fresh := in.Unlisted(named...)
	if _, err := i.learn(in, fresh, f.timeout); err != nil {
		return nil, err
	}
	found := &finding{in: in, counter: in.Counter()}
	for _, id := range ids {
		tool, problem := found.tool(c, id)
		if server, _ := serverOf(c, id); problem != nil && server != "" && !slices.Contains(fresh, server) {
			fresh = append(fresh, server)
			if err := found.relist(i, server, f.timeout); err != nil {
				return nil, err
			}
			tool, problem = found.tool(c, id)
		}
		if problem != nil {
			return nil, i.noTool(c, found.counter, id, problem, f)
		}
		found.tools = append(found.tools, tool)
	}
	return found, nil
}

// tool is the tool of an id, as far as it is known.
func (f *finding) tool(c config.Config, id string) (*catalog.Tool, *disclose.Problem) {
	tool, problem := f.counter.Tool("", id)
	if server, name := serverOf(c, id); problem != nil && server != "" {
		return f.counter.Tool(server, name) // by an alias, or else for a better answer
	}
	return tool, problem
}

// relist has a server listed anew. Tools that were found are those of the new
// listing, as long as it has them.
func (f *finding) relist(i *inspection, server string, timeout time.Duration) error {
	if _, err := i.learn(f.in, []string{server}, timeout); err != nil {
		return err
	}
	f.counter = f.in.Counter()
	for n, t := range f.tools {
		if now := f.counter.Snapshot.Find(t.Server().Name(), t.Name()); now != nil {
			f.tools[n] = now
		}
	}
	return nil
}

// stale tells whether what is known of a server is older than it holds.
func (f *finding) stale(server string) bool {
	return slices.ContainsFunc(f.in.Servers(f.counter.Snapshot), func(s app.ServerState) bool { return s.Name == server && s.Stale })
}

// serverOf is the configured server whose name, identifier or alias an id begins
// with, and what is left of the id; "" if there is none.
func serverOf(c config.Config, id string) (server, tool string) {
	longest := 0
	for _, s := range c.Servers {
		for _, name := range slices.Concat([]string{s.Name, catalog.Identifier(s.Name)}, s.Aliases) {
			for _, mark := range []string{".", "__"} {
				if rest, ok := strings.CutPrefix(id, name+mark); ok && len(name) > longest {
					server, tool, longest = s.Name, rest, len(name)
				}
			}
		}
	}
	return server, tool
}

// noTool is the error for an id that means no tool, or several.
func (i *inspection) noTool(c config.Config, counter *app.Counter, id string, p *disclose.Problem, f *lookFlags) error {
	name, _ := serverOf(c, id)
	if server := counter.Snapshot.Server(name); server != nil && server.Failure() != nil && server.Len() == 0 {
		return failure{exitServer, fmt.Errorf("no tool %q is known: server %s could not be listed: %s\n%s tries again",
			clean(id), server.Name(), clean(server.Failure().Reason), refreshCommand(f.config, server.Name()))}
	}
	return problemError(exitUnknown, p, ownCommand(f.config, "tools search")+" finds tools by what they do")
}

// problemError is a problem in the words of the command line, with the next step.
func problemError(code int, p *disclose.Problem, next string) error {
	text := clean(p.Message)
	if len(p.Nearest) > 0 {
		text += "; nearest: " + several(p.Nearest)
	}
	if next != "" {
		text += "; " + next
	}
	return failure{code, fmt.Errorf("%s", text)}
}
