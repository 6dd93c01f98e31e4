package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// lookFlags are those of commands that answer from what is known of servers.
type lookFlags struct {
	config  string
	timeout time.Duration
	json    bool
}

func (f *lookFlags) register(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.timeout, "timeout", time.Minute, "how long a server that was never listed may take to list itself")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
}

// look runs a command that answers from what is known of servers. It may be about one,
// which is then known by its own name, whatever alias was typed.
func (s *streams) look(cmd *cobra.Command, f *lookFlags, server *string, run func(*inspection, config.Config) error) error {
	c, err := s.load(f.config)
	if err != nil {
		return err
	}
	if server != nil && *server != "" {
		if err := checkServers(c, []string{*server}); err != nil {
			return err
		}
		meant, _ := c.Server(*server)
		*server = meant.Name
	}
	return s.inspect(cmd, f.json, func(i *inspection) error { return run(i, c) })
}

// only is the servers that a flag names.
func only(server string) []string {
	if server == "" {
		return nil
	}
	return []string{server}
}

// known is what is saved of the servers. Those that were never listed, of the named
// ones or else of all, are listed for it; misses is how many of them could not be.
func (i *inspection) known(c config.Config, names []string, timeout time.Duration) (in *app.Inspection, misses int, err error) {
	if in, err = app.Inspect(c, i.app); err != nil {
		return nil, 0, err
	}
	misses, err = i.learn(in, in.Unlisted(names...), timeout)
	return in, misses, err
}

// learn lists servers, and says how many of them could not be listed.
func (i *inspection) learn(in *app.Inspection, names []string, timeout time.Duration) (misses int, err error) {
	if len(names) == 0 {
		return 0, nil
	}
	outcomes, err := i.refresh(in, names, app.RefreshOptions{Timeout: timeout})
	if err == nil {
		err = i.ctx.Err() // whoever stopped us wants no answer
	}
	return failures(outcomes), err
}

// missed is how a command ends that has answered, while some servers could not be
// listed for it.
func missed(err error, misses int) error {
	if err == nil && misses > 0 {
		return exitError{exitServer}
	}
	return err
}

// ownCommand is what to type for one of our commands, with the same configuration.
func ownCommand(file, command string, args ...string) string {
	words := append([]string{"toolcrib"}, strings.Fields(command)...)
	if file != "" {
		words = append(words, "--config", file)
	}
	return commandLine(slices.Concat(words, args))
}
