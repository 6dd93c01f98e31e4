package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newTools(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Find, read and call the tools of all servers",
		Args:  noSuchCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newToolsList(s), newToolsSearch(s), newToolsShow(s), newToolsRelated(s), newToolsCall(s))
	return cmd
}

// noSuchCommand refuses what is no command of cmd, and says what there is.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	names := cmd.SuggestionsFor(args[0])
	if len(names) == 0 {
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		return fmt.Errorf("unknown command %q for %q; there are %s", args[0], cmd.CommandPath(), several(names))
	}
	return fmt.Errorf("unknown command %q for %q; did you mean %s?", args[0], cmd.CommandPath(), several(names))
}
