package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
)

func newCache(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show and clear what is saved of servers",
		Long: `What servers listed is saved, so that a gateway that starts can answer before any
server has. All of it can be learned again: clearing it loses nothing but time.
Approvals, logins and the token are kept elsewhere and are never cleared.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCachePath(s), newCacheList(s), newCacheClear(s))
	return cmd
}

var errNoState = errors.New("there is no directory to keep anything in: set XDG_STATE_HOME or HOME")

// cache is the cache of this user.
func (s *streams) cache() (app.Cache, error) {
	c := app.OpenCache(stateDir(s.getenv))
	if c.Dir() == "" {
		return c, errNoState
	}
	return c, nil
}
