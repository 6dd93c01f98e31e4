package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func configFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "config", "c", "", "configuration `FILE`, YAML, JSON or TOML")
}

// load reads the named file, or the one that is found where none is named.
func (s *streams) load(file string) (config.Config, error) { return s.loadBy(s.reader(), file) }

func (s *streams) loadBy(r *config.Reader, file string) (config.Config, error) {
	if file == "" {
		found, err := config.Find(s.getenv)
		if err != nil {
			return config.Config{}, err
		}
		file = found
	}
	return r.Load(file)
}

// reader reads configurations in the surroundings of this command.
func (s *streams) reader() *config.Reader { return &config.Reader{Getenv: s.getenv} }

// checkServers refuses names that c does not have, and those that it disables.
func checkServers(c config.Config, names []string) error {
	for _, name := range names {
		server, ok := c.Server(name)
		switch {
		case ok && server.Runs():
		case ok && !server.Disabled:
			return usageError{fmt.Errorf("server %s is from %s, a project's own file, and is not started: to use it, put it into your own configuration", name, server.Source)}
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
