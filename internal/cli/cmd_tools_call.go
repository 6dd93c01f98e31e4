package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

type callFlags struct {
	lookFlags
	arguments argumentFlags
}

func newToolsCall(s *streams) *cobra.Command {
	var f callFlags
	cmd := &cobra.Command{
		Use:   "call ID [--arg NAME=VALUE]...",
		Short: "Call a tool",
		Long: `Really call a tool, as an agent would: arguments are checked first, and those that
do not fit are answered with what the tool takes. The limits of its server hold, and
the server is ended afterwards. The text of the answer goes to standard output; with
--json the whole result, as the server sent it.

A VALUE is read as the tool's schema says: for text as it stands, for a number, a
boolean or an object as JSON. Several --arg of one name make a list.

Exit codes: 0 the tool answered, 1 failure, 2 wrong usage, 3 the configuration is
missing or invalid, 4 its server could not be reached or did not answer in time,
5 the tool says that it failed, 6 the arguments do not fit, 7 there is no such tool,
or its server does not list it.`,
		Example: `  toolcrib tools call calculator.add --arg a=0.1 --arg b=0.2
  toolcrib tools call github.create_issue --json-args @issue.json
  jq '{text: .body}' mail.json | toolcrib tools call text.word_count --json-args -`,
		Args: oneTool("call"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if f.timeout <= 0 {
				return usageError{fmt.Errorf("--timeout must be a time such as 30s")}
			}
			return s.look(cmd, &f.lookFlags, nil, func(i *inspection, c config.Config) error {
				return i.callTool(c, ids[0], &f, cmd.Flags().Changed("timeout"))
			})
		},
	}
	f.arguments.register(cmd)
	f.register(cmd)
	timeout := cmd.Flags().Lookup("timeout")
	timeout.Usage = "how long the call may take, the start of the server included (default: call_timeout of the server)"
	timeout.DefValue = "0s" // which help does not show
	return cmd
}

func (i *inspection) callTool(c config.Config, id string, f *callFlags, limited bool) error {
	found, err := i.find(c, []string{id}, &f.lookFlags)
	if err != nil {
		return err
	}
	arguments, err := f.arguments.object(i.in, found.tools[0].InputSchema())
	if err != nil {
		return err
	}
	ctx := i.ctx
	if limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.timeout, lateError{f.timeout})
		defer cancel()
	}
	result, err := i.callOnce(ctx, found, arguments)
	var wrong *app.CallError
	server := found.tools[0].Server().Name()
	if errors.As(err, &wrong) && wrong.Kind == app.WrongArguments && !wrong.Sent && found.stale(server) {
		// What is known of the tool may be what is wrong.
		if err := found.relist(i, server, time.Minute); err != nil {
			return err
		}
		result, err = i.callOnce(ctx, found, arguments)
	}
	if err != nil {
		return i.callFailed(found.tools[0], err, f.config)
	}
	return i.printCalled(found.tools[0], result)
}

// A lateError is a call that took longer than --timeout.
type lateError struct{ limit time.Duration }

func (e lateError) Error() string { return fmt.Sprintf("no answer within %s", e.limit) }

func (i *inspection) callOnce(ctx context.Context, found *finding, arguments json.RawMessage) (json.RawMessage, error) {
	local, err := found.in.Open(found.counter)
	if err != nil {
		return nil, err
	}
	defer func() { _ = local.Close(i.ctx) }() // the answer is what counts
	i.progress.expect(1)
	i.progress.began(string(found.tools[0].ID()))
	defer i.progress.close()
	return local.Call(ctx, found.tools[0], arguments)
}

func (i *inspection) printCalled(t *catalog.Tool, raw json.RawMessage) error {
	result, err := readToolResult(raw)
	if err != nil {
		return failure{exitTool, fmt.Errorf("call %s: %w", t.ID(), err)}
	}
	if i.json {
		err = i.printRawJSON(raw)
	} else {
		err = i.printResult(result)
	}
	if err == nil && result.IsError {
		return failure{exitTool, fmt.Errorf("%s says that it failed", t.ID())}
	}
	return err
}

// callFailed is why there is no result, and what to do next.
func (i *inspection) callFailed(t *catalog.Tool, err error, file string) error {
	if errors.As(err, new(lateError)) {
		return failure{exitServer, fmt.Errorf("%w; it may have been done all the same: look before you call it again", err)}
	}
	var told *app.CallError
	if !errors.As(err, &told) {
		return err
	}
	text := clean(told.Message)
	switch told.Kind {
	case app.WrongArguments:
		next := ownCommand(file, "tools show", string(t.ID())) + " shows more"
		return failure{exitArguments, errors.New(i.teach(told, t.InputSchema(), next))}
	case app.Unreachable:
		if told.Sent {
			text += "; it may have been done all the same: look before you call it again"
		}
		return failure{exitServer, errors.New(text)}
	case app.NotListed, app.NotAllowed, app.TooOften:
		return failure{exitUnknown, errors.New(text)}
	case app.AsksBack:
		return failure{exitTool, errors.New(text + "; call it from an agent, or give it all it needs as arguments")}
	}
	return failure{exitTool, errors.New(text)}
}

// teach says what is wrong with arguments, and what would be right.
func (s *streams) teach(told *app.CallError, schema json.RawMessage, next string) string {
	var b strings.Builder
	b.WriteString(clean(told.Message))
	for _, p := range told.Problems {
		b.WriteString("\n  - " + clean(p))
	}
	b.WriteByte('\n')
	parameters, _ := disclose.Parameters(schema)
	writeParameters(&b, "It takes", parameters, terminalOf(s.err, s.getenv).width)
	if next != "" {
		b.WriteString("\n" + next)
	}
	return b.String()
}
