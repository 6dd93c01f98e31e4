package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func newVersion(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of this program, and what it was built with and for.

Exit codes: 0 done, 2 wrong usage.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return s.printJSON(versionOutput{jsonVersion, version(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
			}
			_, err := fmt.Fprintf(s.out, "toolcrib %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

type versionOutput struct {
	Version  int    `json:"version"` // of this object, as everywhere
	Toolcrib string `json:"toolcrib"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}
