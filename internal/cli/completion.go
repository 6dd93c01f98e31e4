package cli

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// A completer gives the words that may stand where one is being typed. Shells call it
// at every press of a key, so it answers from what is saved, and starts nothing; where
// something is wrong it answers nothing.
type completer func(cmd *cobra.Command) []string

// completions says for each command what its arguments and flags complete to. It is
// one table, so that no command goes without.
func (s *streams) completions(root *cobra.Command) {
	clients := func(*cobra.Command) []string { return config.Clients() }
	arguments := map[string]struct {
		words completer
		most  int // arguments; 0 for any number
	}{
		"refresh": {words: s.serverNames}, "trust": {words: s.trustNames}, "cache clear": {words: s.savedServers},
		"login": {s.serverNames, 1}, "logout": {s.serverNames, 1},
		"tools show": {words: s.toolIDs}, "tools call": {s.toolIDs, 1}, "tools related": {s.toolIDs, 1}, "policy test": {words: s.toolIDs},
		"import": {words: clients}, "install": {clients, 1}, "uninstall": {clients, 1},
		"man": {words: func(cmd *cobra.Command) []string { return commandNames(cmd.Root()) }, most: 1},
	}
	flags := map[string]completer{
		"server": s.serverNames, "category": s.categoryNames,
		"log-level":  func(*cobra.Command) []string { return []string{"debug", "info", "warn", "error"} },
		"log-format": func(*cobra.Command) []string { return []string{"text", "json"} },
	}
	for cmd := range walk(root) {
		name := strings.TrimPrefix(cmd.CommandPath(), ownName+" ")
		if a, ok := arguments[name]; ok {
			cmd.ValidArgs, cmd.ValidArgsFunction = nil, complete(a.words, a.most)
		} else if name == "run" {
			cmd.ValidArgsFunction = s.completeScripts
		} else if name != "discover" && !cmd.HasSubCommands() { // whose argument is a command
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		for flag, words := range flags {
			if cmd.LocalFlags().Lookup(flag) != nil || cmd == root && cmd.PersistentFlags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, complete(words, 0)) // it has that flag
			}
		}
		if cmd.LocalFlags().Lookup("config") != nil {
			_ = cmd.MarkFlagFilename("config", "yaml", "yml", "json", "jsonc", "toml")
		}
	}
}

// ownCompletion has the flag library's command for it refuse shells that there are not.
func ownCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Short = "Print the script by which a shell completes what is typed"
		cmd.Args, cmd.RunE = noSuchCommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		for _, shell := range cmd.Commands() {
			shell.Short = "Print the script for " + shell.Name()
			shell.Args = noArguments
		}
	}
}

// walk gives a command and all below it.
func walk(cmd *cobra.Command) func(yield func(*cobra.Command) bool) {
	return func(yield func(*cobra.Command) bool) {
		var visit func(*cobra.Command) bool
		visit = func(c *cobra.Command) bool {
			if !yield(c) {
				return false
			}
			for _, sub := range c.Commands() {
				if !visit(sub) {
					return false
				}
			}
			return true
		}
		visit(cmd)
	}
}

// mostCompletions is how many words a shell is given; nobody reads more.
const mostCompletions = 1000

// complete offers the words that begin with what is typed, and of those none twice.
func complete(words completer, most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var out []cobra.Completion
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, word := range words(cmd) {
			bare, _, _ := strings.Cut(word, "\t")
			if strings.HasPrefix(bare, typed) && !slices.Contains(args, bare) && len(out) < mostCompletions {
				out = append(out, word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// configOf is the configuration that a command line names so far.
func (s *streams) configOf(cmd *cobra.Command) (config.Config, bool) {
	file := ""
	if f := cmd.Flags().Lookup("config"); f != nil {
		file = f.Value.String()
	}
	c, err := s.load(file)
	c.Warnings = nil
	return c, err == nil
}

// saved is what is saved of the servers of a command line.
func (s *streams) saved(cmd *cobra.Command) (*app.Inspection, bool) {
	c, ok := s.configOf(cmd)
	if !ok {
		return nil, false
	}
	in, err := app.Inspect(c, app.Options{Log: slog.New(slog.DiscardHandler), StateDir: stateDir(s.getenv), Getenv: s.getenv})
	return in, err == nil
}

func (s *streams) serverNames(cmd *cobra.Command) []string {
	c, _ := s.configOf(cmd)
	var out []string
	for _, server := range c.Servers {
		if server.Runs() {
			out = append(out, server.Name+"\t"+clean(whatOf(server)))
		}
	}
	return out
}

// trustNames are the servers that run, and those that wait for approval.
func (s *streams) trustNames(cmd *cobra.Command) []string {
	c, _ := s.configOf(cmd)
	var out []string
	for _, server := range c.Servers {
		if !server.Disabled {
			out = append(out, clean(server.Name)+"\t"+clean(whatOf(server)))
		}
	}
	return out
}

func (s *streams) savedServers(*cobra.Command) []string {
	var out []string
	for _, one := range app.OpenCache(stateDir(s.getenv)).Survey().Saved {
		out = append(out, clean(one.Server))
	}
	return slices.Compact(out)
}

func (s *streams) toolIDs(cmd *cobra.Command) []string {
	in, ok := s.saved(cmd)
	if !ok {
		return nil
	}
	var out []string
	for _, t := range in.Snapshot().Tools() {
		out = append(out, fmt.Sprintf("%s\t%s", t.ID(), cut(clean(t.Description()), textWidth)))
	}
	return out
}

func (s *streams) categoryNames(cmd *cobra.Command) []string {
	in, ok := s.saved(cmd)
	if !ok {
		return nil
	}
	var out []string
	for _, c := range in.Snapshot().Categories() {
		out = append(out, c.Name)
	}
	return out
}

// completeScripts offers stored scripts, and files.
func (s *streams) completeScripts(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	c, _ := s.configOf(cmd)
	var out []cobra.Completion
	for _, one := range c.Scripts {
		if strings.HasPrefix(one.Name, typed) {
			out = append(out, one.Name+"\t"+clean(one.Description))
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// commandNames are the paths of all commands that people see.
func commandNames(root *cobra.Command) []string {
	var out []string
	for cmd := range walk(root) {
		if shown(cmd) && cmd != root {
			out = append(out, strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), ownName+" "), " ", "-")+"\t"+cmd.Short)
		}
	}
	return out
}

// shown tells whether a command is for people.
func shown(cmd *cobra.Command) bool {
	for c := cmd; c != nil; c = c.Parent() {
		if c.Hidden || c.Name() == "help" {
			return false
		}
	}
	return true
}
