// Package corpus discovers real servers, as they are on npm, with the real
// binary, and holds what it says against what each server was recorded to offer.
//
//	toolcrib discover --json -- node PACKAGE/ENTRY         with made-up credentials: the recorded tools
//	toolcrib discover --json --raw -- node PACKAGE/ENTRY   without: the variable that is missing, by name
//
// Among them are servers that print what is no protocol, that do not end when
// their input does, that start children, that answer in lines of megabytes, and
// that say only among their errors which credential they miss. After each no
// process of it may be left.
//
// make corpus discovers all of them, make e2e puts a handful behind a gateway.
package corpus

import (
	"path/filepath"
	"strings"
)

// A Server is one of the corpus. Its package is pinned in test/corpus/package.json;
// its credentials are made up, and none of them leaves this machine.
type Server struct {
	Name    string            // in the recorded listings
	Package string            // on npm
	Entry   string            // file inside the package
	Args    []string          // {dir} is a folder of its own
	Env     map[string]string // its credentials and settings
	Because string            // why it was chosen
	Asks    []string          // what it must be found to need when Env is left out
	Adds    []string          // tools beyond the record, for what the gateway can do and the recorder could not
}

// Arguments are those of Node that start the server, in a folder of its own;
// modules is where its package is installed.
func (s Server) Arguments(modules, dir string) []string {
	args := []string{filepath.Join(modules, s.Package, s.Entry)}
	for _, a := range s.Args {
		args = append(args, strings.ReplaceAll(a, "{dir}", dir))
	}
	return args
}

// Few are the trials of a handful of servers that install fast and yet misbehave
// in all ways: test/e2e/package.json has them, too.
func Few() []Trial {
	var few []Trial
	for _, t := range Trials() {
		switch t.Name {
		case "time-mcp", "pokemon-mcp-server", "zereight-mcp-gitlab", "airtable-mcp-server", "replicate-mcp":
			few = append(few, t)
		}
	}
	return few
}
