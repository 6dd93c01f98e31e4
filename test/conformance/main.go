// Command conformance runs the protocol's own conformance suite against the
// gateway in pass-through, with the Go SDK's conformance server behind it, and
// against the gateway's client.
//
//	suite ──► server                    direct: what the server itself can do
//	suite ──► gateway ──► server        the same must work through the gateway
//	gateway's client ──► suite
//
// A run is straight where agent and server speak the same era, and then every
// scenario has to pass; it is crossed where they do not, and then the scenarios
// that no gateway could bridge are the ones docs/conformance.md lists by name.
// A listed scenario that passes fails the run as much as an unlisted one that
// does not.
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
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program. Exit codes: 0 all as it should be, 1 not, 2 wrong
// flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("conformance", flag.ContinueOnError)
	fs.SetOutput(stderr)
	node := fs.String("node", "node", "Node binary")
	suite := fs.String("suite", "", "folder of the npm package @modelcontextprotocol/conformance")
	toolcrib := fs.String("toolcrib", "", "gateway binary; without it only the direct runs are made")
	server := fs.String("server", "", "the Go SDK's conformance server, built")
	doc := fs.String("doc", "docs/conformance.md", "the list of what cannot be bridged")
	out := fs.String("out", ".cache/conformance", "where to leave the results and logs")
	only := fs.String("only", "", "make only the runs whose name contains this")
	scenario := fs.String("scenario", "", "run only this scenario")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	listed, err := readListed(*doc)
	if err != nil {
		fmt.Fprintf(stderr, "conformance: %v\n", err)
		return 1
	}
	for _, path := range []*string{out, toolcrib, server} { // children have another working directory
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			fmt.Fprintf(stderr, "conformance: %v\n", err)
			return 1
		}
	}
	if err := os.RemoveAll(*out); err != nil {
		fmt.Fprintf(stderr, "conformance: %v\n", err)
		return 1
	}
	l := &lab{
		suite:    suiteAt{node: *node, dir: *suite, scenario: *scenario},
		toolcrib: *toolcrib, server: *server, results: *out, log: stderr,
	}
	defer l.close()
	var reports []*report
	for _, r := range plan() {
		if !strings.Contains(r.name, *only) && !(r.kind == direct && neededBy(r, *only)) {
			continue
		}
		if r.kind != direct && *toolcrib == "" {
			continue
		}
		fmt.Fprintf(stderr, "running %s, %s\n", r.name, r.revision)
		got, err := l.do(ctx, r)
		if err != nil {
			fmt.Fprintf(stderr, "conformance: %s, %s: %v\n", r.name, r.revision, err)
			return 1
		}
		reports = append(reports, judge(r, got, reports, listed))
	}
	if !printReports(stdout, reports, *out) {
		return 1
	}
	return 0
}

// neededBy says whether a selected run is compared with this direct one.
func neededBy(baseline planned, only string) bool {
	for _, r := range plan() {
		if r.baseline == baseline.name && strings.Contains(r.name, only) {
			return true
		}
	}
	return false
}
