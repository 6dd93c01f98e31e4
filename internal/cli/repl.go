package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/script"
)

const replHelp = `An input is an expression, whose value is shown, or statements. Later inputs see what
earlier ones made, and _ is the last value. Calls of earlier inputs are not made again.
  :reset  forget all inputs
  :drop   forget an input that is not finished
  :quit   end, as Ctrl-D does
`

// repl runs inputs one after the other until there are no more. One that fails does
// not end it. The script that was named, if any, is the first input.
func (i *inspection) repl(local *app.Local, request *script.Request) error {
	begin := func() *app.Session { return local.NewSession(request.Args, *request.Limits) }
	session, input := begin(), ""
	person := false
	if in, ok := i.in.(*os.File); ok {
		_, _, person = screen(in)
	}
	say := func(format string, args ...any) {
		if person {
			fmt.Fprintf(i.err, format, args...)
		}
	}
	say("Lua over %s of %s; :help says more\n", count(local.Snapshot.Len(), "tool"), count(len(local.Snapshot.Servers()), "server"))
	if strings.TrimSpace(request.Source) != "" {
		if err := i.evaluate(session, request.Source); err != nil {
			return err
		}
	}
	lines := i.lines()
	for {
		if input == "" {
			say("> ")
		} else {
			say(">> ")
		}
		var line typed
		var more bool
		select {
		case line, more = <-lines:
		case <-i.ctx.Done():
			return nil
		}
		if !more || line.err != nil {
			say("\n")
			if strings.TrimSpace(input) != "" && line.err == nil {
				return i.evaluate(session, input) // it says what is missing
			}
			return line.err
		}
		switch strings.TrimSpace(line.text) {
		case ":quit":
			return nil
		case ":help":
			fmt.Fprint(i.err, replHelp)
			continue
		case ":drop":
			input = ""
			continue
		case ":reset":
			session, input = begin(), ""
			continue
		}
		input += line.text + "\n"
		if strings.TrimSpace(input) == "" {
			input = ""
			continue
		}
		if session.Unfinished(i.ctx, input) {
			continue
		}
		if err := i.evaluate(session, strings.TrimSuffix(input, "\n")); err != nil {
			return err
		}
		input = ""
	}
}

// evaluate runs one input and shows what came of it. Its error is that nobody reads.
func (i *inspection) evaluate(session *app.Session, input string) error {
	result, err := session.Run(i.ctx, input)
	if i.ctx.Err() != nil {
		return nil
	}
	if err := i.printTalk(result); err != nil {
		return err
	}
	var told *script.Error
	switch {
	case errors.As(err, &told):
		fmt.Fprintln(i.err, scriptError(told))
		if len(result.Ledger) > 0 {
			i.printCalls(result.Ledger)
		}
		return nil
	case err != nil:
		return err
	}
	err = i.printValue(result)
	if errors.As(err, new(failure)) {
		fmt.Fprintln(i.err, err)
		return nil
	}
	return err
}

// typed is a line of standard input, or why there is none.
type typed struct {
	text string
	err  error
}

// lines are those of standard input, until it ends. A read cannot be interrupted, so
// the goroutine in it stays until the process ends or the input does.
func (i *inspection) lines() <-chan typed {
	out := make(chan typed)
	send := func(t typed) bool {
		select {
		case out <- t:
			return true
		case <-i.ctx.Done():
			return false
		}
	}
	go func() {
		defer close(out)
		scanner := bufio.NewScanner(i.in)
		scanner.Buffer(nil, script.Maxima().Source)
		for scanner.Scan() {
			if !send(typed{text: scanner.Text()}) {
				return
			}
		}
		err := scanner.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("a line is longer than %d KiB, the most that a script may have", script.Maxima().Source>>10)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			send(typed{err: err})
		}
	}()
	return out
}
