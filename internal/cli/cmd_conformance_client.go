package cli

import (
	"github.com/spf13/cobra"

	"toolcrib/internal/conformance"
)

func newConformanceClient(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:    "conformance-client URL",
		Short:  "Be the client that the protocol's conformance suite tests",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return conformance.Client(cmd.Context(), args[0], s.getenv, s.err)
		},
	}
}
