package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type trustFlags struct {
	config                                        string
	yes, findings, settings, revoke, list, asJSON bool
}

func newTrust(s *streams) *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:   "trust [SERVER...]",
		Short: "Show what waits for your approval, and approve it",
		Long: `Show what waits for approval:

- entries of a project's own files (.mcp.json, .cursor/mcp.json, a toolcrib.yaml in the
  working directory and so on), which are not started before you have seen them. With
  the name of a server, all that its entry says is shown: command, arguments, working
  directory, variables and where their values come from, address, headers. An approval
  is for exactly that; whatever changes in it asks again.
- definitions of tools that a server changed after it was first seen, and with
  trust.new_tools: ask those that are new. Until they are approved, agents see the
  definitions of before.

On a terminal you are asked about the servers that you name; --yes agrees to what is
shown. Entries are approved by name alone. A gateway that runs notices within seconds.

With --settings show all that the working directory's toolcrib.yaml says besides its
servers. With --findings show tools in whose definitions something suspicious is found;
with --yes those are let through where trust.findings: block holds them back. With
--revoke take the approval of entries, or with --settings of settings, back. With --list
show all that you approved of projects' files, in whatever directory. Approvals of a
project whose directory has been gone for 90 days are forgotten.

No server is started: see "toolcrib refresh" for that.

Exit codes: 0 done, whether anything waits or not, 1 you did not agree, or an approval
could not be kept, 2 wrong usage, 3 the configuration is missing or invalid.`,
		Example: `  toolcrib trust
  toolcrib trust github
  toolcrib trust --settings
  toolcrib trust --revoke github
  toolcrib trust --list`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := f.check(names); err != nil {
				return err
			}
			if f.list {
				return s.inspect(cmd, f.asJSON, (*inspection).listApprovals)
			}
			c, err := s.load(f.config)
			if err != nil {
				return err
			}
			c.Warnings = slices.DeleteFunc(c.Warnings, func(w config.Problem) bool { return w.Waits }) // this says more of it
			for _, name := range names {
				if server, ok := c.Server(name); ok && server.Claim.File != "" {
					continue
				}
				if err := checkServers(c, []string{name}); err != nil {
					return err
				}
			}
			return s.inspect(cmd, f.asJSON, func(i *inspection) error {
				t := &trusting{inspection: i, trustFlags: f, c: c, names: names, approvals: app.OpenApprovals(i.app.StateDir)}
				return t.run()
			})
		},
	}
	cmd.Flags().BoolVar(&f.yes, "yes", false, "approve what is shown")
	cmd.Flags().BoolVar(&f.settings, "settings", false, "show the settings of the working directory's toolcrib.yaml")
	cmd.Flags().BoolVar(&f.findings, "findings", false, "show tools in whose definitions something suspicious is found")
	cmd.Flags().BoolVar(&f.revoke, "revoke", false, "take the approval of entries back")
	cmd.Flags().BoolVar(&f.list, "list", false, "show what was approved of projects' files")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.asJSON)
	return cmd
}

// check refuses flags that do not go together.
func (f *trustFlags) check(names []string) error {
	switch {
	case f.list && (f.yes || f.findings || f.settings || f.revoke || len(names) > 0):
		return usageError{fmt.Errorf("--list goes with --json alone: it shows all approvals")}
	case f.revoke && (f.yes || f.findings):
		return usageError{fmt.Errorf("--revoke goes with names of servers or --settings alone")}
	case f.revoke && len(names) == 0 && !f.settings:
		return usageError{fmt.Errorf("say whose approval is taken back: name servers, or --settings")}
	case f.settings && (f.findings || len(names) > 0):
		return usageError{fmt.Errorf("--settings goes with --yes or --revoke alone: settings are approved as a whole")}
	}
	return nil
}

// A trusting is one run of the command.
type trusting struct {
	*inspection
	trustFlags
	c         config.Config
	names     []string
	approvals *app.Approvals
}

type trustOutput struct {
	Version  int           `json:"version"`
	Entries  []entryClaim  `json:"entries,omitempty"`
	Settings *settingsJSON `json:"settings,omitempty"`
	Waiting  []waitingJSON `json:"waiting,omitempty"`
	Findings []suspectJSON `json:"findings,omitempty"`
	Approved int           `json:"approved"`          // definitions
	Agreed   []string      `json:"agreed,omitempty"`  // entries that were approved by this
	Revoked  []string      `json:"revoked,omitempty"` // entries whose approval was taken back by this
}

func (t *trusting) run() error {
	switch {
	case t.revoke:
		return t.takeBack()
	case t.settings:
		return t.trustSettings()
	}
	in, err := app.Inspect(t.c, t.app)
	if err != nil {
		return err
	}
	if t.findings {
		return t.trustFindings(in)
	}
	return t.trustAll(in)
}

