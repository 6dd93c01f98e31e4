package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
)

type trustFlags struct {
	config              string
	yes, findings, json bool
}

func newTrust(s *streams) *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:   "trust [SERVER...]",
		Short: "Show what changed in tools' definitions, and approve it",
		Long: `Show the definitions that wait for approval: those that a server changed after it
was first seen, and with trust.new_tools: ask those that are new. Until they are
approved, agents see the definitions of before. With --yes what is shown counts from
now on; a gateway that runs notices within seconds. With --findings show tools in
whose definitions something suspicious is found; with --yes those are let through
where trust.findings: block holds them back.

No server is started: see "toolcrib refresh" for that.`,
		Example: `  toolcrib trust
  toolcrib trust github --yes
  toolcrib trust --findings`,
		RunE: func(cmd *cobra.Command, names []string) error {
			c, err := s.load(f.config)
			if err != nil {
				return err
			}
			if err := checkServers(c, names); err != nil {
				return err
			}
			return s.inspect(cmd, f.json, func(i *inspection) error {
				in, err := app.Inspect(c, i.app)
				if err != nil {
					return err
				}
				if f.findings {
					return i.trustFindings(c, in, names, f)
				}
				return i.trustChanges(c, in, names, f)
			})
		},
	}
	cmd.Flags().BoolVar(&f.yes, "yes", false, "approve what is shown")
	cmd.Flags().BoolVar(&f.findings, "findings", false, "show tools in whose definitions something suspicious is found")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	return cmd
}

type trustOutput struct {
	Version  int           `json:"version"`
	Waiting  []waitingJSON `json:"waiting,omitempty"`
	Findings []suspectJSON `json:"findings,omitempty"`
	Approved int           `json:"approved"`
}

type waitingJSON struct {
	ID     string    `json:"id"`
	Server string    `json:"server"`
	Tool   string    `json:"tool"`
	New    bool      `json:"new"`
	Serves bool      `json:"serves"` // meanwhile, by the definition of before
	Since  time.Time `json:"since"`
	Diff   []string  `json:"diff"`
}

func (i *inspection) trustChanges(c config.Config, in *app.Inspection, names []string, f trustFlags) error {
	waiting := in.Waiting(names...)
	approved := 0
	if f.yes {
		approved = in.Approve(waiting)
	}
	if i.json {
		out := trustOutput{Version: jsonVersion, Approved: approved, Waiting: []waitingJSON{}}
		for _, w := range waiting {
			out.Waiting = append(out.Waiting, waitingJSON{idOf(w), w.Server, w.Tool, w.Before == nil, w.Serves, w.Since, definitionDiff(w.Before, w.Now)})
		}
		return i.printJSON(out)
	}
	var b strings.Builder
	for _, w := range waiting {
		b.WriteString(standing(w, time.Now()) + "\n")
		for _, line := range definitionDiff(w.Before, w.Now) {
			b.WriteString("  " + line + "\n")
		}
		b.WriteByte('\n')
	}
	if _, err := fmt.Fprint(i.out, b.String()); err != nil {
		return err
	}
	i.talk(len(waiting), approved, "definition", "waits for approval", "wait for approval", f.yes, ownCommand(f.config, "trust", append(names, "--yes")...))
	return nil
}

// talk says how many there are, and what can be done about it.
func (i *inspection) talk(n, approved int, thing, one, many string, yes bool, next string) {
	verb := many
	if n == 1 {
		verb = one
	}
	switch {
	case n == 0:
		fmt.Fprintf(i.err, "no %s %s\n", thing, one)
	case yes && approved < n:
		fmt.Fprintf(i.err, "%d of %s approved; the rest changed meanwhile, or was approved before: look again\n", approved, count(n, thing))
	case yes:
		fmt.Fprintf(i.err, "%s approved\n", count(n, thing))
	default:
		fmt.Fprintf(i.err, "%s %s; %s approves what is shown\n", count(n, thing), verb, next)
	}
}

func idOf(w app.Waiting) string {
	return catalog.Identifier(w.Server) + "." + catalog.Identifier(w.Tool)
}

// standing is what became of a definition, in a line.
func standing(w app.Waiting, now time.Time) string {
	text := fmt.Sprintf("%s changed %s ago; ", idOf(w), ago(now.Sub(w.Since)))
	switch {
	case w.Before == nil:
		return fmt.Sprintf("%s is new since %s ago; it cannot be called before it is approved", idOf(w), ago(now.Sub(w.Since)))
	case w.Serves:
		return text + "meanwhile the definition of before is shown and serves"
	}
	return text + "it wants other arguments than before, and cannot be called until it is approved"
}

type suspectJSON struct {
	ID       string        `json:"id"`
	Accepted bool          `json:"accepted"`
	Findings []app.Finding `json:"findings"`
}

func (i *inspection) trustFindings(c config.Config, in *app.Inspection, names []string, f trustFlags) error {
	suspects := in.Suspects(names...)
	approved, open := 0, 0
	for _, s := range suspects {
		if !s.Accepted {
			open++
		}
	}
	if f.yes {
		approved = in.Accept(suspects)
	}
	if i.json {
		out := trustOutput{Version: jsonVersion, Approved: approved, Findings: []suspectJSON{}}
		for _, s := range suspects {
			out.Findings = append(out.Findings, suspectJSON{string(s.Tool.ID()), s.Accepted, s.Findings})
		}
		return i.printJSON(out)
	}
	var b strings.Builder
	for _, s := range suspects {
		b.WriteString(string(s.Tool.ID()))
		if s.Accepted {
			b.WriteString(" (approved)")
		}
		b.WriteByte('\n')
		for _, found := range s.Findings {
			fmt.Fprintf(&b, "  %s\n", clean(found.String()))
			if found.Excerpt != "" {
				fmt.Fprintf(&b, "    %s\n", app.Visible(found.Excerpt, textWidth*2))
			}
		}
	}
	if _, err := fmt.Fprint(i.out, b.String()); err != nil {
		return err
	}
	i.talk(open, approved, "suspicious definition", "is not approved", "are not approved", f.yes, ownCommand(f.config, "trust --findings", append(names, "--yes")...))
	return nil
}
