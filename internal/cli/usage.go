package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// noArguments refuses arguments, and says that there are none: a word behind a
// command is mostly a flag that lost its dashes.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, and %q is one", cmd.CommandPath(), clean(args[0]))
}

// oneServer wants the name of a server.
func oneServer(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one server, as in %s SERVER; toolcrib servers lists all", cmd.CommandPath())
	}
	return nil
}
