// Command bench measures what the gateway costs, in one run and on one machine.
//
//	load client ──► echo server                      direct: the floor
//	load client ──► raw gateway ──► echo server      what any gateway costs
//	load client ──► toolcrib    ──► echo server      what ours costs
//	                    └──► collector               and with every call traced
//
// Every process but the load client is a child of its own, so that the CPU and
// memory of a gateway are its own. The targets take turns within each round, and
// a ratio compares two measurements of the same round: on a noisy machine
// numbers of two different runs cannot be compared.
//
// Two more figures are about what the gateway knows: building a snapshot of many
// tools, and how soon after its start it answers for servers that it has listed
// before.
//
// The echo server and the raw gateway are subcommands of this program. They
// exist to be measured against and leave out whatever a product needs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program. Exit codes: 0 measured, 1 a call failed or a
// process did not start, 2 wrong flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if part, ok := parts[args[0]]; ok {
			if err := part(ctx, args[1:]); err != nil && ctx.Err() == nil {
				fmt.Fprintf(stderr, "bench %s: %v\n", args[0], err)
				return 1
			}
			return 0
		}
	}
	o, err := parseOptions(args, stderr)
	if err != nil {
		return 2
	}
	b := &bench{options: o, log: stderr}
	defer b.close()
	result, err := b.run(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	if o.profiles != "" {
		return 0
	}
	result.compare()
	if o.json {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(result)
	} else {
		err = result.print(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: write the result: %v\n", err)
		return 1
	}
	if n := result.failures(); n > 0 {
		fmt.Fprintf(stderr, "bench: %d calls failed; the first: %s\n", n, result.FirstFailure)
		return 1
	}
	return 0
}

// parts are the processes that a measurement consists of.
var parts = map[string]func(context.Context, []string) error{
	"upstream-http":  serveUpstreamHTTP,
	"upstream-stdio": serveUpstreamStdio,
	"gateway-raw":    serveRawGateway,
	"gateway-ours":   serveOurGateway,
	guardCommand:     guardOurGateway,
	"snapshot":       buildSnapshots,
	"collector":      serveCollector,
}

type options struct {
	rounds  int
	scale   float64
	only    string
	targets []string
	json    bool

	profiles string // a folder: write profiles and measure nothing
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	rounds := fs.Int("rounds", 3, "interleaved rounds")
	scale := fs.Float64("scale", 1, "multiplies the number of calls")
	quick := fs.Bool("quick", false, "one round of a few calls: shows that everything works, measures little")
	only := fs.String("only", "", "run only cases whose name (such as http/legacy/echo-8, snapshot/1000 or warm-start/50) contains this")
	targets := fs.String("targets", "direct,raw,ours,traced", "what to measure")
	profiles := fs.String("profile", "", "instead of measuring, write CPU and allocation profiles of the gateways into this folder")
	asJSON := fs.Bool("json", false, "print JSON instead of tables")
	if err := fs.Parse(args); err != nil {
		return options{}, err
	}
	if fs.NArg() > 0 {
		fmt.Fprintf(stderr, "bench: unexpected argument %q; use --help\n", fs.Arg(0))
		return options{}, flag.ErrHelp
	}
	o := options{rounds: max(1, *rounds), scale: *scale, only: *only, targets: strings.Split(*targets, ","), json: *asJSON, profiles: *profiles}
	if *quick {
		o.rounds, o.scale = 1, 0.02
	}
	return o, nil
}
