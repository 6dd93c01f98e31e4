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

	"toolcrib/internal/config"
	"toolcrib/internal/web"
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

// shell is a server that is a script, with secrets.
func (c *canaries) shell(name, script string) config.Server {
	s := config.Server{Name: name, Type: config.Stdio, Command: "sh", Args: []string{"-c", script, "x", "--api-key", c.next()}, Env: map[string]string{}}
	for i := range 4 {
		s.Env[fmt.Sprintf("VALUE_%d", i)] = c.next()
	}
	return s
}

// talker is a server that answers, but with an error that tells everything.
const talker = `while read -r line; do id=$(echo "$line" | sed -n 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/p')
case "$line" in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}';;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"leak","inputSchema":{"type":"object"}}]}}';;
*'"tools/call"'*) env >&2; echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32000,"message":"denied for '$VALUE_0'","data":{"env":"'$VALUE_1' '$VALUE_2'"}}}';;
*'"notifications/'*) ;;
*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no '$VALUE_3'"}}';;
esac; done`

// S06: 30 secrets in all places where a configuration can have them, at servers that
// do their worst to tell them, are in no output: not in what agents get, in logs at
// their most talkative, in files that are kept, in what people are shown.
func TestS06SecretsNeverLeave(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the servers are shell scripts")
	}
	t.Parallel()
	var secret canaries
	sh := secret.shell
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all, _ := json.Marshal(r.Header)
		http.Error(w, fmt.Sprintf("bad credentials %s %s", all, r.URL), http.StatusTeapot)
	}))
	defer echo.Close()
	remote := func(name, path string) config.Server {
		return config.Server{
			Name: name, Type: config.Streamable, URL: echo.URL + path + "?key=" + secret.next(),
			Headers: map[string]string{"Authorization": "Bearer " + secret.next(), "X-Api-Key": secret.next()},
		}
	}
	c := config.Config{
		HTTP: config.HTTP{Auth: config.AuthNone, Page: config.PageActions}, Audit: config.Audit{File: filepath.Join(t.TempDir(), "audit.jsonl")},
		Servers: []config.Server{
			sh("dies", `env >&2; echo "$@" >&2; echo "Error: token $VALUE_0 is invalid" >&2; exit 1`),
			sh("prints", `env; echo "$@"; exec cat >/dev/null`),
			sh("talker", talker),
			sh("names", `echo "usage: set $VALUE_1" >&2; env | base64 >/dev/null; exit 3`),
			remote("web", "/mcp"), remote("sse", "/sse"),
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
	o := Options{StateDir: state, Metrics: true, Log: slog.New(slog.NewJSONHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	l := &leaking{t: t, c: c, o: o, s: serveHTTP(t, c, o)}
	outputs := map[string]string{}
	add := func(where, text string) { outputs[where] += text }
	for _, output := range outputsOfAGateway {
		output(l, add)
	}
	l.s.stop()
	<-l.s.end
	add("logs", logs.String())
	for _, dir := range []string{state, filepath.Dir(c.Audit.File)} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "engine") {
				return err
			}
			b, err := os.ReadFile(path)
			add("file "+filepath.Base(path), string(b))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, where := range []string{"logs", "/readyz", "/metrics", "config show", "refresh", "servers", "file audit.jsonl", "GET /servers", "GET " + web.Root + "/config", "POST " + web.Root + "/tools/{id}/call"} {
		if len(outputs[where]) < 20 {
			t.Errorf("nothing came out of %s: %q", where, outputs[where])
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

// S06: traces neither, also where they carry what calls do.
func TestS06TracesWithoutSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the servers are shell scripts")
	}
	spans := newCollector(t)
	spans.traces()
	var secret canaries
	o := watched(t)
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Tracing: config.Tracing{Arguments: true, Results: true}, Servers: []config.Server{secret.shell("talker", talker)},
	}, o)
	session := s.agent("2025-11-25", nil)
	use(t, session, "call_tool", map[string]any{"tool": "talker.leak", "arguments": map[string]any{"key": secret[0]}})
	use(t, session, "list_servers", nil)
	for _, span := range spans.await("tools/call list_servers", "tools/call leak") {
		if found := secret.leaks(span.String()); len(found) > 0 {
			t.Errorf("%v in %s", found, span)
		}
	}
}
