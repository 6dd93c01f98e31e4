package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
)

// Servers that are reached over HTTP are discovered and listed as others are,
// whichever of its transports they speak.
func TestServersOverHTTP(t *testing.T) {
	for _, c := range []struct {
		name, entryType string
		options         mcptest.HTTPOptions
		answered        string
	}{
		{"modern", "http", mcptest.HTTPOptions{Eras: mcptest.ModernOnly}, "the protocol, 2026-07-28, modern"},
		{"legacy", "streamable-http", mcptest.HTTPOptions{Eras: mcptest.LegacyOnly}, "the protocol, 2025-11-25, legacy"},
		{"sse", "sse", mcptest.HTTPOptions{SSEOnly: true}, "legacy"},
		{"sse that is found out", "http", mcptest.HTTPOptions{SSEOnly: true}, "legacy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := mcptest.HTTP(t, &c.options)
			r := newRunner(t)
			out := r.run(0, "discover", server.URL)
			if !strings.Contains(out, c.answered) || !strings.Contains(out, "echo") {
				t.Errorf("discover:\n%s", out)
			}
			if out := r.run(0, "discover", "--raw", server.URL); !strings.Contains(out, "not started by us") {
				t.Errorf("discover --raw:\n%s", out)
			}
			var found struct{ Rung string }
			if err := json.Unmarshal([]byte(r.run(0, "discover", "--json", server.URL)), &found); err != nil || found.Rung != "protocol" {
				t.Errorf("discover --json: %v %+v", err, found)
			}
			file := r.write("servers:\n  there: {type: " + c.entryType + ", url: \"" + server.URL + "\"}\n")
			if out := r.run(0, "tools", "list", "--config", file); !strings.Contains(out, "there.echo") {
				t.Errorf("tools list:\n%s", out)
			}
			if out := r.run(0, "refresh", "--config", file); !strings.Contains(out, "unchanged") {
				t.Errorf("refresh:\n%s", out)
			}
			if out := r.run(0, "servers", "--config", file); !regexp.MustCompile(` listed \d+s ago\n`).MatchString(out) {
				t.Errorf("servers:\n%s", out)
			}
			server.Down()
			if out := r.run(4, "refresh", "--config", file); !strings.Contains(out, "known tools kept") || !strings.Contains(out, "next: check its url") {
				t.Errorf("refresh of one that is down:\n%s", out)
			}
		})
	}
}

// A server that wants a token says so, and gets the one that it is given.
func TestDiscoverWithAToken(t *testing.T) {
	server := mcptest.HTTP(t, &mcptest.HTTPOptions{Token: "sesame"})
	r := newRunner(t)
	if out := r.run(4, "discover", server.URL); !strings.Contains(out, "wants a login") || !strings.Contains(out, "--header") || !strings.Contains(out, "toolcrib login NAME") {
		t.Errorf("without it:\n%s", out)
	}
	out := r.run(0, "discover", "--header", "Authorization: Bearer sesame", server.URL)
	if !strings.Contains(out, "echo") || strings.Contains(out, "sesame") {
		t.Errorf("with it:\n%s", out)
	}
}

// A runner runs toolcrib in a directory of its own.
type runner struct {
	t   *testing.T
	dir string
}

func newRunner(t *testing.T) *runner { return &runner{t, t.TempDir()} }

func (r *runner) write(config string) (file string) {
	r.t.Helper()
	file = filepath.Join(r.dir, "toolcrib.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return file
}

// run returns what a command that must end with code prints.
func (r *runner) run(code int, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("toolcrib", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "GORACE="+quickExit)
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	_ = cmd.Run() // its code says it all
	if got := cmd.ProcessState.ExitCode(); got != code {
		r.t.Errorf("toolcrib %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, out.String(), errors.String())
	}
	return out.String()
}
