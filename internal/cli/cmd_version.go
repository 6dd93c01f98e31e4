package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of this program, and what it was built with and for. With --json
also every module that is part of it, with its version and the sum by which Go checked
it.

Exit codes: 0 done, 2 wrong usage.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return s.printJSON(versionJSON())
			}
			_, err := fmt.Fprintf(s.out, "toolcrib %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

type versionOutput struct {
	Version  int          `json:"version"` // of this object, as everywhere
	Toolcrib string       `json:"toolcrib"`
	Go       string       `json:"go"`
	OS       string       `json:"os"`
	Arch     string       `json:"arch"`
	Commit   string       `json:"commit,omitempty"`
	Changed  bool         `json:"changed,omitempty"` // it was built of more than that commit
	Modules  []moduleJSON `json:"modules"`
}

type moduleJSON struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

func versionJSON() versionOutput {
	out := versionOutput{Version: jsonVersion, Toolcrib: version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Modules: []moduleJSON{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return out
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			out.Commit = s.Value
		case "vcs.modified":
			out.Changed = s.Value == "true"
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		out.Modules = append(out.Modules, moduleJSON{m.Path, m.Version, m.Sum})
	}
	return out
}
