package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

type importFlags struct {
	config               string
	write, project, json bool
}

func newImport(s *streams) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import [CLIENT...]",
		Short: "Show the servers that other clients have, and take them over",
		Long: `Read the files in which other clients keep their servers, all or those of the named
clients, and show every server with where it stands. Nothing is changed.

With --write those that are new are added to the configuration, which is made if
there is none. Variables stay variables, comments stay, and what was there is kept
beside it as FILE.bak. Done twice, nothing changes the second time.

Servers of a project's own files are only taken along with --project: whoever wrote
the project wrote them. To use the clients' files as they are instead, without
copying anything, write "include: auto" into the configuration.

Exit codes: 0 done, whether there was anything new or not, 1 the file could not be
written, 2 wrong usage, such as a client that is not known, 3 the configuration is invalid.`,
		Example: `  toolcrib import
  toolcrib import --write cursor claude-code`,
		RunE: func(_ *cobra.Command, names []string) error {
			file, err := s.ownFile(f.config)
			if err != nil {
				return err
			}
			found, err := s.reader().Import(file, f.project, names...)
			if err != nil {
				if !config.IsError(err) {
					err = usageError{err}
				}
				return err
			}
			return s.importServers(found, f)
		},
	}
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	cmd.Flags().BoolVar(&f.write, "write", false, "add what is new to the configuration")
	cmd.Flags().BoolVar(&f.project, "project", false, "also take servers of the project's own files")
	return cmd
}

// ownFile is the user's configuration, or the one that would be made.
func (s *streams) ownFile(named string) (string, error) {
	if named = s.named(named); named != "" {
		return named, nil
	}
	file := config.OwnFile(s.getenv)
	if file == "" {
		return "", usageError{fmt.Errorf("there is no home directory to keep a configuration in: name one with --config")}
	}
	return file, nil
}

func (s *streams) importServers(i *config.Import, f importFlags) error {
	backup := ""
	if f.write {
		change, err := i.Change()
		if err != nil {
			return err
		}
		if change.Needed() {
			if backup, err = change.Write(); err != nil {
				return err
			}
		}
	}
	added := 0
	for _, c := range i.Candidates {
		if c.Status == config.Added {
			added++
		}
	}
	if f.json {
		return s.printJSON(importJSON(i, f.write && added > 0, backup))
	}
	for _, w := range i.Warnings {
		fmt.Fprintf(s.err, "warning: %s\n", w.Error())
	}
	if len(i.Candidates) == 0 {
		fmt.Fprintln(s.err, "no other client has servers on this computer; docs/clients.md lists the files that are read")
		return nil
	}
	if err := s.printCandidates(i); err != nil {
		return err
	}
	switch {
	case added == 0:
		fmt.Fprintf(s.err, "nothing new for %s\n", i.File)
	case !f.write:
		fmt.Fprintf(s.err, "%s new; \"toolcrib import --write\" adds them to %s\n", count(added, "server"), i.File)
	case backup == "":
		fmt.Fprintf(s.err, "wrote %s with %s\n", i.File, count(added, "server"))
	default:
		fmt.Fprintf(s.err, "added %s to %s; as it was before it is kept in %s\n", count(added, "server"), i.File, backup)
	}
	return nil
}

func (s *streams) printCandidates(i *config.Import) error {
	t := &table{width: terminalOf(s.out, s.getenv).width}
	t.add("SERVER", "CLIENT", "STATUS", "TRANSPORT", "WHAT")
	for _, c := range i.Candidates {
		t.add(clean(c.Name), c.Client, statusText(i, c), string(c.Type), clean(whatOf(c.Server)))
	}
	return t.print(s.out)
}

// statusText says what becomes of an entry.
func statusText(i *config.Import, c config.Candidate) string {
	text := string(c.Status)
	switch c.Status {
	case config.Present:
		text = "same as " + clean(c.Of)
	case config.Conflict:
		of := c.Of
		if of == "" {
			of = i.File
		}
		text = "another in " + filepath.Base(of)
	case config.OfProject:
		text = "project's"
	case config.Itself:
		text = "this gateway"
	}
	if c.Disabled {
		text += ", disabled"
	}
	return text
}

// whatOf is what a server starts or where it is, without secrets.
func whatOf(server config.Server) string {
	m := server.Masked()
	if m.URL != "" {
		return m.URL
	}
	return commandLine(append([]string{m.Command}, m.Args...))
}

type importOutput struct {
	Version  int             `json:"version"`
	Config   string          `json:"config"`
	Written  bool            `json:"written"`
	Backup   string          `json:"backup,omitempty"`
	Servers  []candidateJSON `json:"servers"`
	Warnings []problemJSON   `json:"warnings"`
}

type candidateJSON struct {
	Name      string `json:"name"`
	Client    string `json:"client"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Scope     string `json:"scope"`
	Status    string `json:"status"`
	Of        string `json:"of,omitempty"` // the server it is the same as, or the file of the one that has its name
	Transport string `json:"transport"`
	What      string `json:"what"`
	Disabled  bool   `json:"disabled"`
}

func importJSON(i *config.Import, written bool, backup string) importOutput {
	out := importOutput{Version: jsonVersion, Config: i.File, Written: written, Backup: backup, Servers: []candidateJSON{}, Warnings: problemsJSON(i.Warnings)}
	for _, c := range i.Candidates {
		out.Servers = append(out.Servers, candidateJSON{
			Name: c.Name, Client: c.Client, File: c.Source, Line: c.At.Line, Scope: string(c.Scope), Status: string(c.Status), Of: c.Of,
			Transport: string(c.Type), What: whatOf(c.Server), Disabled: c.Disabled,
		})
	}
	return out
}
