package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An answer is what Inspector printed.
type answer struct {
	Result json.RawMessage `json:"result"`
	code   int             // exit code
	text   string          // of stderr
}

// inspect runs Inspector's command line once against an entry.
func (w *world) inspect(ctx context.Context, entry map[string]any, era string, args ...string) (answer, error) {
	config, err := w.inspectorConfig(entry)
	if err != nil {
		return answer{}, err
	}
	defer os.Remove(config)
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	all := append([]string{w.inspector, "--cli", "--config", config, "--server", "it", "--protocol-era", era, "--format", "json", "--quiet"}, args...)
	cmd := exec.CommandContext(ctx, w.node, all...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = &out, &errOut, w.environment(), w.dir
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return answer{}, fmt.Errorf("inspector %s: %w %s", strings.Join(args, " "), errors.Join(err, ctx.Err()), errOut.String())
	}
	a := answer{code: cmd.ProcessState.ExitCode(), text: strings.TrimSpace(errOut.String())}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			return answer{}, fmt.Errorf("inspector printed %.200q: %w", out.String(), err)
		}
	}
	return a, nil
}

// inspectorConfig writes an entry as the configuration Inspector reads.
func (w *world) inspectorConfig(entry map[string]any) (string, error) {
	known := map[string]any{}
	for k, v := range entry {
		known[k] = v
	}
	if url, ok := entry["url"].(string); ok && entry["type"] == nil {
		known["type"] = "streamable-http"
		if strings.HasSuffix(url, "/sse") {
			known["type"] = "sse"
		}
	}
	if known["type"] == nil {
		known["type"] = "stdio"
	}
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"it": known}})
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(w.dir, "inspector-*.json")
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	return filepath.Join(w.dir, filepath.Base(f.Name())), errors.Join(err, f.Close())
}
