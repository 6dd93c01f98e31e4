package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/demo"
)

const demoServerCommand = "demo-server"

func newDemoServer(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:    demoServerCommand + " NAME",
		Short:  "Be one of the demo servers, on standard input and output",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(demo.Names(), args[0]) {
				return usageError{fmt.Errorf("no demo server %q: there are %s", args[0], strings.Join(demo.Names(), ", "))}
			}
			return demo.Run(cmd.Context(), args[0], args[1:], io.NopCloser(s.in), nopCloser{s.out})
		},
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
