package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type discoverFlags struct {
	timeout      time.Duration
	raw, json    bool
	env, headers []string
	dir          string
}

func newDiscover(s *streams) *cobra.Command {
	var f discoverFlags
	cmd := &cobra.Command{
		Use:   "discover [flags] URL | discover [flags] -- COMMAND ARGS...",
		Short: "Find out what one server offers, without a configuration",
		Long: `Start a server, or connect to one, and show what it offers. A server that does
not answer the protocol is started a second time, with variables that ask it to
list itself, and what it prints is searched for tools; each tool is shown with
how it was found and how sure that is. If nothing is found, what the server
wrote is read for the reason, and the next step is named.

Nothing is saved, and nothing of the server is left running. Of your environment
it gets what every server gets, and what --env names.

Exit codes: 0 the server answered, 2 wrong usage, 4 it did not answer the protocol,
whatever else was found, 130 stopped by Ctrl-C.`,
		Example: `  toolcrib discover -- npx -y @modelcontextprotocol/server-everything
  toolcrib discover --env GITHUB_TOKEN -- github-mcp-server stdio
  toolcrib discover --header "Authorization: Bearer $TOKEN" https://mcp.example.com/mcp`,
		RunE: func(cmd *cobra.Command, args []string) error {
			server, err := f.server(s, args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return s.inspect(cmd, f.json, func(i *inspection) error { return i.discover(server, f) })
		},
	}
	cmd.Flags().DurationVar(&f.timeout, "timeout", 10*time.Second, "how long each way of asking may take")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "also show what the server prints when it is started and asked for its tools without a handshake")
	cmd.Flags().StringArrayVar(&f.env, "env", nil, "set a `NAME=VALUE` for the server; NAME alone takes it from your environment")
	cmd.Flags().StringArrayVar(&f.headers, "header", nil, "send a `NAME: VALUE` with every request to a URL")
	cmd.Flags().StringVar(&f.dir, "cwd", "", "start the server in this `DIR`")
	jsonFlag(cmd, &f.json)
	return cmd
}

// server is what the arguments name; dash is how many of them stand before --.
func (f *discoverFlags) server(s *streams, args []string, dash int) (config.Server, error) {
	var server config.Server
	switch {
	case f.timeout <= 0:
		return server, usageError{fmt.Errorf("--timeout must be a time such as 10s")}
	case len(args) == 0:
		return server, usageError{fmt.Errorf("name a server: a URL, or -- and its command")}
	case dash == 0:
		server = config.Server{Name: filepath.Base(args[0]), Type: config.Stdio, Command: args[0], Args: args[1:], Dir: f.dir}
	case len(args) == 1 && dash < 0 && isURL(args[0]):
		server = config.Server{Name: args[0], Type: config.Streamable, URL: args[0]}
	case isURL(args[0]):
		return server, usageError{fmt.Errorf("one URL is enough")}
	default:
		return server, usageError{fmt.Errorf("%q is no URL: write http:// or https:// in front of an address, or -- in front of a command, as in toolcrib discover -- %s", args[0], commandLine(args))}
	}
	for _, pair := range f.env {
		name, value, given := strings.Cut(pair, "=")
		if !given {
			value = s.getenv(name)
		}
		if name == "" || (!given && value == "") {
			return server, usageError{fmt.Errorf("--env %s: write NAME=VALUE, or the NAME of a variable that is set", name)}
		}
		server.Env = with(server.Env, name, value)
	}
	for _, pair := range f.headers {
		name, value, ok := strings.Cut(pair, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return server, usageError{fmt.Errorf("--header must be NAME: VALUE")}
		}
		server.Headers = with(server.Headers, strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return server, nil
}

// commandLine is words as one would type them.
func commandLine(words []string) string {
	typed := make([]string, len(words))
	for i, word := range words {
		typed[i] = quoted(word)
	}
	return strings.Join(typed, " ")
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

func with(m map[string]string, name, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[name] = value
	return m
}

func (i *inspection) discover(server config.Server, f discoverFlags) error {
	i.progress.expect(1)
	i.progress.began(server.Name)
	found, err := app.Discover(i.ctx, server, i.app, app.DiscoverOptions{Timeout: f.timeout, Raw: f.raw})
	i.progress.close()
	if err != nil {
		return err
	}
	if failure := found.Failure; failure != nil {
		switch {
		case len(failure.Variables) > 0:
			failure.Next = "set it here with --env NAME=VALUE, and under env in the server's entry"
		case failure.Kind == app.NeedsLogin && server.URL != "":
			failure.Next = "send what it wants with --header NAME: VALUE, and put it under headers in the server's entry; for OAuth, put its url into the configuration and run toolcrib login NAME"
		case failure.Kind == app.NoAnswer:
			failure.Next = "give it more time with --timeout, or look at what it prints with --raw"
		case failure.Next == app.LookAtIt && !f.raw:
			failure.Next = "look at what it prints with --raw"
		case failure.Next == app.LookAtIt:
			failure.Next = "see below what it prints"
		}
	}
	if i.json {
		err = i.printJSON(discoveryJSON(server, found, f.raw))
	} else {
		err = i.printDiscovery(server, found, f.raw)
	}
	if err == nil && found.Failure != nil {
		err = exitError{exitServer}
	}
	return err
}
