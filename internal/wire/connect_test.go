package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/mcptest"
)

// dialer starts servers in memory and counts them.
type dialer struct {
	t     *testing.T
	start func() (io.ReadCloser, io.WriteCloser)
	links []*StdioLink
}

func (d *dialer) dial() (Link, error) {
	from, stdin := d.start()
	to := newBuffered(stdin)
	l := NewStdioLink(to, from, StdioLinkOptions{
		Receiver: newHeard(),
		Close:    func() error { to.Close(); return from.Close() },
		Explain:  func(err error) error { return fmt.Errorf("%w (explained)", err) },
	})
	d.links = append(d.links, l)
	d.t.Cleanup(func() { l.Close() })
	return l, nil
}

// buffered is a writer that takes a few lines before anybody reads them, as a
// real pipe does.
type buffered struct {
	io.WriteCloser
	lines chan []byte
	ended chan struct{}
	once  sync.Once
}

func newBuffered(w io.WriteCloser) *buffered {
	b := &buffered{WriteCloser: w, lines: make(chan []byte, 100), ended: make(chan struct{})}
	go func() {
		defer b.Close()
		for {
			select {
			case line := <-b.lines:
				if _, err := w.Write(line); err != nil {
					return
				}
			case <-b.ended:
				return
			}
		}
	}()
	return b
}

func (b *buffered) Write(p []byte) (int, error) {
	select {
	case b.lines <- slices.Clone(p):
		return len(p), nil
	case <-b.ended:
		return 0, io.ErrClosedPipe
	}
}

func (b *buffered) Close() error {
	b.once.Do(func() { close(b.ended) })
	return b.WriteCloser.Close()
}

// open counts the links that are not closed.
func (d *dialer) open() (n int) {
	for _, l := range d.links {
		if l.Err() == nil {
			n++
		}
	}
	return n
}

const (
	testProbe = 5 * time.Second
	testStart = 30 * time.Second
)

func TestConnectStdio(t *testing.T) {
	for _, c := range []struct {
		server      string
		args        []string
		era, prefer Era
		want        Era // 0 for an error
		dials       int
		says        string // the version, or a part of the error
		took        time.Duration
	}{
		{server: "good", want: Modern, dials: 1, says: VersionModern},
		{server: "good", prefer: Modern, want: Modern, dials: 1, says: VersionModern},
		{server: "good", prefer: Legacy, want: Legacy, dials: 1, says: Version202511},
		{server: "good", era: Legacy, want: Legacy, dials: 1, says: Version202511},
		{server: "good", era: Modern, prefer: Legacy, want: Modern, dials: 1, says: VersionModern},
		{server: "legacy", want: Legacy, dials: 1, says: Version202511},
		{server: "legacy", prefer: Modern, want: Legacy, dials: 1, says: Version202511},
		{server: "legacy", args: []string{"version=2024-11-05"}, want: Legacy, dials: 1, says: Version202411},
		{server: "legacy", args: []string{"version=1999-01-01"}, dials: 2, says: `protocol version "1999-01-01"; this gateway speaks [2025-11-25`},
		{server: "legacy", era: Modern, dials: 1, says: "server/discover: method not found"},
		{server: "legacy-32602", want: Legacy, dials: 1, says: Version202511},
		{server: "modern", want: Modern, dials: 1, says: VersionModern},
		{server: "modern", prefer: Legacy, want: Modern, dials: 1, says: VersionModern},
		{server: "modern", era: Legacy, dials: 1, says: "initialize: unsupported protocol version"},
		{server: "silent-probe", want: Legacy, dials: 2, says: Version202511, took: testProbe},
		{server: "silent-probe", era: Legacy, want: Legacy, dials: 1, says: Version202511},
		{server: "silent-probe", era: Modern, dials: 1, says: "server/discover: not started in time", took: testStart},
		{server: "exit-probe", want: Legacy, dials: 2, says: Version202511},
		{server: "mute", dials: 2, says: "initialize: not started in time", took: testStart},
		{server: "exit-now", dials: 2, says: "(explained)"},
		{server: "exit-now", era: Modern, dials: 1, says: "(explained)"},
		{server: "slow-start", args: []string{"ms=4000"}, want: Modern, dials: 1, says: VersionModern, took: 4 * time.Second},
		{server: "slow-start", args: []string{"ms=6000"}, want: Legacy, dials: 2, says: Version202511, took: 11 * time.Second},
		{server: "slow-start", args: []string{"ms=40000"}, dials: 2, says: "initialize: not started in time", took: testStart},
	} {
		name := strings.Join(append([]string{c.server, c.era.String(), c.prefer.String()}, c.args...), " ")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &dialer{t: t, start: func() (io.ReadCloser, io.WriteCloser) { return mcptest.Pipe(t, c.server, c.args...) }}
				ctx, cancel := context.WithTimeoutCause(t.Context(), testStart, errors.New("not started in time"))
				defer cancel()
				began := time.Now()
				l, h, err := ConnectStdio(ctx, d.dial, Identity{}, c.era, c.prefer, testProbe)
				if took := time.Since(began); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				if len(d.links) != c.dials {
					t.Errorf("%d processes were started, want %d", len(d.links), c.dials)
				}
				if c.want == 0 {
					if err == nil || l != nil || h != nil || !strings.Contains(err.Error(), c.says) {
						t.Errorf("got %v, want %q in it", err, c.says)
					}
					if d.open() > 0 {
						t.Errorf("%d processes are left", d.open())
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if h.Era != c.want || h.Version != c.says || d.open() != 1 {
					t.Errorf("got %v %s, %d processes", h.Era, h.Version, d.open())
				}
				usable(t, l, h)
			})
		})
	}
}

