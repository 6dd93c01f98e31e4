package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type catalogFlags struct {
	lookFlags
	out   string
	watch bool
}

func newCatalog(s *streams) *cobra.Command {
	var f catalogFlags
	cmd := &cobra.Command{
		Use:   "catalog",
		Short: "Write all servers and their tools as a Markdown document",
		Long: `Write a Markdown document of every server, with its state, its tools and its
configuration without secrets. A tool that a client's list approves without asking
is marked, and so is one that was found in another way than by the server's own
listing. Only servers that were never listed are started for it.

With --out the document goes to a file. What you write above the line that begins
with "<!-- toolcrib catalog" is kept. With --watch the file is kept in step with the
configuration and with what is learned of the servers, until you stop it.

Exit codes: 0 done, 1 the file could not be written, 2 wrong usage, 3 the configuration is
missing or invalid, 4 a server that was never listed could not be, 130 stopped by Ctrl-C.`,
		Example: `  toolcrib catalog --out TOOLS.md
  toolcrib catalog --out TOOLS.md --watch`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case f.watch && f.out == "":
				return usageError{fmt.Errorf("--watch keeps a file in step: name it with --out")}
			case f.json && f.out != "":
				return usageError{fmt.Errorf("--json prints, --out writes Markdown: use one of them")}
			}
			return s.look(cmd, &f.lookFlags, nil, func(i *inspection, c config.Config) error {
				if f.watch {
					return i.keepCatalog(c, f)
				}
				return i.writeCatalog(c, f)
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write to this `FILE`")
	cmd.Flags().BoolVar(&f.watch, "watch", false, "keep the file of --out in step until stopped")
	return cmd
}

func (i *inspection) writeCatalog(c config.Config, f catalogFlags) error {
	in, misses, err := i.known(c, nil, f.timeout)
	if err != nil {
		return err
	}
	d := newDocument(c, in, time.Now())
	switch {
	case i.json:
		err = i.printJSON(d.json())
	case f.out == "":
		_, err = io.WriteString(i.out, catalogHead+d.markdown())
	default:
		_, err = i.saveCatalog(f.out, d)
	}
	return missed(err, misses)
}

// keepCatalog writes the file again whenever something changed.
func (i *inspection) keepCatalog(c config.Config, f catalogFlags) error {
	i.endless = true
	reader := i.reader()
	load := func() (config.Config, error) { return i.loadBy(reader, f.config) }
	return app.Keep(i.ctx, c, load, i.app, func(in *app.Inspection, c config.Config, changed bool) error {
		if changed {
			if _, err := i.learn(in, in.Unlisted(), f.timeout); err != nil {
				if i.ctx.Err() != nil {
					return nil
				}
				return err
			}
		}
		wrote, err := i.saveCatalog(f.out, newDocument(c, in, time.Now()))
		if err == nil && wrote {
			fmt.Fprintf(i.err, "wrote %s\n", f.out)
		}
		return err
	})
}

// saveCatalog writes the document below what its reader wrote, unless nothing but
// the time would change.
func (i *inspection) saveCatalog(path string, d *document) (wrote bool, err error) {
	mode := fs.FileMode(0o644)
	before, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, fmt.Errorf("read %s: %w", path, err)
	default:
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	head, rest := splitCatalog(string(before))
	text := d.markdown()
	if withoutTime(rest) == withoutTime(text) {
		return false, nil
	}
	return true, config.Replace(path, []byte(head+text), mode)
}
