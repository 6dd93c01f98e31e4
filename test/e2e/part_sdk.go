package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/test/e2e/sdkclient"
)

// versions of the protocol that the SDK's client is told to speak.
var versions = []struct {
	era, version string
}{
	{"legacy", "2025-11-25"},
	{"modern", "2026-07-28"},
}

// sdkDirect shows what the SDK's client can do with the everything server.
func (w *world) sdkDirect(ctx context.Context) error {
	url, _ := w.server("web").entry["url"].(string)
	w.driveSDK(ctx, "direct SDK", sdkclient.Target{Transport: &mcp.StreamableClientTransport{Endpoint: url}, Version: "2025-11-25"}, "")
	return nil
}

// checkSDK drives the everything server through gateways in every combination
// of the agent's transport, the agent's era and the server's transport.
func checkSDK(ctx context.Context, w *world) error {
	overHTTP := func(g *gateway) mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: g.url()} }
	for _, name := range []string{"everything", "web", "events"} {
		shared, err := w.gateway(ctx, "single-"+name, w.server(name))
		if err != nil {
			return err
		}
		own, err := w.gateway(ctx, "own-"+name, w.server(name).with("sessions", "per_agent"))
		if err != nil {
			return err
		}
		path, err := w.config("sdk-"+name, w.server(name))
		if err != nil {
			return err
		}
		for _, v := range versions {
			label := fmt.Sprintf("SDK, %s on %s", v.era, name)
			w.driveSDK(ctx, label+" over HTTP", sdkclient.Target{Transport: overHTTP(shared), Version: v.version, Shared: true}, "")
			w.driveSDK(ctx, label+" over HTTP, per agent", sdkclient.Target{Transport: overHTTP(own), Version: v.version, Changing: v.era == "modern"}, "")
			w.driveSDK(ctx, label+" over stdio", sdkclient.Target{Transport: w.stdioTransport(path), Version: v.version}, "")
		}
	}
	g, err := w.gateway(ctx, "merged", w.servers...)
	if err != nil {
		return err
	}
	for _, v := range versions {
		w.driveSDK(ctx, fmt.Sprintf("SDK, %s on merged servers", v.era), sdkclient.Target{Transport: overHTTP(g), Version: v.version, Shared: true}, "everything")
	}
	w.tally.check("SDK: gateways on stdio end with their agent", w.waitUntilGone(w.known()))
	return nil
}

// stdioTransport starts a gateway as the SDK's stdio server.
func (w *world) stdioTransport(config string) mcp.Transport {
	cmd := exec.Command(w.toolcrib, "serve", "--config", config)
	cmd.Dir, cmd.Env = w.dir, w.environment()
	log, err := os.OpenFile(filepath.Join(w.logs, filepath.Base(config)+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		cmd.Stderr = io.Discard
	} else {
		cmd.Stderr = log
		w.files = append(w.files, log)
	}
	return &mcp.CommandTransport{Command: cmd, TerminateDuration: 12 * time.Second}
}

// driveSDK makes the SDK client's checks; server is the name in merged names,
// "" where nothing is renamed.
func (w *world) driveSDK(ctx context.Context, label string, t sdkclient.Target, server string) {
	t.Modern = t.Version >= "2026-07-28"
	t.Tool, t.Prompt, t.URI = sdkclient.Plain, sdkclient.Plain, sdkclient.Plain
	if server != "" {
		t.Tool = func(s string) string { return merged(server, "tools", s) }
		t.Prompt = func(s string) string { return merged(server, "prompts", s) }
		t.URI = func(s string) string { return merged(server, "resources", s) }
	}
	sdkclient.Check(ctx, t, func(name string, err error) { w.tally.check(label+": "+name, err) })
}