// usable lists the tools of a server, in its era.
func usable(t *testing.T, l Link, h *Hello) {
	t.Helper()
	var params []byte
	if h.Era == Modern {
		params = fmt.Appendf(nil, `{"_meta":%s}`, Identity{}.meta())
	}
	result, err := l.Call(t.Context(), &Outgoing{Method: MethodToolsList, Params: params})
	if err != nil || !strings.Contains(string(result), `"name":"echo"`) {
		t.Errorf("tools/list: %.200s, %v", result, err)
	}
	if string(Find(h.ServerInfo, "name")) != `"mcptest"` || h.Instructions == "" || Find(h.Capabilities, "tools") == nil || len(h.Raw) == 0 {
		t.Errorf("it said %+v", h)
	}
}

func TestDualServerIsRememberedAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &dialer{t: t, start: func() (io.ReadCloser, io.WriteCloser) { return mcptest.Pipe(t, "good") }}
		_, h, err := ConnectStdio(t.Context(), d.dial, Identity{}, 0, Legacy, testProbe)
		if err != nil || !h.Speaks(Modern) || !h.Speaks(Legacy) {
			t.Errorf("got %+v, %v", h, err)
		}
	})
}

// scriptedServers answers each request by a function; "" is silence.
func scriptedServers(t *testing.T, answer func(process int, m Message) string) *dialer {
	process := 0
	var mu sync.Mutex
	return &dialer{t: t, start: func() (io.ReadCloser, io.WriteCloser) {
		process++
		n := process
		stdin, to := io.Pipe()
		from, stdout := io.Pipe()
		go func() {
			defer stdout.Close()
			defer stdin.Close()
			lines := bufio.NewScanner(stdin)
			for lines.Scan() {
				m, err := Parse(lines.Bytes())
				if err != nil {
					t.Errorf("%s: %v", lines.Bytes(), err)
				}
				if m.Kind != Request {
					continue
				}
				mu.Lock()
				text := answer(n, m)
				mu.Unlock()
				if text != "" {
					fmt.Fprintf(stdout, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, text)
				}
			}
		}()
		return from, to
	}}
}

