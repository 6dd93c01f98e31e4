package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
)

type toolsFlags struct {
	lookFlags
	server, category, tag string
	all                   bool
}

func newToolsList(s *streams) *cobra.Command {
	var f toolsFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List tools from what is known of the servers",
		Long: `List the tools of all servers. What is saved is shown; only servers that were
never listed are started for it. Names that were found in other ways than by the
server's own listing cannot be called: --all shows them too, marked with how they
were found.

Exit codes: 0 done, 2 wrong usage, 3 the configuration is missing or invalid, 4 a server
that was never listed could not be.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.look(cmd, &f.lookFlags, &f.server, func(i *inspection, c config.Config) error { return i.listTools(c, f) })
		},
	}
	cmd.Flags().StringVar(&f.server, "server", "", "only tools of this `SERVER`")
	cmd.Flags().StringVar(&f.category, "category", "", "only tools of this `CATEGORY`")
	cmd.Flags().StringVar(&f.tag, "tag", "", "only tools with this `TAG`")
	cmd.Flags().BoolVar(&f.all, "all", false, "also names that cannot be called")
	f.register(cmd)
	return cmd
}

func (i *inspection) listTools(c config.Config, f toolsFlags) error {
	in, misses, err := i.known(c, only(f.server), f.timeout)
	if err != nil {
		return err
	}
	snapshot := in.Snapshot()
	shown, hidden, err := choose(snapshot, f)
	if err != nil {
		return err
	}
	if i.json {
		err = i.printJSON(toolsJSON(snapshot, shown, hidden, f))
	} else {
		err = i.printTools(snapshot, shown, hidden, f)
	}
	return missed(err, misses)
}

// choose picks the tools that were asked for, those that can be called first;
// hidden is how many more there are with --all.
func choose(snapshot *catalog.Snapshot, f toolsFlags) (shown []*catalog.Tool, hidden int, err error) {
	tools := snapshot.Tools()
	if f.category != "" {
		if tools = snapshot.InCategory(f.category); len(tools) == 0 && snapshot.Len() > 0 {
			return nil, 0, usageError{fmt.Errorf("no tool is in category %q; there are %s", f.category, several(categories(snapshot)))}
		}
	}
	if f.tag != "" {
		tagged := map[*catalog.Tool]bool{}
		for _, t := range snapshot.Tagged(f.tag) {
			tagged[t] = true
		}
		if len(tagged) == 0 && snapshot.Len() > 0 {
			return nil, 0, usageError{fmt.Errorf("no tool has the tag %q; the most frequent are %s", f.tag, several(tags(snapshot)))}
		}
		tools = slices.DeleteFunc(slices.Clone(tools), func(t *catalog.Tool) bool { return !tagged[t] })
	}
	var uncertain []*catalog.Tool
	for _, t := range tools {
		switch {
		case f.server != "" && t.Server().Name() != f.server:
		case t.Callable():
			shown = append(shown, t)
		default:
			uncertain = append(uncertain, t)
		}
	}
	if f.all {
		return append(shown, uncertain...), 0, nil
	}
	return shown, len(uncertain), nil
}

func categories(s *catalog.Snapshot) []string {
	var names []string
	for _, c := range s.Categories() {
		names = append(names, c.Name)
	}
	return names
}

func tags(s *catalog.Snapshot) []string {
	var names []string
	for _, t := range s.Tags() {
		names = append(names, t.Name)
	}
	return names
}

func (i *inspection) printTools(snapshot *catalog.Snapshot, shown []*catalog.Tool, hidden int, f toolsFlags) error {
	t := &table{width: terminalOf(i.out, i.getenv).width}
	if t.width == 0 {
		t.width = longestLine
	}
	t.add("TOOL", "CATEGORY", "DESCRIPTION")
	for _, tool := range shown {
		t.add(string(tool.ID()), tool.Category(), strings.TrimSpace(mark(tool)+" "+clean(tool.Description())))
	}
	if len(shown) > 0 {
		if err := t.print(i.out); err != nil {
			return err
		}
	}
	fmt.Fprintf(i.err, "%d of %s\n", len(shown), count(snapshot.Len(), "tool"))
	if hidden > 0 {
		fmt.Fprintf(i.err, "%s that cannot be called: --all shows them\n", count(hidden, "name"))
	}
	i.printFailed(snapshot, f.config, f.server)
	return nil
}

// printFailed says which servers, or whether the one that is named, could not be listed.
func (i *inspection) printFailed(snapshot *catalog.Snapshot, file, only string) {
	for _, s := range failed(snapshot, only) {
		failure := s.Failure()
		fmt.Fprintf(i.err, "%s failed %s ago: %s\n  %s tries again\n", s.Name(), ago(time.Since(failure.Since)), clean(failure.Reason), refreshCommand(file, s.Name()))
	}
}

// failed are the servers, or the one that is named, that could not be listed.
func failed(snapshot *catalog.Snapshot, only string) []*catalog.Server {
	var out []*catalog.Server
	for _, s := range snapshot.Servers() {
		if s.Failure() != nil && (only == "" || only == s.Name()) {
			out = append(out, s)
		}
	}
	return out
}

// refreshCommand is what to type to have a server listed anew.
func refreshCommand(file, server string) string { return ownCommand(file, "refresh", server) }

// longestLine is for where no terminal says how long one may be.
const longestLine = 300

// mark tells what keeps a tool from being called.
func mark(t *catalog.Tool) string {
	switch {
	case !t.Callable():
		return fmt.Sprintf("[%s %s, cannot be called]", t.Provenance(), percent(t.Confidence()))
	case !t.State().Available:
		return "[unavailable]"
	}
	return ""
}

type toolsOutput struct {
	Version int        `json:"version"`
	Tools   []toolJSON `json:"tools"`
	Shown   int        `json:"shown"`
	Total   int        `json:"total"`
	Hidden  int        `json:"hidden"` // cannot be called, and --all was not given

	Failures []failedJSON `json:"failures"` // servers that could not be listed
}

type failedJSON struct {
	Server string    `json:"server"`
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

type toolJSON struct {
	ID          string   `json:"id"`
	Server      string   `json:"server"`
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description"`
	Category    string   `json:"category"`
	Tags        []string `json:"tags"`
	Provenance  string   `json:"provenance"`
	Confidence  float64  `json:"confidence"`
	Callable    bool     `json:"callable"`
	Available   bool     `json:"available"`
	Reason      string   `json:"reason,omitempty"` // why it is not available
}

func toolsJSON(snapshot *catalog.Snapshot, shown []*catalog.Tool, hidden int, f toolsFlags) toolsOutput {
	out := toolsOutput{Version: jsonVersion, Tools: []toolJSON{}, Shown: len(shown), Total: snapshot.Len(), Hidden: hidden, Failures: []failedJSON{}}
	for _, s := range failed(snapshot, f.server) {
		out.Failures = append(out.Failures, failedJSON{s.Name(), s.Failure().Reason, s.Failure().Since})
	}
	for _, t := range shown {
		state := t.State()
		out.Tools = append(out.Tools, toolJSON{
			ID: string(t.ID()), Server: t.Server().Name(), Name: t.Name(), Title: t.Title(), Description: t.Description(),
			Category: t.Category(), Tags: append([]string{}, t.Tags()...), Provenance: string(t.Provenance()),
			Confidence: t.Confidence(), Callable: t.Callable(), Available: state.Available, Reason: state.Reason,
		})
	}
	return out
}
