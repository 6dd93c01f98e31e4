package mcptest

import (
	"context"
	"fmt"
	"strings"
)

// Servers that write what nobody asked for.

// bannerLines are what real servers print on stdout.
func bannerLines() []string {
	return []string{
		"Starting server...",
		"\x1b[32m[info]\x1b[0m listening on stdio",
		`{"level":"info","msg":"connected","time":1700000000}`,
		`[1,2,3]`,
		`"just a string"`,
		"",
		"{ not json",
		"Content-Length: 42",
		"\xff\xfe not utf-8",
	}
}

// banner is good and prints lines that are not JSON-RPC on stdout, before the
// first message and before each other one. Argument bytes= makes the opening
// banner that long.
func banner(ctx context.Context, s *streams) error {
	lines := bannerLines()
	_ = s.out.raw([]byte(strings.Join(lines, "\n") + "\n"))
	if n := s.args.num("bytes", 0); n > 0 {
		_ = s.out.raw([]byte(strings.Repeat("loading plugin                                                 \n", n/64+1)))
	}
	u := rules{eras: Dual}
	next := 0
	return s.converse(ctx, newGood(&u), u, hooks{write: func(c *conn, line []byte) error {
		c.mu.Lock()
		noise := lines[next%len(lines)]
		next++
		c.mu.Unlock()
		return c.streams.out.raw([]byte(noise + "\n" + string(line) + "\n"))
	}})
}

// earlyRequests is a legacy server that sends notifications and requests before
// it answers initialize, and asks roots/list asks= times (15) although nobody
// declared roots. Tool replies says how many of its requests were answered.
func earlyRequests(ctx context.Context, s *streams) error {
	u := rules{eras: LegacyOnly}
	g := newGood(&u)
	replies := 0
	g.tools = append(g.tools, tool{name: "replies", about: "Returns how many early requests were answered", run: func(context.Context, *good, *toolCall) (any, *rpcError) {
		g.mu.Lock()
		defer g.mu.Unlock()
		return show(object{"count": replies}), nil
	}})
	return s.converse(ctx, g, u, hooks{received: func(_ context.Context, c *conn, m message) bool {
		if m.method == "" && strings.Contains(string(m.id), "early") {
			g.mu.Lock()
			replies++
			g.mu.Unlock()
			return true
		}
		if m.method == "initialize" {
			c.notify("notifications/message", object{"level": "info", "data": "starting"})
			_ = c.write(requestLine("early-log", "log/write", object{"text": "a log line as a request"}))
			_ = c.write(requestLine("early-ping", "ping", nil))
			c.notify("notifications/tools/list_changed", nil)
			for i := range s.args.num("asks", 15) {
				_ = c.write(requestLine(fmt.Sprintf("early-roots-%d", i), "roots/list", nil))
			}
		}
		return false
	}})
}
