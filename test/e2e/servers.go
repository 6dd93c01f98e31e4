package main

import (
	"context"
	"fmt"
	"path/filepath"
)

// A server is one of the real servers. Its entry is what the gateway's
// configuration says of it, and what Inspector is told of it directly.
type server struct {
	name  string
	entry map[string]any
}

// servers are all of them; the HTTP ones run already.
func (w *world) startServers(ctx context.Context) error {
	everything := filepath.Join(w.scripts, "server-everything", "dist", "index.js")
	stdio := func(env map[string]string, args ...string) map[string]any {
		e := map[string]any{"command": w.node, "args": args}
		if env != nil {
			e["env"] = env
		}
		return e
	}
	web, err := w.listen(ctx, "everything-http", []string{w.node, everything, "streamableHttp"})
	if err != nil {
		return err
	}
	events, err := w.listen(ctx, "everything-sse", []string{w.node, everything, "sse"})
	if err != nil {
		return err
	}
	w.memoryFile = filepath.Join(w.dir, "memory.jsonl")
	w.servers = []server{
		{"everything", stdio(nil, everything, "stdio")},
		{"web", map[string]any{"url": fmt.Sprintf("http://%s/mcp", web)}},
		{"events", map[string]any{"url": fmt.Sprintf("http://%s/sse", events), "type": "sse"}},
		{"files", stdio(nil, filepath.Join(w.scripts, "server-filesystem", "dist", "index.js"), w.filesDir)},
		{"memory", stdio(map[string]string{"MEMORY_FILE_PATH": w.memoryFile}, filepath.Join(w.scripts, "server-memory", "dist", "index.js"))},
	}
	return nil
}

// with is the server with one more setting.
func (s server) with(key string, value any) server {
	entry := map[string]any{key: value}
	for k, v := range s.entry {
		entry[k] = v
	}
	return server{s.name, entry}
}

func (w *world) server(name string) server {
	for _, s := range w.servers {
		if s.name == name {
			return s
		}
	}
	return server{}
}
