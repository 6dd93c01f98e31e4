package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

type searchFlags struct {
	lookFlags
	server, category string
	most             int
	full, explain    bool
}

func newToolsSearch(s *streams) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Find tools by what they do",
		Long: `Find the tools that do what the words say, the best first, with their relevance of
0 to 100. The answer is the one that agents get, and begins with a verdict:

  found        the first ones do that
  near         nothing sure; these are closest
  withheld     there are matches, but a filter hides them
  unavailable  the best match's server is down
  none         nothing here does that

A name finds the tool of that name. What is saved is searched; only servers that
were never listed are started for it.

Exit codes: 0 searched, whatever the verdict, 2 wrong usage, 3 the configuration is
missing or invalid, 4 a server that was never listed could not be.`,
		Example: `  toolcrib tools search create an issue
  toolcrib tools search --server github --full list open pull requests
  toolcrib tools search --json resize image | jq -r '.tools[0].id'`,
		Args: needsWords("say in words what the tool should do, as in toolcrib tools search create an issue"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if f.most < 1 || f.most > disclose.MaxResults {
				return usageError{fmt.Errorf("--max must be a number from 1 to %d", disclose.MaxResults)}
			}
			return s.look(cmd, &f.lookFlags, &f.server, func(i *inspection, c config.Config) error {
				return i.search(c, strings.Join(words, " "), &f)
			})
		},
	}
	cmd.Flags().StringVar(&f.server, "server", "", "only tools of this `SERVER`")
	cmd.Flags().StringVar(&f.category, "category", "", "only tools of this `CATEGORY`")
	cmd.Flags().IntVar(&f.most, "max", 10, "at most so many tools")
	cmd.Flags().BoolVar(&f.full, "full", false, "all that is known of each tool, as toolcrib tools show has it")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "also what spoke for each tool")
	f.register(cmd)
	return cmd
}

// needsWords refuses a command without arguments, or with empty ones alone, and
// says what is missing.
func needsWords(missing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if strings.TrimSpace(strings.Join(args, "")) == "" {
			return fmt.Errorf("%s", missing)
		}
		return nil
	}
}

func (i *inspection) search(c config.Config, words string, f *searchFlags) error {
	in, misses, err := i.known(c, only(f.server), f.timeout)
	if err != nil {
		return err
	}
	counter := in.Counter()
	if f.server != "" && counter.Snapshot.Server(f.server) == nil {
		return failure{exitServer, fmt.Errorf("server %s could not be listed; %s tries again", f.server, refreshCommand(f.config, f.server))}
	}
	q := disclose.Search{Query: words, Server: f.server, Category: f.category, Most: f.most}
	answer, problem := counter.Search(i.ctx, q)
	if problem != nil {
		return problemError(exitUsage, problem, "")
	}
	why := counter.Explain(i.ctx, q)
	if i.json {
		err = i.printJSON(searchJSON(counter, words, answer, why, f))
	} else {
		err = i.printSearch(counter, answer, why, f)
	}
	return missed(err, misses)
}

func (i *inspection) printSearch(counter *app.Counter, a *disclose.Answer, why map[catalog.ToolID][]string, f *searchFlags) error {
	var b strings.Builder
	width := terminalOf(i.out, i.getenv).width
	for n, e := range a.Tools {
		if n > 0 && f.full {
			b.WriteByte('\n')
		}
		lead := fmt.Sprintf("%3d  ", e.Relevance)
		if f.full {
			fmt.Fprintf(&b, "%3d%%  ", e.Relevance)
			i.writeDetail(&b, counter, counter.Snapshot.Tool(catalog.ToolID(e.Name)), f.config, width)
		} else {
			writeEntry(&b, e, lead, width)
		}
		if f.explain {
			fmt.Fprintf(&b, "%smatched: %s\n", strings.Repeat(" ", len(lead)), clean(strings.Join(why[catalog.ToolID(e.Name)], ", ")))
		}
	}
	if _, err := fmt.Fprint(i.out, b.String()); err != nil {
		return err
	}
	i.printVerdict(a)
	if a.Metadata.Verdict != "found" {
		i.printFailed(counter.Snapshot, f.config, f.server)
	}
	return nil
}

// printVerdict says how far an answer can be relied on.
func (i *inspection) printVerdict(a *disclose.Answer) {
	m, colour := a.Metadata, red
	if m.Verdict == "found" {
		colour = green
	}
	text := terminalOf(i.err, i.getenv).paint(colour, m.Verdict)
	if m.Why != "" {
		text += ": " + clean(m.Why)
	}
	fmt.Fprintf(i.err, "%s (%d shown, %d of %s match)\n", text, m.Shown, m.FilteredCount, count(m.TotalCount, "tool"))
	if len(m.Suggestions) > 0 {
		fmt.Fprintf(i.err, "try: %s\n", several(m.Suggestions))
	}
}

type searchOutput struct {
	Version     int            `json:"version"`
	Query       string         `json:"query"`
	Verdict     string         `json:"verdict"`
	Why         string         `json:"why,omitempty"`
	Suggestions []string       `json:"suggestions"`
	Tools       []searchedJSON `json:"tools"`
	Shown       int            `json:"shown"`
	Matching    int            `json:"matching"`
	Total       int            `json:"total"`
}

type searchedJSON struct {
	entryJSON
	Relevance int         `json:"relevance"`
	Matched   []string    `json:"matched"`           // what spoke for it, the strongest first
	Details   *detailJSON `json:"details,omitempty"` // with --full
}

func searchJSON(counter *app.Counter, words string, a *disclose.Answer, why map[catalog.ToolID][]string, f *searchFlags) searchOutput {
	m := a.Metadata
	out := searchOutput{
		Version: jsonVersion, Query: words, Verdict: m.Verdict, Why: m.Why, Suggestions: append([]string{}, m.Suggestions...),
		Tools: []searchedJSON{}, Shown: m.Shown, Matching: m.FilteredCount, Total: m.TotalCount,
	}
	for _, e := range a.Tools {
		one := searchedJSON{entryJSON: toEntryJSON(e), Relevance: e.Relevance, Matched: append([]string{}, why[catalog.ToolID(e.Name)]...)}
		if f.full {
			one.Details = detailOf(counter, counter.Snapshot.Tool(catalog.ToolID(e.Name)))
		}
		out.Tools = append(out.Tools, one)
	}
	return out
}
