package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCachePath(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "path",
		Short: "Say where it is",
		Long: `Print the directory in which listings of servers are saved, whether it exists or not.

Exit codes: 0 done, 1 there is no home directory, 2 wrong usage.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := s.cache()
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(cachePathOutput{jsonVersion, c.Dir()})
			}
			_, err = fmt.Fprintln(s.out, c.Dir())
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

type cachePathOutput struct {
	Version int    `json:"version"`
	Path    string `json:"path"`
}