// trustAll shows entries and definitions that wait, and approves what it is told to.
func (t *trusting) trustAll(in *app.Inspection) error {
	entries, waiting := t.waitingEntries(), in.Waiting(t.names...)
	shown := t.shown(entries)
	out := trustOutput{Version: jsonVersion, Waiting: []waitingJSON{}}
	if t.json {
		for _, e := range entries {
			out.Entries = append(out.Entries, entryJSONOf(e))
		}
		for _, w := range waiting {
			out.Waiting = append(out.Waiting, waitingJSONOf(w))
		}
		if p := t.c.Project; p.Held {
			out.Settings = settingsJSONOf(p)
		}
	} else if err := t.show(entries, waiting); err != nil {
		return err
	}
	yes := t.yes
	if !yes && !t.json && len(t.names) > 0 && len(entries)+len(waiting) > 0 && t.attended() {
		if err := t.agree("Approve what is shown?", "nothing was approved", ""); err != nil {
			return err
		}
		yes = true
	}
	if yes && len(t.names) > 0 {
		for i, e := range entries {
			if err := t.approvals.Approve(e.Claim, shown[i]); err != nil {
				return err
			}
			out.Agreed = append(out.Agreed, e.Name)
		}
	}
	if yes {
		out.Approved = in.Approve(waiting)
	}
	if t.json {
		return t.printJSON(out)
	}
	t.sum(entries, len(waiting), out, yes)
	return nil
}

func (t *trusting) show(entries []config.Server, waiting []app.Waiting) error {
	var b strings.Builder
	for _, e := range entries {
		if len(t.names) == 0 {
			b.WriteString(entryLine(e) + "\n")
		} else {
			b.WriteString(entryText(e) + "\n")
		}
	}
	if len(entries) > 0 && len(t.names) == 0 && len(waiting) > 0 {
		b.WriteByte('\n')
	}
	writeWaiting(&b, waiting)
	_, err := fmt.Fprint(t.out, b.String())
	return err
}

// sum says how many there are, and what can be done about it.
func (t *trusting) sum(entries []config.Server, waiting int, out trustOutput, yes bool) {
	switch {
	case len(out.Agreed) > 0:
		fmt.Fprintf(t.err, "%s approved; a gateway that runs notices within seconds\n", clean(strings.Join(out.Agreed, ", ")))
	case len(entries) > 0 && len(t.names) > 0:
		fmt.Fprintf(t.err, "%s for approval; %s approves what is shown\n", waits(len(entries), "entry", "entries"), t.command(append(t.names, "--yes")...))
	case len(entries) > 0:
		fmt.Fprintf(t.err, "%s for approval; %s shows all that one says, and asks\n", waits(len(entries), "entry", "entries"), t.command("SERVER"))
	}
	if p := t.c.Project; p.Held && len(t.names) == 0 {
		fmt.Fprintf(t.err, "the settings of %s wait for approval (%s); %s shows them\n", p.File, clean(strings.Join(p.Parts, ", ")), t.command("--settings"))
	}
	if len(entries) == 0 || waiting > 0 {
		t.talk(waiting, out.Approved, "definition", "waits for approval", "wait for approval", yes, t.command(append(t.names, "--yes")...))
	}
}

func waits(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " waits"
	}
	return fmt.Sprintf("%d %s wait", n, many)
}

// command is what to type for this command, with the same configuration.
func (t *trusting) command(args ...string) string { return ownCommand(t.config, "trust", args...) }

// takeBack forgets approvals.
func (t *trusting) takeBack() error {
	var claims []config.Claim
	if t.settings {
		if t.c.Project.Settings.File == "" {
			return usageError{fmt.Errorf("there are no settings of a project's file here")}
		}
		claims = append(claims, t.c.Project.Settings)
	}
	for _, name := range t.names {
		server, _ := t.c.Server(name)
		if server.Claim.File == "" {
			return usageError{fmt.Errorf("server %s is in your own configuration and needs no approval: remove it there, or set disabled: true", name)}
		}
		claims = append(claims, server.Claim)
	}
	out := trustOutput{Version: jsonVersion, Revoked: []string{}}
	for _, c := range claims {
		was, err := t.approvals.Revoke(c)
		if err != nil {
			return err
		}
		name := c.Name
		if name == "" {
			name = "the settings of " + c.File
		}
		text := "%s was not approved\n"
		if was {
			text = "the approval of %s is taken back; a gateway that runs notices within seconds\n"
			out.Revoked = append(out.Revoked, name)
		}
		if !t.json {
			fmt.Fprintf(t.err, text, clean(name))
		}
	}
	if t.json {
		return t.printJSON(out)
	}
	return nil
}
