package cli

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"
)

// logFlags are the flags about logs, which all commands have.
type logFlags struct{ level, format string }

func (f *logFlags) register(root *cobra.Command) {
	root.PersistentFlags().StringVar(&f.level, "log-level", "info", "least important messages logged: debug, info, warn or error")
	root.PersistentFlags().StringVar(&f.format, "log-format", "text", "text or json; logs go to standard error")
}

// logger is what a gateway logs to.
func (s *streams) logger() (*slog.Logger, error) { return s.logging.logger(s.err) }

func (f *logFlags) logger(to io.Writer) (*slog.Logger, error) {
	var level slog.Level
	switch f.level {
	case "debug":
		level = slog.LevelDebug
	case "info":
	case "warn":
		level = slog.LevelWarn
	case "error":
		level = slog.LevelError
	default:
		return nil, usageError{fmt.Errorf("unknown --log-level %q: use debug, info, warn or error", f.level)}
	}
	o := &slog.HandlerOptions{Level: level}
	switch f.format {
	case "text":
		return slog.New(slog.NewTextHandler(to, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(to, o)), nil
	}
	return nil, usageError{fmt.Errorf("unknown --log-format %q: use text or json", f.format)}
}