func TestConnectStdioOddServers(t *testing.T) {
	const (
		initialized = `"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"odd"}}`
		unknown     = `"error":{"code":-32601,"message":"unknown"}`
	)
	discovered := func(versions string) string { return `"result":{"supportedVersions":[` + versions + `]}` }
	for name, c := range map[string]struct {
		answer  func(process int, m Message) string
		want    Era
		dials   int
		says    string
		methods string // what it was asked, over all processes
	}{
		"modern server that was too slow for the probe": {
			answer: func(process int, m Message) string {
				switch {
				case process == 1:
					return ""
				case m.Method == MethodDiscover:
					return discovered(`"2026-07-28"`)
				}
				return unknown
			},
			want: Modern, dials: 2, says: VersionModern, methods: "server/discover initialize server/discover",
		},
		"says no to everything": {
			answer: func(int, Message) string { return unknown },
			dials:  2, says: "initialize: unknown (-32601)", methods: "server/discover initialize initialize server/discover",
		},
		"names only legacy versions": {
			answer: func(_ int, m Message) string {
				if m.Method == MethodDiscover {
					return discovered(`"2025-06-18"`)
				}
				return initialized
			},
			want: Legacy, dials: 1, says: Version202506, methods: "server/discover initialize",
		},
		"names no version": {
			answer: func(_ int, m Message) string {
				if m.Method == MethodDiscover {
					return `"result":{}`
				}
				return initialized
			},
			want: Legacy, dials: 1, says: Version202506, methods: "server/discover initialize",
		},
		"malformed answer to server/discover": {
			answer: func(_ int, m Message) string {
				if m.Method == MethodDiscover {
					return `"result":[]`
				}
				return initialized
			},
			want: Legacy, dials: 2, says: Version202506, methods: "server/discover initialize",
		},
		"malformed answer to initialize": {
			answer: func(_ int, m Message) string {
				if m.Method == MethodDiscover {
					return unknown
				}
				return `"result":7`
			},
			dials: 2, says: "initialize: the answer to initialize is malformed: expected an object", methods: "server/discover initialize initialize",
		},
		"claims the legacy era and refuses it": {
			answer: func(process int, m Message) string {
				if m.Method == MethodDiscover {
					return discovered(`"2026-07-28","2025-11-25"`)
				}
				return unknown
			},
			want: Modern, dials: 2, says: VersionModern, methods: "server/discover initialize initialize server/discover",
		},
		"confused by the probe": {
			answer: func(process int, m Message) string {
				switch {
				case m.Method == MethodDiscover:
					return unknown
				case process == 1:
					return "" // no longer knows what to do
				}
				return initialized
			},
			want: Legacy, dials: 2, says: Version202506, methods: "server/discover initialize initialize",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				d := scriptedServers(t, func(process int, m Message) string {
					asked = append(asked, m.Method)
					return c.answer(process, m)
				})
				ctx, cancel := context.WithTimeout(t.Context(), testStart)
				defer cancel()
				_, h, err := ConnectStdio(ctx, d.dial, Identity{}, 0, Legacy, testProbe)
				synctest.Wait()
				if len(d.links) != c.dials || strings.Join(asked, " ") != c.methods {
					t.Errorf("%d processes, asked %v", len(d.links), asked)
				}
				switch {
				case c.want == 0:
					if err == nil || !strings.Contains(err.Error(), c.says) || d.open() > 0 {
						t.Errorf("got %v, want %q in it; %d processes left", err, c.says, d.open())
					}
				case err != nil:
					t.Error(err)
				case h.Era != c.want || h.Version != c.says || d.open() != 1:
					t.Errorf("got %v %s, %d processes", h.Era, h.Version, d.open())
				}
			})
		})
	}
}

func TestConnectStdioCannotStart(t *testing.T) {
	dials := 0
	missing := errors.New("command is not on PATH")
	l, h, err := ConnectStdio(t.Context(), func() (Link, error) { dials++; return nil, missing }, Identity{}, 0, 0, testProbe)
	if !errors.Is(err, missing) || err.Error() != missing.Error() || l != nil || h != nil || dials != 1 {
		t.Errorf("got %v after %d starts", err, dials)
	}
}

func TestConnectStdioIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &dialer{t: t, start: func() (io.ReadCloser, io.WriteCloser) { return mcptest.Pipe(t, "mute") }}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err := ConnectStdio(ctx, d.dial, Identity{}, 0, 0, testProbe)
		if !errors.Is(err, context.DeadlineExceeded) || len(d.links) != 1 || d.open() > 0 {
			t.Errorf("got %v, %d processes started, %d left", err, len(d.links), d.open())
		}
	})
}

func TestWhoWeSayWeAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		d := scriptedServers(t, func(_ int, m Message) string {
			sent = append(sent, string(m.Params))
			return `"error":{"code":-1,"message":"no"}`
		})
		l, _ := d.dial()
		for _, id := range []Identity{{}, {ClientInfo: []byte(`{"name":"me"}`), Capabilities: []byte(`{"roots":{}}`)}} {
			Discover(t.Context(), l, id)
			Handshake(t.Context(), l, id)
		}
		want := []string{
			`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"toolcrib","version":"dev"},"io.modelcontextprotocol/clientCapabilities":{}}}`,
			`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"toolcrib","version":"dev"}}`,
			`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"me"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}`,
			`{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"me"}}`,
		}
		if !slices.Equal(sent, want) {
			t.Errorf("sent %q", sent)
		}
	})
}

func TestSpeaks(t *testing.T) {
	for _, c := range []struct {
		h              Hello
		legacy, modern bool
	}{
		{Hello{Era: Legacy}, true, false},
		{Hello{Era: Modern}, false, true},
		{Hello{Era: Modern, Versions: []string{VersionModern}}, false, true},
		{Hello{Era: Modern, Versions: []string{VersionModern, Version202411}}, true, true},
		{Hello{Era: Legacy, Versions: []string{VersionModern, Version202411}}, true, true},
	} {
		if c.h.Speaks(Legacy) != c.legacy || c.h.Speaks(Modern) != c.modern {
			t.Errorf("%+v: legacy %v, modern %v", c.h, c.h.Speaks(Legacy), c.h.Speaks(Modern))
		}
	}
}
