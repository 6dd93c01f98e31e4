package cli

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

type installFlags struct {
	config, http, env  string
	project, yes, json bool
}

func (f *installFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.project, "project", false, "use the project's own file, in the working directory, instead of the user's")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "write without asking")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON; without --yes only what would change")
	cmd.ValidArgs = config.Clients()
}

func newInstall(s *streams) *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Put this gateway into a client's file",
		Long: `Add an entry "toolcrib" to the file in which a client keeps its servers, so that the
client starts this gateway. What would change is shown first; it is written when
you agree, or with --yes. Nothing else in the file is touched, and what was there is
kept beside it as FILE.bak. Done twice, nothing changes the second time.

With --http the client reaches a gateway that serves there instead of starting one:
the entry has the address and, where this gateway's own token is wanted, that token. With
--token-env it has the name of a variable of the client's environment in its place; a
project's file always gets a variable, TOOLCRIB_TOKEN if none is named.

Clients: ` + strings.Join(config.Clients(), ", ") + `.

Exit codes: 0 the client has this gateway, 1 you did not agree, or the file could not be
written, 2 wrong usage, or nobody could be asked, 3 a file cannot be read.`,
		Example: `  toolcrib install cursor
  toolcrib install claude-code --config ~/toolcrib.yaml --yes
  toolcrib install codex --http 127.0.0.1:7332 --token-env TOOLCRIB_TOKEN`,
		Args: oneClient,
		RunE: func(_ *cobra.Command, args []string) error {
			change, err := s.installation(args[0], f)
			if err != nil {
				return err
			}
			return s.apply(f, []config.Change{change}, args[0]+" has this gateway already, in "+change.File)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&f.config, "config", "c", "", "have the client use this configuration `FILE`")
	cmd.Flags().StringVar(&f.http, "http", "", "have the client reach a gateway at this `ADDR`, such as 127.0.0.1:7332, or URL")
	cmd.Flags().StringVar(&f.env, "token-env", "", "with --http, write the `NAME` of a variable instead of the token")
	return cmd
}

// installation is what install does to a client's file.
func (s *streams) installation(client string, f installFlags) (config.Change, error) {
	var change config.Change
	if f.env != "" && f.http == "" {
		return change, usageError{fmt.Errorf("--token-env goes with --http alone")}
	}
	if f.http != "" {
		a, err := s.address(f)
		if err != nil {
			return change, err
		}
		change, err = s.reader().InstallHTTP(client, f.project, a)
		return change, installError(err)
	}
	command, words, err := gatewayCommand(f.config)
	if err != nil {
		return change, err
	}
	change, err = s.reader().Install(client, f.project, command, words)
	return change, installError(err)
}

func oneClient(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one client, such as cursor; there are %s", strings.Join(config.Clients(), ", "))
	}
	return nil
}

// installError tells a mistake in the arguments from one in a file.
func installError(err error) error {
	if err == nil || config.IsError(err) || config.IsStuck(err) {
		return err
	}
	return usageError{err}
}

// gatewayCommand is how a client starts this gateway.
func gatewayCommand(file string) (string, []string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("find this program: %w", err)
	}
	words := []string{"serve"}
	if file != "" {
		path, err := filepath.Abs(file)
		if err != nil {
			return "", nil, fmt.Errorf("find %s: %w", file, err)
		}
		if _, err := os.Stat(path); err != nil {
			return "", nil, config.NoFile(file, err)
		}
		words = append(words, "--config", path)
	}
	return self, words, nil
}

// apply shows changes, asks, and writes them.
func (s *streams) apply(f installFlags, changes []config.Change, already string) error {
	needed := changes[:0]
	for _, c := range changes {
		if c.Needed() {
			needed = append(needed, c)
		}
	}
	if f.json {
		return s.applyJSON(f.yes, needed)
	}
	if len(needed) == 0 {
		fmt.Fprintln(s.err, already)
		return nil
	}
	for _, c := range needed {
		if err := printDiff(s.out, c); err != nil {
			return err
		}
	}
	if !f.yes {
		if err := s.agree("Write this?", "nothing was written", "say --yes to write it"); err != nil {
			return err
		}
	}
	for _, c := range needed {
		backup, err := c.Write()
		if err != nil {
			return err
		}
		kept := ""
		if backup != "" {
			kept = "; as it was before it is kept in " + backup
		}
		fmt.Fprintf(s.err, "wrote %s%s\n", c.File, kept)
		if open, _ := othersRead(c.File); open && f.http != "" && f.env == "" {
			fmt.Fprintf(s.err, "warning: it holds the token now, and other users can read it: chmod 600 %s\n", quoted(c.File))
		}
	}
	return nil
}

type installOutput struct {
	Version int          `json:"version"`
	Changes []changeJSON `json:"changes"` // none if all is as it should be
}

type changeJSON struct {
	File    string `json:"file"`
	New     bool   `json:"new"` // there was no such file
	Written bool   `json:"written"`
	Backup  string `json:"backup,omitempty"`
}

// applyJSON writes changes if it may, and says what they are.
func (s *streams) applyJSON(write bool, changes []config.Change) error {
	out := installOutput{Version: jsonVersion, Changes: []changeJSON{}}
	for _, c := range changes {
		one := changeJSON{File: c.File, New: c.New, Written: write}
		if write {
			var err error
			if one.Backup, err = c.Write(); err != nil {
				return err
			}
		}
		out.Changes = append(out.Changes, one)
	}
	return s.printJSON(out)
}

// agree asks a person; where there is none it is an error that says what to do.
func (s *streams) agree(question, refused, otherwise string) error {
	if !s.attended() {
		return usageError{fmt.Errorf("%s: %s", refused, otherwise)}
	}
	fmt.Fprint(s.err, question+" [y/N] ")
	answer, _ := bufio.NewReader(s.in).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	fmt.Fprintln(s.err, refused)
	return exitError{exitFailure}
}

// attended tells whether there is a person who can be asked.
func (s *streams) attended() bool {
	in, ok := s.in.(*os.File)
	if ok {
		_, _, ok = screen(in)
	}
	return ok
}
