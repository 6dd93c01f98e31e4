package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
)

func newCacheClear(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "clear [SERVER...]",
		Short: "Remove what is saved",
		Long: `Remove all that is saved of the named servers, or the whole cache. A gateway that
runs is not disturbed: it goes on with what it knows, and saves it again when it lists
a server the next time.

Exit codes: 0 done, 1 something could not be removed, 2 wrong usage, or nothing is
saved of a server of that name.`,
		Example: `  toolcrib cache clear
  toolcrib cache clear github`,
		RunE: func(_ *cobra.Command, names []string) error {
			c, err := s.cache()
			if err != nil {
				return err
			}
			cleared, err := clearCache(c, names)
			if err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(cacheClearOutput{jsonVersion, cleared.Files, cleared.Bytes})
			}
			fmt.Fprintf(s.err, "removed %s, %s\n", count(cleared.Files, "file"), size(cleared.Bytes))
			return nil
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

type cacheClearOutput struct {
	Version int   `json:"version"`
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
}

func clearCache(c app.Cache, names []string) (all app.Cleared, err error) {
	if len(names) == 0 {
		return c.Clear()
	}
	var known []string
	for _, one := range c.Survey().Saved {
		known = append(known, one.Server)
	}
	for _, name := range names { // before anything is removed
		if !slices.Contains(known, name) {
			text := fmt.Sprintf("nothing is saved of a server %q", clean(name))
			if known = slices.Compact(known); len(known) > 0 {
				text += "; there are " + several(known)
			}
			return all, usageError{errors.New(text)}
		}
	}
	for _, name := range names {
		one, gone := c.ClearServer(name)
		all.Files += one.Files
		all.Bytes += one.Bytes
		err = errors.Join(err, gone)
	}
	return all, err
}
