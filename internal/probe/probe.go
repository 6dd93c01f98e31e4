// Package probe is the last resort for a server that does not answer the
// protocol: it finds out what can be known of its tools without it, and what the
// failure itself says.
//
//	rung 1  protocol       not here: the caller has tried it
//	rung 2  stdout         a disposable second launch with variables that ask a
//	                       server to list itself, and a bare tools/list line;
//	                       what it prints is read by six patterns, in order
//	rung 3  stderr         the same patterns over what it prints there
//	rung 4  approved name  names that a client's file approves for this server
//	rung 5  prediction     a model's guess from the server's identity, if one is configured
//
// The first rung that yields tools ends the climb. Every tool says how it was
// found and how sure that is, and none of them can be called: a name is shown so
// that a user sees what is missing, and knows what to repair.
//
//	found in a JSON-RPC result 0.9 · functions or tools array 0.8 · JSON lines 0.7
//	approved name 0.5 · declaration 0.4 · word_word identifier 0.2 · predicted 0.1
//
// Most servers that fail say why. Diagnose reads that from what they wrote: the
// credential that is not set, the module that is not installed, the argument
// that is missing, and what to do next.
//
// The package starts no process: how one is started is a function of the
// caller's. It remembers nothing either: the caller keeps the rung that worked.
package probe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"toolcrib/internal/catalog"
)

// DefaultTimeout is how long a disposable launch may take.
const DefaultTimeout = 10 * time.Second

// Launch starts the server once, disposable, with these variables added to its
// environment, writes stdin, collects bounded output until the server is quiet,
// exits or ctx ends, and ends its whole process group. What was collected is
// returned also with an error.
type Launch func(ctx context.Context, env map[string]string, stdin []byte) (stdout, stderr []byte, err error)

// Options say what there is to try with. What is not given is not tried.
type Options struct {
	Server   Identity
	Launch   Launch
	Timeout  time.Duration // of the launch, DefaultTimeout if 0
	Approved []string      // entries of clients' lists, see ApprovedNames
	Predict  *Predictor
	Log      *slog.Logger // nothing is logged if nil

	// First is the rung to try first, the one that worked the last time; the
	// others follow in their order. With Approved the server is not even started
	// while a file still names tools.
	First Rung
}

// A Result is what was found, and what was looked at for it.
type Result struct {
	Tools []catalog.Found
	Rung  Rung // that the tools are from, NoRung if there are none

	Stdout, Stderr []byte // of the disposable launch, nil if there was none
	Notes          []Note // what each rung found, in the order of trying

	// Diagnosis is what the disposable launch says of the failure, if there was
	// one and it named no tools.
	Diagnosis *Diagnosis
}

// A Note says what a rung found.
type Note struct {
	Rung Rung   `json:"rung"`
	Text string `json:"text"`
}

// Run climbs the ladder from rung 2. That nothing was found is no error.
func Run(ctx context.Context, o Options) (Result, error) {
	c := climb{Options: o}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for _, rung := range order(o.First) {
		if err := ctx.Err(); err != nil {
			return c.result, fmt.Errorf("probe %s: %w", o.Server.Name, err)
		}
		tools, note := c.try(ctx, rung)
		c.result.Notes = append(c.result.Notes, Note{rung, note})
		c.Log.Debug("tried a rung", "server", o.Server.Name, "rung", rung.String(), "tools", len(tools), "note", note)
		if len(tools) > 0 {
			c.result.Tools, c.result.Rung = tools, rung
			break
		}
	}
	c.diagnose()
	return c.result, nil
}

// order is the rungs with the given one first.
func order(first Rung) []Rung {
	all := []Rung{OnStdout, OnStderr, Approved, Predicted}
	if i := slices.Index(all, first); i > 0 {
		all = append([]Rung{first}, slices.Delete(all, i, i+1)...)
	}
	return all
}

// A climb is one run up the ladder.
type climb struct {
	Options
	result   Result
	launched bool
	failure  error // of the launch
}

func (c *climb) try(ctx context.Context, rung Rung) (tools []catalog.Found, note string) {
	switch rung {
	case OnStdout, OnStderr:
		if c.Launch == nil {
			return nil, "the server cannot be launched a second time"
		}
		c.launch(ctx)
		text := c.result.Stdout
		if rung == OnStderr {
			text = c.result.Stderr
		}
		return c.read(text, rung)
	case Approved:
		return approved(c.Server.Name, c.Approved)
	case Predicted:
		if c.Predict == nil {
			return nil, "prediction is not configured"
		}
		tools, err := c.Predict.Predict(ctx, c.Server)
		if err != nil {
			return nil, err.Error()
		}
		return tools, fmt.Sprintf("%s predicted %d", c.Predict.model, len(tools))
	}
	return nil, ""
}

// launch starts the server, once for both rungs that read what it prints.
func (c *climb) launch(ctx context.Context) {
	if c.launched {
		return
	}
	c.launched = true
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	var stdout, stderr []byte
	stdout, stderr, c.failure = c.Launch(limited, discoveryEnvironment(), slices.Clone(bareRequest))
	c.result.Stdout, c.result.Stderr = head(stdout, maxText), head(stderr, maxText)
}

func (c *climb) read(text []byte, rung Rung) ([]catalog.Found, string) {
	tools, p := parse(text)
	switch {
	case len(tools) > 0:
		return tools, fmt.Sprintf("%d named by %s", len(tools), p)
	case len(text) > 0:
		return nil, fmt.Sprintf("%d bytes that name no tool", len(text))
	case c.failure != nil && rung == OnStdout:
		return nil, "nothing: " + clip(plain(c.failure.Error()), maxReason)
	}
	return nil, "nothing"
}

// diagnose reads the launch's failure, unless its output was of use.
func (c *climb) diagnose() {
	if !c.launched || c.result.Rung == OnStdout || c.result.Rung == OnStderr {
		return
	}
	d := Diagnose(c.result.Stderr, c.result.Stdout, endOf(c.failure))
	c.result.Diagnosis = &d
}

// endOf tells how a launch ended from its error, where that knows it.
func endOf(err error) Exit {
	var coded interface{ ExitCode() int }
	switch {
	case err == nil:
		return Exit{}
	case errors.As(err, &coded):
		return Exit{Exited: true, Code: coded.ExitCode()}
	case errors.Is(err, context.DeadlineExceeded):
		return Exit{}
	}
	return Exit{Failure: err.Error()}
}
