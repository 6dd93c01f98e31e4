package cli

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"
)

// logFlags are the flags about logs, which all commands have.
type logFlags struct{ level, format string }

func (f *logFlags) register(root *cobra.Command) {
	root.PersistentFlags().StringVar(&f.level, "log-level", "info", "least important messages logged: debug, info, warn or error")
	root.PersistentFlags().StringVar(&f.format, "log-format", "text", "text or json; logs go to standard error")
}

// logger is what commands log to.
func (s *streams) logger() (*slog.Logger, error) {
	var level slog.Level
	switch s.logging.level {
	case "debug":
		level = slog.LevelDebug
	case "info":
	case "warn":
		level = slog.LevelWarn
	case "error":
		level = slog.LevelError
	default:
		return nil, usageError{fmt.Errorf("unknown --log-level %q: use debug, info, warn or error", s.logging.level)}
	}
	o := &slog.HandlerOptions{Level: level}
	switch s.logging.format {
	case "text":
		return slog.New(slog.NewTextHandler(s.err, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(s.err, o)), nil
	}
	return nil, usageError{fmt.Errorf("unknown --log-format %q: use text or json", s.logging.format)}
}
