package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func newMan(s *streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print a manual page, or write all of them",
		Long: `Print the manual page of a command, or of toolcrib itself; COMMAND may be several
words, or one with hyphens. With --dir write the pages of all commands into a
directory, as toolcrib.1, toolcrib-serve.1 and so on.

Exit codes: 0 done, 1 a file could not be written, 2 wrong usage.`,
		Example: `  toolcrib man tools search | man -l -
  toolcrib man --dir ~/.local/share/man/man1`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if dir != "" {
				if len(words) > 0 {
					return usageError{fmt.Errorf("--dir writes all pages: leave %s out", clean(words[0]))}
				}
				return s.writeManPages(cmd.Root(), dir)
			}
			page, err := pageOf(cmd.Root(), words)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(s.out, manPage(page))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this `DIR`, which is made if it is missing")
	return cmd
}

// pageOf is the command that words name.
func pageOf(root *cobra.Command, words []string) (*cobra.Command, error) {
	words = strings.Fields(strings.ReplaceAll(strings.Join(words, " "), "-", " "))
	if len(words) > 0 && words[0] == ownName {
		words = words[1:]
	}
	at := root
	for _, word := range words {
		next := at
		for _, sub := range at.Commands() {
			if sub.Name() == word && shown(sub) {
				next = sub
			}
		}
		if next == at {
			return nil, usageError{fmt.Errorf("there is no command %q; toolcrib --help lists all", clean(strings.Join(words, " ")))}
		}
		at = next
	}
	return at, nil
}

func (s *streams) writeManPages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make a directory for the manual pages: %w", err)
	}
	n := 0
	for cmd := range walk(root) {
		if !shown(cmd) {
			continue
		}
		if err := config.Replace(filepath.Join(dir, manName(cmd)+".1"), []byte(manPage(cmd)), 0o644); err != nil {
			return err
		}
		n++
	}
	fmt.Fprintf(s.err, "wrote %s into %s\n", count(n, "page"), dir)
	return nil
}
