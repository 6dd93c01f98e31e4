package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"toolcrib/internal/config"
)

type serveFlags struct {
	config, http string
	noWatch      bool
}

func newServe(s *streams) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve agents with the servers of a configuration",
		Long: `Serve one agent on standard input and output, or with --http any number of them
at http://ADDR/mcp. Servers are started when they are first needed.

The configuration, and every file that it names or includes, is watched: a change is
in use at once, without disturbing servers that it is not about. A file that cannot
be used changes nothing, and the log says what is wrong with it.

Without --config, and without TOOLCRIB_CONFIG in the environment, the user's own
configuration is used: the first of toolcrib.yaml, toolcrib.json, toolcrib.jsonc and
toolcrib.toml in toolcrib in the user's configuration directory. One in the working
directory adds to it: that is a project's own file, whose servers are started once
"toolcrib trust" has shown them and you have approved them.

With OTEL_EXPORTER_OTLP_ENDPOINT in the environment traces and metrics are sent there.
Over HTTP, /metrics, /healthz and /readyz tell how the gateway is doing, and a browser
shows it at http://ADDR/: "toolcrib page" prints that with a login.

Over HTTP agents send a token as "Authorization: Bearer TOKEN". It is made at the
first start; the log says in which file it is. With "http.auth: oauth" in the
configuration tokens of an issuer are taken instead; with "http.auth: none" no token is
needed, and only loopback addresses are served. "http.tls" makes it https.

Exit codes: 0 the agent went, or SIGTERM came and running calls had finished, 1 failure,
such as an address that cannot be listened on, or a second signal, 2 wrong usage, 3 the
configuration is missing or invalid, 130 stopped by Ctrl-C.`,
		Example: `  toolcrib serve --config toolcrib.yaml
  toolcrib serve --http 127.0.0.1:7332`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			reader := s.reader()
			c, err := s.loadBy(reader, f.config)
			if err != nil {
				return err
			}
			var load func() (config.Config, error)
			if !f.noWatch {
				load = func() (config.Config, error) { return s.loadBy(reader, f.config) }
			}
			if in, ok := s.in.(*os.File); ok && f.http == "" {
				if _, _, person := screen(in); person {
					fmt.Fprintln(s.err, "toolcrib: an agent is expected on standard input, and this is a terminal; --http 127.0.0.1:7332 serves agents at an address, Ctrl-C ends this")
				}
			}
			return s.serveGateway(cmd.Context(), c, load, f.http, nil)
		},
	}
	configFlag(cmd, &f.config)
	cmd.Flags().StringVar(&f.http, "http", "", "serve HTTP on this `ADDR`, such as 127.0.0.1:7332, instead of standard input and output")
	cmd.Flags().BoolVar(&f.noWatch, "no-watch", false, "do not follow changes of the configuration and of the files that it names")
	return cmd
}
