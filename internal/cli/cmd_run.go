package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
	"toolcrib/internal/script"
)

type runFlags struct {
	config               string
	name                 string // of the script, as it was given
	timeout              time.Duration
	arguments            argumentFlags
	dry, json, repl, all bool
}

func newRun(s *streams) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE.lua | - | NAME",
		Short: "Run a Lua script over the tools of all servers",
		Long: `Run a script: from a file, from standard input, or one that the configuration stores
under a name. Every server is a table and every tool a function in it:

  local sum = calculator.add({a = 1, b = 2}):await()
  return sum.result

Its calls pass the checks and limits that hold for agents, and so does the script. What
it returns goes to standard output: text as it is, anything else as JSON. What it
prints, and when it fails the calls that it made, go to standard error. With --arg the
script has a table args.

With --repl, inputs are read line by line and run one after the other; one that fails
does not end it, and one that is not finished goes on in the next line.

Exit codes: 0 done, 1 failure, 2 wrong usage, 3 the configuration is missing or invalid,
5 the script failed, 6 the arguments do not fit the stored script, 7 there is no such
file or script, or with --dry-run, no such tool, 130 stopped by Ctrl-C.`,
		Example: `  toolcrib run report.lua --arg since=2026-01-01
  toolcrib run --dry-run report.lua
  echo 'return calculator.add({a = 1, b = 2}):await()' | toolcrib run -
  toolcrib run --repl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("one script is enough: what is %q? An argument of the script is written --arg NAME=VALUE", clean(args[1]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			f.name = strings.Join(args, "")
			c, err := s.load(f.config)
			if err != nil {
				return err
			}
			request, err := s.script(c, args, &f)
			if err != nil {
				return err
			}
			return s.inspect(cmd, f.json, func(i *inspection) error { return i.run(c, request, &f) })
		},
	}
	f.arguments.register(cmd)
	cmd.Flags().DurationVar(&f.timeout, "timeout", script.Defaults().Wall, fmt.Sprintf("how long the script may take, at most %s", script.Maxima().Wall))
	cmd.Flags().BoolVar(&f.dry, "dry-run", false, "do not run it: list the tools that it may call")
	cmd.Flags().BoolVar(&f.repl, "repl", false, "read inputs from standard input and run each")
	cmd.Flags().BoolVar(&f.all, "calls", false, "show the calls that were made also when it succeeds")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *runFlags) check(args []string) error {
	reads := len(args) == 1 && args[0] == "-"
	switch {
	case f.timeout <= 0 || f.timeout > script.Maxima().Wall:
		return usageError{fmt.Errorf("--timeout must be a time such as 30s, at most %s", script.Maxima().Wall)}
	case f.repl && (f.dry || f.json):
		return usageError{fmt.Errorf("--repl goes neither with --dry-run nor with --json")}
	case f.repl && (reads || f.arguments.readsInput()), reads && f.arguments.readsInput():
		return usageError{fmt.Errorf("standard input can be read for one thing only: the script, --json-args or --repl")}
	}
	return nil
}

// script is the script that is meant, with its arguments; without text if --repl is
// to begin with none.
func (s *streams) script(c config.Config, args []string, f *runFlags) (*script.Request, error) {
	stored := app.StoredScripts(c)
	if len(args) == 0 && !f.repl {
		return nil, usageError{fmt.Errorf("name a script: a file, - for standard input%s", orStored(stored))}
	}
	if len(args) == 1 {
		for i := range stored {
			if stored[i].Name == args[0] {
				return s.storedScript(&stored[i], f)
			}
		}
	}
	arguments, err := f.arguments.object(s.in, nil)
	if err != nil {
		return nil, err
	}
	request := &script.Request{Args: arguments}
	switch {
	case len(args) == 0:
	case args[0] == "-":
		request.Source, err = app.ReadSource(s.in, "standard input")
	default:
		request.Source, err = readScript(args[0], stored)
	}
	return request, err
}

func (s *streams) storedScript(stored *app.StoredScript, f *runFlags) (*script.Request, error) {
	arguments, err := f.arguments.object(s.in, stored.Schema)
	if err != nil {
		return nil, err
	}
	request, err := stored.Request(arguments)
	var told *app.CallError
	switch {
	case errors.As(err, &told):
		return nil, failure{exitArguments, errors.New(s.teach(told, stored.Schema, ""))}
	case err != nil:
		return nil, failure{exitConfig, err}
	}
	return request, nil
}

func readScript(name string, stored []app.StoredScript) (string, error) {
	if _, err := os.Stat(name); os.IsNotExist(err) {
		return "", failure{exitUnknown, fmt.Errorf("no file %s, and no stored script of that name%s", quoted(clean(name)), storedNames(stored))}
	}
	return app.ReadScript(name)
}

// orStored names the stored scripts as something that could be run.
func orStored(stored []app.StoredScript) string {
	if len(stored) == 0 {
		return ""
	}
	return ", or a stored one" + storedNames(stored)
}

func storedNames(stored []app.StoredScript) string {
	if len(stored) == 0 {
		return ""
	}
	var names []string
	for _, s := range stored {
		names = append(names, s.Name)
	}
	return "; stored are " + several(names)
}

func (i *inspection) run(c config.Config, request *script.Request, f *runFlags) error {
	in, _, err := i.known(c, nil, time.Minute)
	if err != nil {
		return err
	}
	local, err := in.Open(in.Counter())
	if err != nil {
		return err
	}
	defer func() { _ = local.Close(i.ctx) }() // what was done is told by then
	request.Limits = &script.Limits{Wall: f.timeout}
	switch {
	case f.repl:
		return i.repl(local, request)
	case strings.TrimSpace(request.Source) == "":
		return usageError{fmt.Errorf("the script is empty")}
	case f.dry:
		return i.plan(local, request)
	}
	i.progress.expect(1)
	i.progress.began(f.name)
	result, err := local.Run(i.ctx, request)
	i.progress.close()
	if i.ctx.Err() != nil {
		i.printCalls(result.Ledger)
		return nil // the signal is told of
	}
	if i.json {
		return i.printRunJSON(result, err)
	}
	return i.printRun(local, result, err, f)
}
