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
		Long: `Print the file that commands use when --config names none: the user's own. If the
working directory has one, that adds to it, and standard error says so; it is printed
where the user has none.

Exit codes: 0 there is one, 2 wrong usage, 3 there is none.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			found, project := s.named(file), ""
			if found == "" {
				var err error
				if found, project, err = s.reader().Files(); err != nil {
					return err
				}
				if found == "" {
					found = project
				}
			} else if _, err := os.Stat(found); err != nil {
				return config.NoFile(found, err)
			}
			if absolute, err := filepath.Abs(found); err == nil {
				found = absolute
			}
			if asJSON {
				return s.printJSON(pathOutput{Version: jsonVersion, Config: found, Project: project, Places: config.Places(s.getenv)})
			}
			if project != "" {
				fmt.Fprintf(s.err, "%s is a project's own file: what it adds waits for toolcrib trust\n", project)
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
	Project string   `json:"project,omitempty"` // the working directory's, which adds to it
	Places  []string `json:"places"`
}
