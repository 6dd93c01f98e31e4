package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func newPolicy(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Look at who may see and call what",
		Args:  noSuchCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyTest(s))
	return cmd
}

type policyFlags struct {
	lookFlags
	as     string
	scopes []string
}

func newPolicyTest(s *streams) *cobra.Command {
	var f policyFlags
	cmd := &cobra.Command{
		Use:   "test TOOL...",
		Short: "Say what the policy makes of tools for a caller, and why",
		Long: `Say for each tool whether a caller may see and call it, and what decides that: a
rule of the configuration, the pin of its definition, or what was found in it. What
is saved of the servers is looked at; a tool's server is started if it was never
listed. Limits on how often it may be called are named, not counted.

Exit codes: 0 done, whatever the verdicts, 2 wrong usage, 3 the configuration is
missing or invalid, 4 a server could not be listed, 7 there is no such tool.`,
		Example: `  toolcrib policy test github.delete_repo
  toolcrib policy test github.delete_repo --as ci-build --scope tools:write --json`,
		Args: needsWords("name one or more tools, as in toolcrib policy test SERVER.TOOL; toolcrib tools list shows all"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return s.look(cmd, &f.lookFlags, nil, func(i *inspection, c config.Config) error { return i.testPolicy(c, ids, &f) })
		},
	}
	cmd.Flags().StringVar(&f.as, "as", "local", "the `SUBJECT` who calls, as authenticated; local is whoever is not, token whoever sends the gateway's token")
	cmd.Flags().StringSliceVar(&f.scopes, "scope", nil, "a `SCOPE` of the caller's OAuth token; can be given several times")
	f.register(cmd)
	return cmd
}

type policyOutput struct {
	Version int           `json:"version"`
	As      string        `json:"as"`
	Scopes  []string      `json:"scopes,omitempty"`
	Profile string        `json:"profile,omitempty"`
	Tools   []verdictJSON `json:"tools"`
}

type verdictJSON struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`
	By      string `json:"by"`
	Why     string `json:"why,omitempty"`

	Limits []string `json:"limits,omitempty"`
}

func (i *inspection) testPolicy(c config.Config, ids []string, f *policyFlags) error {
	found, err := i.find(c, ids, &f.lookFlags)
	if err != nil {
		return err
	}
	out := policyOutput{Version: jsonVersion, As: f.as, Scopes: f.scopes, Tools: []verdictJSON{}}
	for _, t := range found.tools {
		j := found.in.Judge(t, f.as, f.scopes)
		out.Profile = j.Profile
		out.Tools = append(out.Tools, verdictJSON{string(t.ID()), string(j.Verdict), j.By, j.Why, j.Limits})
	}
	if i.json {
		return i.printJSON(out)
	}
	t := &table{width: terminalOf(i.out, i.getenv).width}
	for _, v := range out.Tools {
		about := "by " + v.By
		if v.Why != "" {
			about += ": " + clean(v.Why)
		}
		t.add(v.ID, v.Verdict, about)
		if v.Verdict != "deny" {
			for _, limit := range v.Limits {
				t.add("", "", clean(limit))
			}
		}
	}
	if err := t.print(i.out); err != nil {
		return err
	}
	who := clean(f.as)
	if len(f.scopes) > 0 {
		who += " with " + clean(strings.Join(f.scopes, ", "))
	}
	if out.Profile != "" {
		who += ", profile " + clean(out.Profile)
	}
	fmt.Fprintf(i.err, "for %s\n", who)
	return nil
}
