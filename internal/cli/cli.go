// Package cli is the command line: one file per command, and what they share.
//
// Standard output carries data: the protocol when an agent is served on it, an
// answer otherwise. Talk goes to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

// Exit codes.
const (
	exitOK        = 0
	exitFailure   = 1
	exitUsage     = 2
	exitConfig    = 3
	exitServer    = 4
	exitTool      = 5
	exitArguments = 6
	exitUnknown   = 7
	exitInterrupt = 130
)

const about = `Toolcrib is one gateway in front of many MCP servers. Agents connect to it, on
standard input and output or over HTTP, and reach the tools, prompts and
resources of every server that the configuration names.

Exit codes:
  0    done, or stopped by SIGTERM after running calls had finished
  1    failure
  2    wrong usage
  3    the configuration is missing or invalid
  4    a server could not be reached or listed, or did not answer in time
  5    a tool or a script says that it failed
  6    the arguments do not fit the tool or the script, which was not run
  7    there is no such tool or script, or none that can be called
  130  stopped by Ctrl-C (SIGINT)`

// streams are where a command reads and writes, and what it knows of its
// surroundings.
type streams struct {
	in      io.Reader
	out     io.Writer
	err     io.Writer
	getenv  func(string) string
	logging logFlags
}

// Run runs the command that args name and returns the exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, getenv func(string) string) int {
	s := &streams{in: in, out: out, err: errOut, getenv: getenv}
	running := false
	root := newRoot(s)
	// Reached once the command, its flags and arguments were understood.
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		running = true
		return nil
	}
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	return s.exitCode(cmd, err, running)
}

// newRoot is the command toolcrib with all of its commands.
func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:           ownName,
		Short:         "One gateway in front of many MCP servers",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(*cobra.Command, []string) error { return s.welcome() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	s.logging.register(root)
	root.AddCommand(
		newServe(s), newDemo(s), newDiscover(s), newServers(s), newTools(s), newRun(s), newSummary(s), newRefresh(s), newLogin(s), newLogout(s), newPage(s),
		newTrust(s), newPolicy(s), newDoctor(s), newCache(s), newCatalog(s), newConfig(s), newImport(s), newInstall(s), newUninstall(s), newBench(s),
		newMan(s), newVersion(s), newDemoServer(s), newConformanceClient(s), newGuard(s),
	)
	ownCompletion(root)
	s.completions(root)
	return root
}

const ownName = "toolcrib"

// exitCode reports err and says how the process is to end.
func (s *streams) exitCode(cmd *cobra.Command, err error, running bool) int {
	var code exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return code.code
	case readerGone(err):
		return exitFailure // as with "| head": whoever read has seen enough
	}
	fmt.Fprintf(s.err, "toolcrib: %s\n", strings.TrimSpace(err.Error()))
	var told failure
	switch {
	case errors.As(err, &told):
		return told.code
	case config.IsError(err):
		return exitConfig
	case running && !isUsage(err):
		return exitFailure
	}
	fmt.Fprintf(s.err, "Run '%s --help' for usage.\n", cmd.CommandPath())
	return exitUsage
}

// readerGone tells whether err is that nobody reads standard output any more.
func readerGone(err error) bool {
	var written *fs.PathError
	return errors.As(err, &written) && written.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}

// An exitError ends the process with a code and no words.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// A failure ends the process with a code that says what kind it is of.
type failure struct {
	code int
	error
}

func (f failure) Unwrap() error { return f.error }

// A usageError is about flags and arguments, though it was found by the command.
type usageError struct{ error }

func isUsage(err error) bool {
	var u usageError
	return errors.As(err, &u)
}
