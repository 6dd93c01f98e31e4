package cli

import "github.com/spf13/cobra"

func newConfig(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check and show the configuration",
		Args:  noSuchCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigPath(s), newConfigValidate(s), newConfigShow(s), newConfigSchema(s))
	return cmd
}
