package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, file, src string) Config {
	t.Helper()
	c, err := Parse(file, []byte(src))
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return c
}

const fullYAML = `# all keys
servers:
  files:
    command: npx
    args: [-y, "@modelcontextprotocol/server-filesystem@2026.1.14", 8080, true]
    env:
      PORT: 8080
      DEBUG: true
      NAME: "a: b"
    cwd: /srv
    era: legacy
    sessions: per_agent
    max_in_flight: 8
    start_timeout: 90s
    probe_timeout: 2s
    call_timeout: 1m30s
    queue_timeout: 500ms
    idle_timeout: never
mcpServers:
  remote:
    type: streamableHttp
    url: https://mcp.example.com/mcp
    headers: {Authorization: Bearer x}
    disabled: true
  old: {type: sse, url: "http://127.0.0.1:9/sse"}
disclosure:
  surface: auto
  auto_tokens: 9000
  first_call: full
  max_result: 5000
  essential: [deploy, "github.*"]
  caller_header: X-Client-Id
http:
  auth: none
  allowed_hosts: [tools.example.com]
  allowed_origins: ["https://app.example.com"]
`

const fullJSON = `{
	// all keys
	"$schema": "https://example.com/schema.json",
	"servers": {
		"files": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-filesystem@2026.1.14", 8080, true,],
			"env": {"PORT": 8080, "DEBUG": true, "NAME": "a: b"},
			"cwd": "/srv",
			"era": "legacy", "sessions": "per_agent", "max_in_flight": 8,
			"start_timeout": "90s", "probe_timeout": "2s", "call_timeout": "1m30s",
			"queue_timeout": "500ms", "idle_timeout": "never",
		},
	},
	"mcpServers": {
		"remote": {"type": "streamable-http", "url": "https://mcp.example.com/mcp",
			"headers": {"Authorization": "Bearer x"}, "disabled": true},
		"old": {"type": "sse", "url": "http://127.0.0.1:9/sse"},
	},
	"disclosure": {"surface": "auto", "auto_tokens": 9000, "first_call": "full", "max_result": 5000, "essential": ["deploy", "github.*"], "caller_header": "X-Client-Id"},
	"http": {"auth": "none", "allowed_hosts": ["tools.example.com"], "allowed_origins": ["https://app.example.com"]},
} // end`

const fullTOML = `# all keys
[servers.files]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem@2026.1.14", 8_080, true]
env = {PORT = 0x1F90, DEBUG = true, NAME = 'a: b'}
cwd = "/srv"
era = "legacy"
sessions = "per_agent"
max_in_flight = 8
start_timeout = 90000
probe_timeout = "2s"
call_timeout = "1m30s"
queue_timeout = "500ms"
idle_timeout = "never"

[mcpServers.remote]
type = "streamableHttp"
url = "https://mcp.example.com/mcp"
disabled = true
[mcpServers.remote.headers]
Authorization = "Bearer x"

[mcpServers]
old = {type = "sse", url = "http://127.0.0.1:9/sse"}

[disclosure]
surface = "auto"
auto_tokens = 9000
first_call = "full"
max_result = 5000
essential = ["deploy", "github.*"]
caller_header = "X-Client-Id"

[http]
auth = "none"
allowed_hosts = ["tools.example.com"]
allowed_origins = ["https://app.example.com"]
`

