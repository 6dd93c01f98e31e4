package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// An inspection is a command that looks at servers for a person: what it writes
// to, and what it may show while it works.
type inspection struct {
	*streams
	ctx      context.Context // ends with the first signal
	app      app.Options
	progress *progress
	json     bool
	endless  bool // only a signal ends it, and has then stopped nothing halfway
}

// jsonVersion is that of what --json prints. Members may be added under the same
// version; none is renamed, removed or given another meaning.
const jsonVersion = 1

func jsonFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "print JSON")
}

// inspect runs a command with what it needs. Unless the user asks for more only
// warnings are logged, and none of servers: the command says how those fare.
func (s *streams) inspect(cmd *cobra.Command, asJSON bool, run func(*inspection) error) error {
	p := newProgress(s.err, s.getenv)
	defer p.close()
	logging, quiet := s.logging, !cmd.Flags().Changed("log-level")
	if quiet {
		logging.level = "warn"
	}
	log, err := logging.logger(p)
	if err != nil {
		return err
	}
	servers := log
	if quiet {
		servers = slog.New(slog.DiscardHandler)
	}
	soft, _, release := signals(cmd.Context())
	defer release()
	i := &inspection{
		streams:  s,
		ctx:      soft,
		app:      app.Options{Log: log, ServerLog: servers, Version: version(), StateDir: stateDir(s.getenv), Getenv: s.getenv, Guard: guardCommand(), Logins: config.StoreAuto},
		progress: p,
		json:     asJSON,
	}
	err = run(i)
	if soft.Err() == nil {
		return err
	}
	p.close()
	if !i.endless {
		fmt.Fprintln(s.err, "toolcrib: stopped before it was done")
	}
	if errors.Is(context.Cause(soft), errInterrupted) {
		return exitError{exitInterrupt}
	}
	if i.endless {
		return err
	}
	return exitError{exitFailure}
}

// refresh lists servers anew and shows how that goes.
func (i *inspection) refresh(in *app.Inspection, names []string, o app.RefreshOptions) ([]app.Outcome, error) {
	i.progress.expect(len(names))
	o.Began = i.progress.began
	o.Ended = func(out app.Outcome) { i.progress.ended(out.Server, brief(out), out.Failure == nil) }
	outcomes, err := in.Refresh(i.ctx, names, o)
	i.progress.close()
	return outcomes, err
}

// failures counts those of outcomes that are.
func failures(outcomes []app.Outcome) int {
	n := 0
	for _, out := range outcomes {
		if out.Failure != nil {
			n++
		}
	}
	return n
}

// brief is an outcome in few words.
func brief(out app.Outcome) string {
	took := seconds(out.Took)
	if out.Failure != nil {
		return "failed after " + took // why is told at the end
	}
	return fmt.Sprintf("%s in %s", count(out.Tools, "tool"), took)
}
