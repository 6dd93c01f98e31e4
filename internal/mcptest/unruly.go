package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Servers that end, hang or flood.

// mute reads everything and never answers.
func mute(ctx context.Context, s *streams) error {
	return s.untilEnd(ctx, func() { _, _ = io.Copy(io.Discard, s.in) })
}

// noread answers the first after=n messages (2 by default, a handshake) and then
// stops reading, without ending.
func noread(ctx context.Context, s *streams) error {
	left := s.args.num("after", 2)
	u := rules{eras: Dual}
	return s.converse(ctx, newGood(&u), u, hooks{received: func(ctx context.Context, c *conn, m message) bool {
		if left--; left >= 0 {
			return false
		}
		<-ctx.Done()
		return true
	}})
}

// untilEnd runs read, which ends with the input, but not longer than ctx.
func (s *streams) untilEnd(ctx context.Context, read func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		read()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		s.closeIn()
	}
	return nil
}

// exitNow says why on stderr and ends.
func exitNow(_ context.Context, s *streams) error {
	fmt.Fprintln(s.errOut, s.args.text("message", "error: API_KEY is not set; get one and start again"))
	return &ExitError{Code: s.args.num("code", 1)}
}

// exitMidcall ends when the tool= is called, echo by default, before any answer.
func exitMidcall(ctx context.Context, s *streams) error {
	u := rules{eras: Dual}
	return s.converse(ctx, newGood(&u), u, hooks{received: func(_ context.Context, c *conn, m message) bool {
		if calledTool(m) != s.args.text("tool", "echo") {
			return false
		}
		if half := s.args.num("half", 0); half > 0 { // dies with so many bytes of an answer written
			_ = s.out.raw(responseLine(m.id, say(strings.Repeat("x", half)), nil)[:half])
		}
		fmt.Fprintln(s.errOut, "fatal: died in the middle of a call")
		c.exit(s.args.num("code", 3))
		return true
	}})
}

// calledTool is the tool that m calls, "" if it is no such call.
func calledTool(m message) string {
	var p struct{ Name string }
	if m.method != "tools/call" || json.Unmarshal(m.params, &p) != nil {
		return ""
	}
	return p.Name
}

// slowStart does nothing for ms= milliseconds.
func slowStart(ctx context.Context, s *streams) error {
	if !pause(ctx, s.args.ms("ms", 1000)) {
		return nil
	}
	u := rules{eras: Dual}
	return s.converse(ctx, newGood(&u), u, hooks{})
}

// stderrFlood writes rate= bytes a second to stderr for seconds=, in lines, and
// is good on stdout meanwhile.
func stderrFlood(ctx context.Context, s *streams) error {
	ctx, cancel := context.WithCancel(ctx)
	flooded := make(chan struct{})
	go func() {
		defer close(flooded)
		flood(ctx, s.errOut, s.args.num("rate", 1<<20), s.args.num("seconds", 10))
	}()
	u := rules{eras: Dual}
	err := s.converse(ctx, newGood(&u), u, hooks{})
	cancel()
	<-flooded
	return err
}

func flood(ctx context.Context, w io.Writer, rate, seconds int) {
	const ticks = 50 // a second
	line := append(bytes.Repeat([]byte("noise "), 20), '\n')
	lines := bytes.Repeat(line, max(rate/ticks/len(line), 1))
	tick := time.NewTicker(time.Second / ticks)
	defer tick.Stop()
	for range seconds * ticks {
		if _, err := w.Write(lines); err != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// hugeLine answers the call of tool huge with bytes= bytes and no end of line:
// either x after x (the default) or, with valid=true, a JSON text that never ends.
// With at=start it does so at once, before any message.
func hugeLine(ctx context.Context, s *streams) error {
	if s.args.text("at", "call") == "start" {
		s.out.hold(func(w io.Writer) { writeEndless(ctx, w, json.RawMessage("0"), s.args) })
	}
	u := rules{eras: Dual}
	g := newGood(&u)
	g.tools = append(g.tools, tool{name: "huge", about: "Answers without end", run: func(ctx context.Context, _ *good, c *toolCall) (any, *rpcError) {
		s.out.hold(func(w io.Writer) { writeEndless(ctx, w, c.id, s.args) })
		return nil, nil
	}})
	return s.converse(ctx, g, u, hooks{})
}

func writeEndless(ctx context.Context, w io.Writer, id json.RawMessage, a args) {
	if a.on("valid") {
		if _, err := w.Write(append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":{"content":[{"type":"text","text":"`...)); err != nil {
			return
		}
	}
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for left := a.num("bytes", 1<<30); left > 0 && ctx.Err() == nil; left -= len(chunk) {
		if _, err := w.Write(chunk[:min(left, len(chunk))]); err != nil {
			return
		}
	}
}

// longLines is good and pads every answer to bytes= bytes, as real servers do.
func longLines(ctx context.Context, s *streams) error {
	u := rules{eras: Dual}
	pad := encode(strings.Repeat("p", s.args.num("bytes", 2<<20)))
	return s.converse(ctx, newGood(&u), u, hooks{write: func(c *conn, line []byte) error {
		if at := bytes.Index(line, []byte(`"result":{`)); at >= 0 {
			at += len(`"result":{`)
			long := append(append(append([]byte{}, line[:at]...), `"x-padding":`...), pad...)
			if line[at] != '}' {
				long = append(long, ',')
			}
			line = append(long, line[at:]...)
		}
		return c.streams.out.line(line)
	}})
}