func TestEveryKeyInAllSyntaxes(t *testing.T) {
	want := Config{
		Servers: []Server{
			{
				Name: "files", Type: Stdio, Command: "npx",
				Args: []string{"-y", "@modelcontextprotocol/server-filesystem@2026.1.14", "8080", "true"},
				Env:  map[string]string{"PORT": "8080", "DEBUG": "true", "NAME": "a: b"},
				Dir:  "/srv", Era: EraLegacy, Sessions: SessionsPerAgent, MaxInFlight: 8,
				StartTimeout: 90 * time.Second, ProbeTimeout: 2 * time.Second, CallTimeout: 90 * time.Second,
				QueueTimeout: 500 * time.Millisecond, IdleTimeout: Never,
			},
			{
				Name: "remote", Type: Streamable, URL: "https://mcp.example.com/mcp",
				Headers: map[string]string{"Authorization": "Bearer x"}, Disabled: true,
			},
			{Name: "old", Type: SSE, URL: "http://127.0.0.1:9/sse"},
		},
		Disclosure: Disclosure{Surface: Auto, AutoTokens: 9000, FirstCall: FirstCallFull, MaxResult: 5000, Essential: []string{"deploy", "github.*"}, CallerHeader: "X-Client-Id"},
		HTTP: HTTP{
			Auth: AuthNone, AllowedHosts: []string{"tools.example.com"},
			AllowedOrigins: []string{"https://app.example.com"},
		},
	}
	for _, c := range []struct {
		file, src string
		at        []Position
	}{
		{"toolcrib.yaml", fullYAML, []Position{{3, 3}, {20, 3}, {25, 3}}},
		{"toolcrib.json", fullJSON, []Position{{5, 3}, {16, 3}, {18, 3}}},
		{"toolcrib.toml", fullTOML, []Position{{2, 10}, {16, 13}, {24, 1}}},
		{"noextension", fullJSON, []Position{{5, 3}, {16, 3}, {18, 3}}},
	} {
		want.File = c.file
		for i := range want.Servers {
			want.Servers[i].At = c.at[i]
		}
		got := parse(t, c.file, c.src)
		got.Used, got.Private = nil, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, diff)
		}
	}
}

func TestTypeFollowsFromCommandOrURL(t *testing.T) {
	c := parse(t, "a.yaml", "servers:\n  a: {command: x}\n  b: {url: http://h}\n")
	if c.Servers[0].Type != Stdio || c.Servers[1].Type != Streamable {
		t.Errorf("types %q and %q", c.Servers[0].Type, c.Servers[1].Type)
	}
}

func TestYAMLAnchorsAndMerge(t *testing.T) {
	c := parse(t, "a.yaml", `servers:
  a: &base
    command: x
    env: &env {A: 1}
    call_timeout: 5s
  b:
    <<: *base
    command: y
  c: {command: z, env: *env}
`)
	b := c.Servers[1]
	if b.Command != "y" || b.CallTimeout != 5*time.Second || b.Env["A"] != "1" || c.Servers[2].Env["A"] != "1" {
		t.Errorf("merged: %+v", c.Servers)
	}
}

func TestYAMLTextForms(t *testing.T) {
	c := parse(t, "a.yaml", "servers:\n  'ünï':\n    command: |\n      two\n      lines\n    args: ['it''s', \"a\\tb\", !!str 007, é ü]\n")
	s := c.Servers[0]
	if s.Name != "ünï" || s.Command != "two\nlines\n" {
		t.Errorf("name %q command %q", s.Name, s.Command)
	}
	if diff := cmp.Diff([]string{"it's", "a\tb", "007", "é ü"}, s.Args); diff != "" {
		t.Error(diff)
	}
}

func TestCommentedOutParts(t *testing.T) {
	c := parse(t, "a.yaml", "servers:\n  a:\n    command: x\n    args:\n    env:\nmcpServers:\nhttp:\ndisclosure:\n")
	if len(c.Servers) != 1 || len(c.Servers[0].Args) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestByteOrderMarkAndCRLF(t *testing.T) {
	for file, src := range map[string]string{
		"a.yaml": "\ufeffservers:\r\n  a:\r\n    command: x\r\n",
		"a.json": "\ufeff{\r\n\"servers\": {\"a\": {\"command\": \"x\"}}}\r\n",
	} {
		if c := parse(t, file, src); c.Servers[0].Command != "x" {
			t.Errorf("%s: %q", file, c.Servers[0].Command)
		}
	}
}

func TestWarnings(t *testing.T) {
	if c := parse(t, "a.json", "{}"); len(c.Warnings) != 1 {
		t.Errorf("no servers: %+v", c.Warnings)
	}
}

func TestManyKeys(t *testing.T) {
	file := func(n int) string {
		var b strings.Builder
		b.WriteString("servers:\n  a:\n    command: x\n    env:\n")
		for i := range n {
			fmt.Fprintf(&b, "      K%d: v\n", i)
		}
		return b.String()
	}
	if c := parse(t, "a.yaml", file(3000)); len(c.Servers[0].Env) != 3000 {
		t.Errorf("%d variables", len(c.Servers[0].Env))
	}
	// The parser's time grows with the square of the keys: this would take it minutes.
	_, err := Parse("a.yaml", []byte(file(200_000)))
	if err == nil || !strings.Contains(err.Error(), "too many keys") {
		t.Errorf("200,000 keys: %v", err)
	}
}
