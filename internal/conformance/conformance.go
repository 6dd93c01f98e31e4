// Package conformance drives the gateway's own HTTP client through the client
// scenarios of the protocol's conformance suite.
//
// The suite starts a server for each scenario, runs a command with the server's
// address, and judges by what arrives. The scenario's name and what it needs to
// know come in the environment. Everything that goes over the wire is done by
// package wire, as it is toward real servers; what is here only decides what to
// ask for.
package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"toolcrib/internal/wire"
)

// What the suite says in the environment.
const (
	envScenario = "MCP_CONFORMANCE_SCENARIO"
	envContext  = "MCP_CONFORMANCE_CONTEXT"
)

// timeout ends a scenario that hangs; the suite itself waits a little longer.
const timeout = 25 * time.Second

// A run is one scenario on its way.
type run struct {
	url     string
	details details
	log     *slog.Logger
}

// details are what a scenario tells its client.
type details struct {
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

// Client runs the scenario that the environment names against the server at
// url, and writes what happens to log.
func Client(ctx context.Context, url string, getenv func(string) string, log io.Writer) error {
	name := getenv(envScenario)
	r := &run{url: url, log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	if text := getenv(envContext); text != "" {
		if err := json.Unmarshal([]byte(text), &r.details); err != nil {
			return fmt.Errorf("read %s: %w", envContext, err)
		}
	}
	scenario, ok := scenarios[name]
	switch {
	case ok:
	case strings.HasPrefix(name, "auth/"):
		scenario = (*run).authorized
	default:
		return fmt.Errorf("unknown scenario %q: the suite names one in %s", name, envScenario)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := scenario(r, ctx); err != nil {
		return fmt.Errorf("scenario %s: %w", name, err)
	}
	return nil
}

// session is a connected server.
type session struct {
	link  wire.Link
	hello *wire.Hello
	id    wire.Identity
	log   *slog.Logger
	tools map[string][]byte // definitions by name
	names []string          // in the order they were listed
	elicit
}

// connect opens a link to the scenario's server. answers are given to whatever
// it asks for; nil declares that nothing may be asked.
func (r *run) connect(ctx context.Context, oauth wire.OAuthHandler, answers elicit) (*session, error) {
	s := &session{log: r.log, elicit: answers, tools: map[string][]byte{}}
	s.id.ClientInfo = []byte(`{"name":"toolcrib-conformance","version":"1"}`)
	if answers != nil {
		s.id.Capabilities = []byte(`{"elicitation":{}}`)
	}
	o := wire.HTTPClientOptions{URL: r.url, Receiver: s, Identity: s.id, OAuth: oauth, Log: r.log}
	var err error
	s.link, s.hello, err = wire.ConnectHTTP(ctx, o, 0, false, 5*time.Second)
	if err != nil {
		return nil, err
	}
	r.log.Info("connected", "era", s.hello.Era.String(), "version", s.hello.Version)
	return s, nil
}
