package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

func newToolsRelated(s *streams) *cobra.Command {
	var f lookFlags
	var most int
	cmd := &cobra.Command{
		Use:   "related ID",
		Short: "Show the tools that have to do with one",
		Long: `Show the tools that have to do with the one that is named, and why: their server
says so, or they are used together, are in the same category, or share tags.

Exit codes: 0 done, also where nothing is related, 2 wrong usage, 3 the configuration
is missing or invalid, 4 the tool's server could not be listed, 7 there is no such tool.`,
		Args: oneTool("related"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if most < 1 || most > catalog.MaxRelated {
				return usageError{fmt.Errorf("--max must be a number from 1 to %d", catalog.MaxRelated)}
			}
			return s.look(cmd, &f, nil, func(i *inspection, c config.Config) error { return i.related(c, ids[0], most, &f) })
		},
	}
	cmd.Flags().IntVar(&most, "max", catalog.DefaultRelated, "at most so many tools")
	f.register(cmd)
	return cmd
}

// oneTool wants the id of one tool, and says where one is to be had.
func oneTool(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || strings.TrimSpace(args[0]) == "":
			return fmt.Errorf("name a tool, as in toolcrib tools %s SERVER.TOOL; toolcrib tools list shows all", command)
		case len(args) > 1 && command == "call" && strings.Contains(args[1], "="):
			return fmt.Errorf("%q is no tool: write --arg in front of an argument, as in --arg %s", clean(args[1]), quoted(args[1]))
		case len(args) > 1:
			return fmt.Errorf("one tool is enough: what is %q?", clean(args[1]))
		}
		return nil
	}
}

type relatedOutput struct {
	Version int           `json:"version"`
	Tool    string        `json:"tool"`
	Related []relatedJSON `json:"related"`
}

type relatedJSON struct {
	entryJSON
	Relationship string `json:"relationship"`
}

func (i *inspection) related(c config.Config, id string, most int, f *lookFlags) error {
	found, err := i.find(c, []string{id}, f)
	if err != nil {
		return err
	}
	tool := found.tools[0]
	answer, problem := found.counter.Related("", string(tool.ID()), most)
	if problem != nil {
		return problemError(exitUnknown, problem, "")
	}
	if i.json {
		return i.printJSON(relatedOutput{Version: jsonVersion, Tool: string(tool.ID()), Related: relatedEntries(answer)})
	}
	var b strings.Builder
	width := terminalOf(i.out, i.getenv).width
	for _, e := range answer.Tools {
		writeEntry(&b, e, "", width)
	}
	if len(answer.Tools) == 0 {
		fmt.Fprintf(i.err, "nothing is related to %s\n", tool.ID())
	}
	_, err = fmt.Fprint(i.out, b.String())
	return err
}

func relatedEntries(a *disclose.Answer) []relatedJSON {
	out := []relatedJSON{}
	for _, e := range a.Tools {
		out = append(out, relatedJSON{entryJSON: toEntryJSON(e), Relationship: e.Relationship})
	}
	return out
}
