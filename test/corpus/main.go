// Command corpus discovers all real servers of test/internal/corpus, a few at a
// time. Every discovery prints one line.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"toolcrib/test/internal/corpus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program. Exit codes: 0 all is as it should be, 1 not, 2
// wrong flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("corpus", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var b corpus.Bench
	fs.StringVar(&b.Node, "node", "node", "Node binary")
	packages := fs.String("packages", "", "folder in which the npm packages were installed")
	fs.StringVar(&b.Toolcrib, "toolcrib", "", "binary under test")
	parallel := fs.Int("parallel", 2, "servers at once")
	only := fs.String("only", "", "discover only servers whose name contains this")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	b.Modules = filepath.Join(*packages, "node_modules")
	passed, failed, err := try(ctx, b, *only, max(1, *parallel), stdout)
	switch {
	case err != nil:
	case ctx.Err() != nil:
		err = fmt.Errorf("interrupted: %w", context.Cause(ctx))
	case passed+failed == 0:
		err = fmt.Errorf("no server's name contains %q", *only)
	}
	if err != nil {
		fmt.Fprintf(stderr, "corpus: %v\n", err)
		return 1
	}
	if failed > 0 {
		return 1
	}
	return 0
}

// An outcome is how a trial went.
type outcome struct {
	trial corpus.Trial
	took  time.Duration
	found string
	err   error
}

// try makes the trials, prints how each went, and counts them.
func try(ctx context.Context, b corpus.Bench, only string, parallel int, stdout io.Writer) (passed, failed int, err error) {
	for _, path := range []*string{&b.Modules, &b.Toolcrib} {
		if *path, err = filepath.Abs(*path); err != nil {
			return 0, 0, err
		}
	}
	dir, err := os.MkdirTemp("", "toolcrib-corpus-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	done := make(chan outcome)
	var work sync.WaitGroup
	places := make(chan struct{}, parallel)
	for i, t := range corpus.Trials() {
		if !strings.Contains(t.String(), only) {
			continue
		}
		work.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			began := time.Now()
			found, err := b.Try(ctx, t, filepath.Join(dir, fmt.Sprint(i)))
			done <- outcome{t, time.Since(began), found, err}
		})
	}
	go func() {
		work.Wait()
		close(done)
	}()
	fmt.Fprintf(stdout, line, "", "SERVER", "SECONDS", "CHOSEN BECAUSE", "FOUND")
	for o := range done {
		verdict, found := "ok", o.found
		if passed++; o.err != nil {
			passed, failed = passed-1, failed+1
			verdict, found = "FAIL", o.err.Error()
		}
		fmt.Fprintf(stdout, line, verdict, o.trial, fmt.Sprintf("%.1f", o.took.Seconds()), o.trial.Why(), found)
	}
	fmt.Fprintf(stdout, "\n%d passed, %d failed in %.0f s\n", passed, failed, time.Since(began).Seconds())
	return passed, failed, nil
}

// line is the format of the table's lines.
const line = "%-4s  %-50s  %7s  %-40s  %s\n"
