package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

func newToolsShow(s *streams) *cobra.Command {
	var f lookFlags
	cmd := &cobra.Command{
		Use:   "show ID...",
		Short: "Show all there is to know of tools to call them",
		Long: `Show what a tool does, its parameters, what it answers, calls that can be copied,
and what is related to it. A tool is named by its id, server.tool, or by its own name
where only one server has it. What is saved is shown; the tool's server is started if
it was never listed, or is not known to have the tool.

Exit codes: 0 done, 2 wrong usage, 3 the configuration is missing or invalid, 4 a
tool's server could not be listed, 7 there is no such tool.`,
		Example: `  toolcrib tools show calculator.add
  toolcrib tools show --json github.create_issue | jq '.tools[0].definition.inputSchema'`,
		Args: needsWords("name one or more tools, as in toolcrib tools show SERVER.TOOL; toolcrib tools list shows all"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return s.look(cmd, &f, nil, func(i *inspection, c config.Config) error { return i.showTools(c, ids, &f) })
		},
	}
	f.register(cmd)
	return cmd
}

type showOutput struct {
	Version int           `json:"version"`
	Tools   []*detailJSON `json:"tools"`
}

// detailJSON is all there is to know of a tool.
type detailJSON struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"` // what its server calls it
	Callable   bool            `json:"callable"`
	Definition json.RawMessage `json:"definition"` // as the server sent it
	*disclose.Detail
}

func (i *inspection) showTools(c config.Config, ids []string, f *lookFlags) error {
	found, err := i.find(c, ids, f)
	if err != nil {
		return err
	}
	if i.json {
		out := showOutput{Version: jsonVersion, Tools: []*detailJSON{}}
		for _, t := range found.tools {
			out.Tools = append(out.Tools, detailOf(found.counter, t))
		}
		return i.printJSON(out)
	}
	var b strings.Builder
	for n, t := range found.tools {
		if n > 0 {
			b.WriteByte('\n')
		}
		i.writeDetail(&b, found.counter, t, f.config, terminalOf(i.out, i.getenv).width)
	}
	_, err = fmt.Fprint(i.out, b.String())
	return err
}

// detailOf is what agents are told of a tool, and its definition.
func detailOf(counter *app.Counter, t *catalog.Tool) *detailJSON {
	out := &detailJSON{ID: string(t.ID()), Name: t.Name(), Callable: t.Callable(), Definition: t.Raw()}
	if answer, problem := counter.Detail(t.Server().Name(), t.Name()); problem == nil && len(answer.Details) > 0 {
		out.Detail = &answer.Details[0]
	}
	return out
}
