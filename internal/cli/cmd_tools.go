package cli

import "github.com/spf13/cobra"

func newTools(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Look at the tools of all servers",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newToolsList(s))
	return cmd
}
