package cli

import (
	"github.com/spf13/cobra"
)

func newUninstall(s *streams) *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Take this gateway out of a client's file",
		Long: `Remove the entry "toolcrib" from the files in which a client keeps its servers. What
would change is shown first; it is written when you agree, or with --yes. Nothing
else in the file is touched.

Exit codes: 0 the client does not have this gateway, 1 you did not agree, or the file
could not be written, 2 wrong usage, or nobody could be asked, 3 a file cannot be read.`,
		Args: oneClient,
		RunE: func(_ *cobra.Command, args []string) error {
			changes, err := s.reader().Uninstall(args[0], f.project)
			if err != nil {
				return installError(err)
			}
			return s.apply(f, changes, args[0]+" does not have this gateway")
		},
	}
	f.register(cmd)
	return cmd
}
