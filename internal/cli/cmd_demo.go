package cli

import (
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
	"toolcrib/internal/demo"
)

type demoFlags struct {
	http  string
	stdio bool
}

func newDemo(s *streams) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve agents with small servers that are part of this program",
		Long: `Start the gateway with the demo servers, which need nothing installed, and say
what to try. It listens on a loopback address and asks for no token.

Exit codes: 0 the agent went, or SIGTERM came and running calls had finished, 1 failure,
such as an address that cannot be listened on, 2 wrong usage, 130 stopped by Ctrl-C.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := demoConfig(s.getenv)
			if err != nil {
				return err
			}
			if f.stdio {
				if cmd.Flags().Changed("http") {
					return usageError{fmt.Errorf("--stdio and --http exclude each other")}
				}
				return s.serveGateway(cmd.Context(), c, nil, "", nil)
			}
			return s.serveGateway(cmd.Context(), c, nil, f.http, s.introduce)
		},
	}
	cmd.Flags().StringVar(&f.http, "http", "127.0.0.1:7332", "serve HTTP on this loopback `ADDR`")
	cmd.Flags().BoolVar(&f.stdio, "stdio", false, "serve one agent on standard input and output instead")
	return cmd
}

// demoConfig names the demo servers, each a child of this very program.
func demoConfig(getenv func(string) string) (config.Config, error) {
	self, err := os.Executable()
	if err != nil {
		return config.Config{}, fmt.Errorf("find this program for its demo servers: %w", err)
	}
	c := config.Config{
		HTTP:  config.HTTP{Auth: config.AuthNone, Page: config.PageActions},
		Trust: config.Trust{Pins: config.PinsOff}, // its servers are this program, and change with it
	}
	for _, name := range demo.Names() {
		args := []string{demoServerCommand, name}
		if name == "notes" {
			args = append(args, notesDir(getenv))
		}
		c.Servers = append(c.Servers, config.Server{Name: name, Type: config.Stdio, Command: self, Args: args})
	}
	return c, nil
}

// notesDir is where the demo's notes are kept.
func notesDir(getenv func(string) string) string {
	dir := stateDir(getenv)
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "toolcrib")
	}
	return filepath.Join(dir, "demo-notes")
}

// introduce says what runs and what to try with it.
func (s *streams) introduce(addr net.Addr) {
	url := "http://" + addr.String() + app.Endpoint
	fmt.Fprintf(s.out, "Toolcrib demo: one MCP endpoint, %s\n\nBehind it:\n", url)
	for _, name := range demo.Names() {
		fmt.Fprintf(s.out, "  %-12s %s\n", name, demo.Describe(name))
	}
	fmt.Fprintf(s.out, `
Notes are kept in %[2]s.

In a browser, http://%[3]s/ shows all of it, and calls as they happen.

Agents see eleven tools, by which they find and call those of the servers. Try them, in another terminal:

  call() { curl -s %[1]s -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H "Mcp-Name: $1" \
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'"$1"'","arguments":'"$2"',
         "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'; echo; }

  call search_tools '{"query":"work out a formula"}'
  call call_tool '{"tool":"calculator.evaluate","arguments":{"expression":"2 ^ 100 / 7"}}'
  call execute '{"script":"local n = notes.list_notes({}):await() return {notes = n, sum = calculator.add({a=1,b=2}):await()}"}'

  claude mcp add --transport http toolcrib %[1]s

  npx @modelcontextprotocol/inspector --cli %[1]s --method tools/list

Ctrl-C ends it.

`, url, notesDir(s.getenv), addr)
}
