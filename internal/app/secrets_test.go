package app

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
)

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// canaries are secrets that can be told wherever they turn up.
type canaries []string

func (c *canaries) next() string {
	*c = append(*c, fmt.Sprintf("CANARY-%02d-c0ffee", len(*c)))
	return (*c)[len(*c)-1]
}

// leaks are those that a text has, also where it is encoded.
func (c canaries) leaks(text string) (found []string) {
	for _, one := range c {
		if strings.Contains(text, one) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(one))) {
			found = append(found, one)
		}
	}
	return found
}

// S06: 30 secrets in all places where a configuration can have them, at servers that
// do their worst to tell them, are in no output: not in what agents get, in logs at
// their most talkative, in files that are kept, in what people are shown.
func TestS06SecretsNeverLeave(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the servers are shell scripts")
	}
	t.Parallel()
	var secret canaries
	sh := func(name, script string) config.Server {
		s := config.Server{Name: name, Type: config.Stdio, Command: "sh", Args: []string{"-c", script, "x", "--api-key", secret.next()}, Env: map[string]string{}}
		for i := range 4 {
			s.Env[fmt.Sprintf("VALUE_%d", i)] = secret.next()
		}
		return s
	}
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all, _ := json.Marshal(r.Header)
		http.Error(w, fmt.Sprintf("bad credentials %s %s", all, r.URL), http.StatusTeapot)
	}))
	defer echo.Close()
	web := func(name, path string) config.Server {
		return config.Server{
			Name: name, Type: config.Streamable, URL: echo.URL + path + "?key=" + secret.next(),
			Headers: map[string]string{"Authorization": "Bearer " + secret.next(), "X-Api-Key": secret.next()},
		}
	}
	// One that answers, but with an error that tells everything.
	const talker = `while read -r line; do id=$(echo "$line" | sed -n 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/p')
case "$line" in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}';;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"leak","inputSchema":{"type":"object"}}]}}';;
*'"tools/call"'*) env >&2; echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32000,"message":"denied for '$VALUE_0'","data":{"env":"'$VALUE_1' '$VALUE_2'"}}}';;
*'"notifications/'*) ;;
*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no '$VALUE_3'"}}';;
esac; done`
	c := config.Config{
		HTTP: openHTTP, Audit: config.Audit{File: filepath.Join(t.TempDir(), "audit.jsonl")},
		Servers: []config.Server{
			sh("dies", `env >&2; echo "$@" >&2; echo "Error: token $VALUE_0 is invalid" >&2; exit 1`),
			sh("prints", `env; echo "$@"; exec sleep 60`),
			sh("talker", talker),
			sh("names", `echo "usage: set $VALUE_1" >&2; env | base64 >/dev/null; exit 3`),
			web("web", "/mcp"), web("sse", "/sse"),
		},
		Discovery: config.Discovery{Timeout: 300 * time.Millisecond},
	}
	c.Servers[5].Type = config.SSE
	c.Servers[4].OAuth.ClientSecret = secret.next()
	for i := range c.Servers {
		c.Servers[i].ProbeTimeout, c.Servers[i].StartTimeout = 300*time.Millisecond, time.Second
	}
	for len(secret) < 30 {
		c.Servers[2].Env["MORE_"+fmt.Sprint(len(secret))] = secret.next()
	}
	if len(secret) != 30 {
		t.Fatalf("%d canaries", len(secret))
	}
	var logs safeBuffer
	state := t.TempDir()
	o := Options{StateDir: state, Log: slog.New(slog.NewJSONHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	outputs := map[string]string{}
	s := serveHTTP(t, c, o)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		session := s.agent(version, nil)
		for _, call := range []struct {
			name string
			args map[string]any
		}{
			{"list_servers", nil},
			{"list_tools", map[string]any{"detail_level": "full"}},
			{"call_tool", map[string]any{"tool": "talker.leak", "arguments": map[string]any{}}},
			{"execute", map[string]any{"script": "local v, err = talker.leak({}):try(); print(err); result(tostring(err))", "ledger": true}},
			{"execute", map[string]any{"script": "result(talker.leak({}):await())"}},
			{"inspect_tool_response", map[string]any{"tool": "talker.leak", "allow_side_effects": true}},
			{"tool_details", map[string]any{"tools": "talker.leak"}},
			{"search_tools", map[string]any{"query": "leak"}},
			{"list_server_tools", map[string]any{"server": "dies"}},
		} {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.name, Arguments: call.args})
			raw, _ := json.Marshal(result)
			outputs["agent "+version+" "+call.name] += fmt.Sprint(string(raw), err)
		}
		for _, server := range c.Servers {
			_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "toolcrib://" + server.Name + "/file:///x"})
			outputs["agent "+version+" reads "+server.Name] = fmt.Sprint(err)
		}
	}
	in, err := Inspect(c, o)
	if err != nil {
		t.Fatal(err)
	}
	told, err := in.Refresh(t.Context(), nil, RefreshOptions{Timeout: 2 * time.Second})
	for _, one := range told {
		outputs["refresh"] += fmt.Sprintf("%+v %v\n", one, one.Failure)
	}
	outputs["refresh"] += fmt.Sprint(err)
	for _, state := range in.Servers(in.Snapshot()) {
		if state.Known != nil {
			outputs["servers"] += fmt.Sprintf("%+v %+v\n", state, state.Known.Failure())
		}
	}
	for _, server := range c.Servers {
		d, err := Discover(t.Context(), server, o, DiscoverOptions{Timeout: 500 * time.Millisecond, Raw: true})
		outputs["discover "+server.Name] = fmt.Sprint(err)
		if d != nil {
			outputs["discover "+server.Name] += fmt.Sprintf("%s %s %+v %+v", d.Stdout, d.Stderr, d.Failure, d.Notes)
			for _, tool := range d.Server.Tools() {
				outputs["discover "+server.Name] += string(tool.Raw())
			}
		}
	}
	outputs["config show"] = c.YAML() + c.JSON()
	s.stop()
	<-s.end
	outputs["logs"] = logs.String()
	for _, dir := range []string{state, filepath.Dir(c.Audit.File)} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "engine") {
				return err
			}
			b, err := os.ReadFile(path)
			outputs["file "+filepath.Base(path)] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for where, text := range outputs {
		if found := secret.leaks(text); len(found) > 0 {
			t.Errorf("%s: %v in\n%s", where, found, text[:min(len(text), 3000)])
		}
	}
	if !strings.Contains(outputs["agent 2025-11-25 call_tool"], "denied for ***") {
		t.Errorf("the servers did not do their worst: %s", outputs["agent 2025-11-25 call_tool"])
	}
	if !strings.Contains(outputs["discover dies"], "token *** is invalid") {
		t.Errorf("what a server writes is not shown any more: %s", outputs["discover dies"])
	}
}
