package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

func newSummary(s *streams) *cobra.Command {
	var f lookFlags
	var tokens bool
	cmd := &cobra.Command{
		Use:   "summary",
		Short: "Print what agents are told of all tools at once",
		Long: `Print the summary that agents are greeted with: what there is, in at most 500
tokens however many tools there are. It is the same, byte for byte, as long as the
tools are. What is saved is summed up; only servers that were never listed are
started for it.

Exit codes: 0 done, 2 wrong usage, 3 the configuration is missing or invalid,
4 a server that was never listed could not be.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.look(cmd, &f, nil, func(i *inspection, c config.Config) error { return i.summarize(c, &f, tokens) })
		},
	}
	cmd.Flags().BoolVar(&tokens, "tokens", false, "print how many tokens it takes, by an estimate that is not too low")
	f.register(cmd)
	return cmd
}

type summaryOutput struct {
	Version int    `json:"version"`
	Summary string `json:"summary"`
	Tokens  int    `json:"tokens"` // estimated, not too low
	Limit   int    `json:"limit"`  // tokens that it has at most
	Tools   int    `json:"tools"`
	Servers int    `json:"servers"`
}

func (i *inspection) summarize(c config.Config, f *lookFlags, tokens bool) error {
	in, misses, err := i.known(c, nil, f.timeout)
	if err != nil {
		return err
	}
	counter := in.Counter()
	text := counter.Summary()
	switch {
	case i.json:
		err = i.printJSON(summaryOutput{
			Version: jsonVersion, Summary: text, Tokens: disclose.Tokens(text), Limit: disclose.SummaryTokens,
			Tools: counter.Snapshot.Len(), Servers: len(counter.Snapshot.Servers()),
		})
	case tokens:
		_, err = fmt.Fprintln(i.out, disclose.Tokens(text))
	default:
		_, err = fmt.Fprintln(i.out, text)
	}
	return missed(err, misses)
}
