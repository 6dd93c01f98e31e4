package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

func newConfigShow(s *streams) *cobra.Command {
	var file string
	var asJSON, defaults bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what the configuration comes to, without secrets",
		Long: `Show the servers and settings as they hold once variables are replaced and other
clients' servers are added. Values that may be secret are shown as ***.

With --defaults show instead all keys that a file may have, with what they mean and
what holds where a file leaves them out.

Exit codes: 0 done, 2 wrong usage, 3 the configuration is missing or invalid.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if defaults {
				return s.showDefaults(asJSON)
			}
			c, err := s.load(file)
			if err != nil {
				return err
			}
			shown := c.YAML()
			if asJSON {
				shown = c.JSON()
			}
			_, err = io.WriteString(s.out, shown)
			return err
		},
	}
	configFlag(cmd, &file)
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&defaults, "defaults", false, "show all keys, with their defaults and meanings")
	return cmd
}

type defaultsOutput struct {
	Version  int           `json:"version"`
	Defaults []defaultJSON `json:"defaults"`
}

type defaultJSON struct {
	Key     string `json:"key"`
	Default string `json:"default"` // "" if it has none
	Meaning string `json:"meaning"`
}

func (s *streams) showDefaults(asJSON bool) error {
	out := defaultsOutput{Version: jsonVersion}
	t := &table{width: terminalOf(s.out, s.getenv).width}
	t.add("KEY", "DEFAULT", "MEANING")
	for _, d := range config.Keys() {
		out.Defaults = append(out.Defaults, defaultJSON{d.Path, d.Default, d.Meaning})
		t.add(d.Path, cmp.Or(d.Default, "-"), d.Meaning)
	}
	if asJSON {
		return s.printJSON(out)
	}
	if err := t.print(s.out); err != nil {
		return fmt.Errorf("show the defaults: %w", err)
	}
	return nil
}
