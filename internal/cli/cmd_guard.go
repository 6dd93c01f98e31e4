package cli

import (
	"os"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
)

const guardName = "process-guard"

// guardCommand is this program as the guard of its servers, none if it cannot
// be found.
func guardCommand() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, guardName}
}

func newGuard(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:    guardName,
		Short:  "End the servers of a gateway that was killed",
		Hidden: true,
		Args:   noArguments,
		Run:    func(*cobra.Command, []string) { app.Guard(s.in) },
	}
}
