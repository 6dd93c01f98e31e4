package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
)

func newLogout(s *streams) *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "logout SERVER",
		Short: "Forget the login to a server",
		Long: `Forget the login to a server, and tell whoever gave it, where that is possible. A
gateway that runs does not use it any more.

Exit codes: 0 there is no login any more, 1 it could not be removed, 2 wrong usage, 3 the
configuration is missing or invalid.`,
		Args: oneServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			server, kept, err := s.remote(file, args[0])
			if err != nil {
				return err
			}
			return s.inspect(cmd, asJSON, func(i *inspection) error {
				i.app.Logins = kept
				was, told, err := app.Logout(i.ctx, server, i.app)
				if err != nil {
					return err
				}
				if told != nil {
					fmt.Fprintf(i.err, "toolcrib: the login is forgotten here, but not there: %v\n", told)
				}
				if i.json {
					return i.printJSON(logoutOutput{Version: jsonVersion, Server: server.Name, WasLoggedIn: was, Revoked: was && told == nil})
				}
				text := "Logged out of %s.\n"
				if !was {
					text = "There was no login to %s.\n"
				}
				_, err = fmt.Fprintf(i.out, text, server.Name)
				return err
			})
		},
	}
	configFlag(cmd, &file)
	jsonFlag(cmd, &asJSON)
	return cmd
}

type logoutOutput struct {
	Version     int    `json:"version"`
	Server      string `json:"server"`
	WasLoggedIn bool   `json:"was_logged_in"`
	Revoked     bool   `json:"revoked"` // whoever gave it knows, where that is possible
}
