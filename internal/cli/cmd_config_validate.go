package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func newConfigValidate(s *streams) *cobra.Command {
	var file string
	var asJSON, strict bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration without starting anything",
		Long: `Read the configuration, with all variables and files that it names, and report all
that is wrong with it as file:line:column. Nothing is started.

Exit codes: 0 it can be used, 2 wrong usage, 3 it cannot be used, or with --strict there
are warnings.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := s.load(file)
			var bad *config.Error
			if err != nil && !errors.As(err, &bad) {
				return err
			}
			if asJSON {
				if printErr := s.printJSON(validityJSON(file, c, bad)); printErr != nil {
					return printErr
				}
				if bad != nil || strict && len(c.Warnings) > 0 {
					return exitError{exitConfig}
				}
				return nil
			}
			if err != nil {
				return err
			}
			for _, w := range c.Warnings {
				fmt.Fprintf(s.err, "warning: %s\n", w.Error())
			}
			for _, w := range c.Advice {
				fmt.Fprintf(s.err, "advice: %s\n", w.Error())
			}
			if strict && len(c.Warnings) > 0 {
				return exitError{exitConfig}
			}
			_, err = fmt.Fprintf(s.out, "%s: %s, %s\n", c.File, count(len(c.Servers), "server"), count(len(c.Warnings), "warning"))
			return err
		},
	}
	configFlag(cmd, &file)
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&strict, "strict", false, "take warnings for errors")
	return cmd
}

type validityOutput struct {
	Version  int           `json:"version"`
	Config   string        `json:"config"`
	Valid    bool          `json:"valid"`
	Servers  int           `json:"servers"`
	Problems []problemJSON `json:"problems"`
	Warnings []problemJSON `json:"warnings"`
	Advice   []problemJSON `json:"advice"` // what works and could be safer
}

type problemJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

func problemsJSON(list []config.Problem) []problemJSON {
	out := []problemJSON{}
	for _, p := range list {
		out = append(out, problemJSON{p.File, p.At.Line, p.At.Column, p.Text})
	}
	return out
}

func validityJSON(file string, c config.Config, bad *config.Error) validityOutput {
	out := validityOutput{
		Version: jsonVersion, Config: file, Valid: bad == nil, Servers: len(c.Servers),
		Problems: []problemJSON{}, Warnings: problemsJSON(c.Warnings), Advice: problemsJSON(c.Advice),
	}
	if c.File != "" {
		out.Config = c.File
	}
	if bad != nil {
		out.Problems = problemsJSON(bad.Problems)
	}
	return out
}
