package cli

import "github.com/spf13/cobra"

func newBench(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how well and how fast this works here",
		Args:  noSuchCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchSearch(s))
	return cmd
}
