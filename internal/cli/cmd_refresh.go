package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type refreshFlags struct {
	config  string
	timeout time.Duration
	json    bool
}

func newRefresh(s *streams) *cobra.Command {
	var f refreshFlags
	cmd := &cobra.Command{
		Use:   "refresh [SERVER...]",
		Short: "List servers anew and save what they offer",
		Long: `Start the named servers, or all, a few at a time, and save what they list. What is
new, gone or different is shown. A server that cannot be listed keeps the tools
that are known of it, marked unavailable.

Exit codes: 0 all were listed, 2 wrong usage, 3 the configuration is missing or invalid,
4 a server could not be listed, 130 stopped by Ctrl-C.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			c, err := s.load(f.config)
			if err != nil {
				return err
			}
			if err := checkServers(c, names); err != nil {
				return err
			}
			return s.inspect(cmd, f.json, func(i *inspection) error { return i.refreshServers(c, names, f) })
		},
	}
	cmd.Flags().DurationVar(&f.timeout, "timeout", time.Minute, "how long a server may take to list itself")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (i *inspection) refreshServers(c config.Config, names []string, f refreshFlags) error {
	in, err := app.Inspect(c, i.app)
	if err != nil {
		return err
	}
	var chosen []string
	for _, s := range c.Servers {
		if s.Runs() && (len(names) == 0 || slices.Contains(names, s.Name)) {
			chosen = append(chosen, s.Name)
		}
	}
	if len(chosen) == 0 {
		fmt.Fprintf(i.err, "%s has no server that is not disabled\n", c.File)
		chosen = nil
	}
	var outcomes []app.Outcome
	if len(chosen) > 0 {
		if outcomes, err = i.refresh(in, chosen, app.RefreshOptions{Timeout: f.timeout}); err != nil {
			return err
		}
	}
	if i.json {
		err = i.printJSON(refreshJSON(outcomes))
	} else {
		err = i.printOutcomes(outcomes)
	}
	if err == nil && failures(outcomes) > 0 {
		err = exitError{exitServer}
	}
	return err
}

func (i *inspection) printOutcomes(outcomes []app.Outcome) error {
	t := &table{}
	for _, out := range outcomes {
		t.add(out.Server, summary(out))
		if out.Failure != nil && out.Failure.Next != "" {
			t.add("", "next: "+clean(out.Failure.Next))
		}
	}
	if err := t.print(i.out); err != nil {
		return err
	}
	failed := failures(outcomes)
	fmt.Fprintf(i.err, "%s listed, %d failed\n", count(len(outcomes)-failed, "server"), failed)
	return nil
}

// summary says what a listing brought.
func summary(out app.Outcome) string {
	var parts []string
	if out.Failure != nil {
		parts = append(parts, "failed: "+clean(out.Failure.Reason))
		if out.Tools > 0 {
			parts = append(parts, count(out.Tools, "known tool")+" kept")
		}
		return strings.Join(parts, "; ")
	}
	for _, change := range []struct {
		what  string
		names []string
	}{{"added", out.Added}, {"removed", out.Removed}, {"changed", out.Changed}} {
		if len(change.names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(change.names), change.what, several(change.names)))
		}
	}
	if len(parts) == 0 {
		parts = []string{"unchanged"}
	}
	return count(out.Tools, "tool") + ", " + strings.Join(parts, ", ")
}

type refreshOutput struct {
	Version int             `json:"version"`
	Servers []refreshedJSON `json:"servers"`
	Listed  int             `json:"listed"`
	Failed  int             `json:"failed"`
}

type refreshedJSON struct {
	Name    string       `json:"name"`
	Listed  bool         `json:"listed"`
	Tools   int          `json:"tools"`
	Added   []string     `json:"added"`
	Removed []string     `json:"removed"`
	Changed []string     `json:"changed"`
	TookMS  int64        `json:"took_ms"`
	Failure *app.Failure `json:"failure,omitempty"`
}

func refreshJSON(outcomes []app.Outcome) refreshOutput {
	failed := failures(outcomes)
	out := refreshOutput{Version: jsonVersion, Servers: []refreshedJSON{}, Listed: len(outcomes) - failed, Failed: failed}
	names := func(n []string) []string { return append([]string{}, n...) }
	for _, o := range outcomes {
		out.Servers = append(out.Servers, refreshedJSON{
			Name: o.Server, Listed: o.Failure == nil, Tools: o.Tools, TookMS: o.Took.Milliseconds(), Failure: o.Failure,
			Added: names(o.Added), Removed: names(o.Removed), Changed: names(o.Changed),
		})
	}
	return out
}
