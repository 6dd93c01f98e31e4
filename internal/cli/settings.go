package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

func configFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "config", "c", "", "configuration `FILE`, YAML, JSON or TOML")
}

// configVariable names a file as --config does, for whoever cannot pass flags.
const configVariable = "TOOLCRIB_CONFIG"

// named is the file that a flag or the environment names, "" if none does.
func (s *streams) named(flag string) string { return cmp.Or(flag, s.getenv(configVariable)) }

// load reads the named file, or those that are found where none is named. A file that
// is named is the user's word; what a project's own file has waits for approval.
func (s *streams) load(file string) (config.Config, error) { return s.loadBy(s.reader(), file) }

func (s *streams) loadBy(r *config.Reader, file string) (config.Config, error) {
	if file = s.named(file); file != "" {
		return r.Load(file)
	}
	return r.LoadFound()
}

// reader reads configurations in the surroundings of this command.
func (s *streams) reader() *config.Reader {
	return &config.Reader{Getenv: s.getenv, Approved: app.OpenApprovals(stateDir(s.getenv)).Of}
}

// checkServers refuses names that c does not have, and those that it disables.
func checkServers(c config.Config, names []string) error {
	for _, name := range names {
		server, ok := c.Server(name)
		switch {
		case ok && server.Runs():
		case ok && !server.Disabled:
			return failure{exitServer, fmt.Errorf("server %s is from %s, a project's own file, and is not started before it is approved: %s shows it", clean(name), server.Source, app.TrustCommand(name))}
		case ok:
			return usageError{fmt.Errorf("server %s is disabled in %s: remove that, or leave the name out", name, c.File)}
		case len(c.Servers) == 0:
			return usageError{fmt.Errorf("no server %q: %s names none at all", name, c.File)}
		default:
			return usageError{fmt.Errorf("no server %q in %s; nearest: %s; toolcrib servers lists all", name, c.File, strings.Join(c.Nearest(name), ", "))}
		}
	}
	return nil
}
