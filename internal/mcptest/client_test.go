package mcptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// rawClient writes lines and reads lines, and understands nothing.
type rawClient struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string // closed when the server's output ends
}

func newRawClient(t *testing.T, name string, args ...string) *rawClient {
	t.Helper()
	out, in := Pipe(t, name, args...)
	c := &rawClient{t: t, in: in, lines: make(chan string, 10_000)}
	stopped := make(chan struct{})
	t.Cleanup(func() { close(stopped) })
	go func() {
		defer close(c.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				select {
				case c.lines <- strings.TrimSuffix(line, "\n"):
				case <-stopped:
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

func (c *rawClient) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatalf("send %.100s: %v", line, err)
	}
}

// answer reads lines until the response to id comes, and returns it.
func (c *rawClient) answer(id string) message {
	c.t.Helper()
	for {
		m, err := parseMessage([]byte(receive(c.t, c.lines)))
		if err == nil && m.method == "" && string(m.id) == id {
			return m
		}
	}
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"}}`

// request is a request line of either era.
func rawRequest(id int, modern bool, method string, params json.RawMessage) string {
	p := string(params)
	if modern {
		p = strings.Replace(p, "{", "{"+modernMeta+",", 1)
		p = strings.Replace(p, ",}", "}", 1)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, p)
}

const initializeLine = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// initialize opens a legacy session.
func (c *rawClient) initialize() {
	c.t.Helper()
	c.send(initializeLine)
	if m := c.answer("0"); m.err != nil {
		c.t.Fatalf("initialize: %s", m.err)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func errorCode(t *testing.T, m message) int {
	t.Helper()
	var e struct{ Code int }
	if m.err == nil {
		t.Fatalf("got the result %.200s, want an error", m.result)
	}
	if err := json.Unmarshal(m.err, &e); err != nil {
		t.Fatal(err)
	}
	return e.Code
}
