package cli

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type doctorFlags struct {
	config, http  string
	offline, json bool
	timeout       time.Duration
}

func newDoctor(s *streams) *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what is wrong, and how to mend it",
		Long: `Check everything that a gateway hangs on, and name one fix for each finding: the
configuration and the files that it names, who can read secrets, the command of every
server, whether servers answer and their definitions are approved, the cache, the
token, the page's key, the port, and the clients that have this gateway.

Servers are started, or asked, a few at a time, and ended again; what they list is
saved, as by "toolcrib refresh". Entries that are not approved are never started. With
--offline none is, and what is known of them is told.

Exit codes: 0 nothing is wrong, though there may be warnings, 1 something is, 2 wrong
usage, 3 the configuration is missing or invalid, 4 a server does not answer.`,
		Example: `  toolcrib doctor
  toolcrib doctor --offline --json | jq '.checks[] | select(.level != "ok")'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.timeout <= 0 {
				return usageError{fmt.Errorf("--timeout must be a time such as 2m")}
			}
			if !app.IsLoopback(f.http) {
				return usageError{fmt.Errorf("--http must be a loopback address and a port, such as %s", defaultAddress)}
			}
			return s.inspect(cmd, f.json, func(i *inspection) error { return i.examine(f) })
		},
	}
	cmd.Flags().BoolVar(&f.offline, "offline", false, "start and ask no server")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 2*time.Minute, "how long it may take to ask all servers; each gets half of it")
	cmd.Flags().StringVar(&f.http, "http", defaultAddress, "the `ADDR` that is meant for serve --http")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	return cmd
}

// defaultAddress is what serve --http is shown with.
const defaultAddress = "127.0.0.1:7332"

// examine makes all checks and reports them.
func (i *inspection) examine(f doctorFlags) error {
	d := &doctor{inspection: i, flags: f}
	d.checkConfig()
	if d.loaded {
		d.checkPrivate()
		if err := d.checkServers(); err != nil {
			return err
		}
	}
	d.checkCache()
	d.checkApprovals()
	d.checkToken()
	d.checkPageKey()
	d.checkPort()
	d.checkClients()
	d.ok("program", "toolcrib %s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if i.ctx.Err() != nil {
		return nil // whoever stopped us wants no answer
	}
	if err := d.report(); err != nil {
		return err
	}
	return d.ending()
}

// checkConfig reads the configuration and everything that it names.
func (d *doctor) checkConfig() {
	c, err := d.load(d.flags.config)
	var bad *config.Error
	switch {
	case errors.As(err, &bad):
		d.code = exitConfig
		d.noConfig(bad)
		return
	case err != nil:
		d.code = exitConfig
		d.add(check{Area: "configuration", Level: isProblem, Text: clean(err.Error()), Fix: "name a file that can be read with --config"})
		return
	}
	d.c, d.loaded = c, true
	for _, w := range c.Warnings {
		if w.Waits {
			continue // told below, and with the servers
		}
		d.add(check{
			Area: "configuration", About: w.File, Level: isWarning, Text: clean(w.Text), Fix: "correct " + place(w),
			File: w.File, Line: w.At.Line, Column: w.At.Column,
		})
	}
	used := 1
	for _, path := range c.Used {
		if exists(path) {
			used++
		}
	}
	d.add(check{Area: "configuration", About: c.File, Level: isOK, Text: fmt.Sprintf("%s, read from %s", count(len(c.Servers), "server"), count(used, "file"))})
	d.c.Warnings = nil // they are told
	if p := c.Project; p.Held {
		d.add(check{
			Area: "configuration", About: p.File, Level: isWarning, Text: "what it says besides servers is a project's word, and does not count before you approve it",
			Fix: "toolcrib trust --settings shows all of it, and asks", File: p.File,
		})
	}
}

// noConfig tells why there is no configuration to work with.
func (d *doctor) noConfig(bad *config.Error) {
	if _, _, err := d.reader().Files(); err != nil && d.named(d.flags.config) == "" {
		found, fix := 0, "toolcrib demo shows what it is like; then write servers into "+config.OwnFile(d.getenv)
		if i, err := d.reader().Import(config.OwnFile(d.getenv), false); err == nil {
			for _, c := range i.Candidates {
				if c.Status == config.Added {
					found++
				}
			}
		}
		if found > 0 {
			fix = "toolcrib import --write takes over the " + count(found, "server") + " that other clients have"
		}
		d.add(check{Area: "configuration", Level: isProblem, Text: "there is none", Fix: fix})
		return
	}
	for _, p := range bad.Problems {
		d.add(check{
			Area: "configuration", About: p.File, Level: isProblem, Text: firstLine(p.Text), Fix: "correct " + place(p),
			File: p.File, Line: p.At.Line, Column: p.At.Column,
		})
	}
}

// place is where a problem stands, as editors take it.
func place(p config.Problem) string {
	if p.At.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%s", p.File, p.At)
}
