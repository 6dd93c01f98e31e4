// Command e2e puts servers that people use behind the gateway and drives them
// with clients that people use: the reference servers from npm, the official
// Inspector's command line, the Go SDK's client, and Claude Code and Codex where
// they can be installed.
//
//	Inspector, SDK, Claude Code ──► server               the answer to expect
//	Inspector, SDK, Claude Code ──► gateway ──► server   must be the same, byte for byte
//
//	scripted model ◄── Claude Code, Codex ──► gateway    whole agents get a task done
//
// Every check prints one line. At the end no process of the run may be left.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	if len(os.Args) > 1 && os.Args[1] == tapArg {
		code := runTap(ctx, os.Args[2:])
		stop()
		os.Exit(code)
	}
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program. Exit codes: 0 all checks passed, 1 not, 2 wrong
// flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("e2e", flag.ContinueOnError)
	fs.SetOutput(stderr)
	node := fs.String("node", "node", "Node binary")
	packages := fs.String("packages", "", "folder with the npm packages")
	claude := fs.String("claude", "", "Claude Code's command; without it its checks are skipped")
	codex := fs.String("codex", "", "Codex's command; without it its checks are skipped")
	toolcrib := fs.String("toolcrib", "", "gateway binary; without it only the direct checks are made")
	logs := fs.String("logs", ".cache/e2e", "where to leave logs")
	only := fs.String("only", "", "make only the parts whose name contains this: "+strings.Join(partNames(), ", "))
	if err := fs.Parse(args); err != nil {
		return 2
	}
	t := &tally{out: stdout}
	w, err := newWorld(*node, *packages, *claude, *codex, *toolcrib, *logs)
	if err != nil {
		fmt.Fprintf(stderr, "e2e: %v\n", err)
		return 1
	}
	w.tally = t
	if err := w.startServers(ctx); err != nil {
		t.check("the servers start", err)
	}
	for _, p := range parts {
		if ctx.Err() != nil || t.failed > 0 && len(w.servers) == 0 || !strings.Contains(p.name, *only) || p.gateway && *toolcrib == "" {
			continue
		}
		began := time.Now()
		fmt.Fprintf(stdout, "== %s\n", p.name)
		if err := p.do(ctx, w); err != nil {
			t.check(p.name+" could be run", err)
		}
		fmt.Fprintf(stdout, "   %.1f s\n", time.Since(began).Seconds())
	}
	w.close(ctx)
	if ctx.Err() != nil {
		t.check("the run was not interrupted", context.Cause(ctx))
	}
	fmt.Fprintf(stdout, "\n%d passed, %d failed\n", t.passed, t.failed)
	if t.failed > 0 {
		fmt.Fprintf(stderr, "e2e: logs of servers and gateways are in %s\n", w.logs)
		return 1
	}
	return 0
}

// A part is a group of checks.
type part struct {
	name    string
	gateway bool // needs the gateway
	do      func(context.Context, *world) error
}

var parts = []part{
	{"direct", false, checkDirect},
	{"raw", true, checkRaw},
	{"single", true, checkSingle},
	{"merged", true, checkMerged},
	{"stdio", true, checkStdio},
	{"sdk", true, checkSDK},
	{"script", true, checkScript},
	{"claude", true, checkClaude},
	{"agents", true, checkAgents},
	{"corpus", true, checkCorpus},
	{"newuser", true, checkNewUser},
	{"killed", true, checkKilled},
}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// absolute makes paths hold in children's working directories.
func absolute(paths ...*string) error {
	var errs []error
	for _, p := range paths {
		if *p == "" || !strings.ContainsRune(*p, filepath.Separator) {
			continue
		}
		abs, err := filepath.Abs(*p)
		*p = abs
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
