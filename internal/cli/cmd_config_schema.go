package cli

import (
	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func newConfigSchema(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, for editors",
		Long: `Print a JSON Schema (draft 2020-12) of the configuration. With it an editor
completes keys, explains them, and marks what is wrong while you type.

Exit codes: 0 done, 2 wrong usage.`,
		Example: `  toolcrib config schema > toolcrib.schema.json
  # then, as the first line of toolcrib.yaml:
  # yaml-language-server: $schema=toolcrib.schema.json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.out.Write(config.SchemaText())
			return err
		},
	}
}
