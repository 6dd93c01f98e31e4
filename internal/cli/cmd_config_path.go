package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func newConfigPath(s *streams) *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "path",
		Short: "Say which configuration file is used",
		Long: `Print the file that commands use when --config names none. Standard error says
where else it was looked for. The exit code is 3 if there is none.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			found := file
			if found == "" {
				var err error
				if found, err = config.Find(s.getenv); err != nil {
					return err
				}
			} else if _, err := os.Stat(found); err != nil {
				return config.NoFile(found, err)
			}
			if absolute, err := filepath.Abs(found); err == nil {
				found = absolute
			}
			if asJSON {
				return s.printJSON(pathOutput{Version: jsonVersion, Config: found, Places: config.Places(s.getenv)})
			}
			_, err := fmt.Fprintln(s.out, found)
			return err
		},
	}
	configFlag(cmd, &file)
	jsonFlag(cmd, &asJSON)
	return cmd
}

type pathOutput struct {
	Version int      `json:"version"`
	Config  string   `json:"config"`
	Places  []string `json:"places"`
}
