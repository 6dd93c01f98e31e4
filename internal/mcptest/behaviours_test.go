package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const discoverLine = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`

func TestProbe(t *testing.T) {
	for name, want := range map[string]int{"legacy": -32601, "legacy-32602": -32602} {
		t.Run(name, func(t *testing.T) {
			c := newRawClient(t, name)
			c.send(discoverLine)
			if got := errorCode(t, c.answer("1")); got != want {
				t.Errorf("code %d, want %d", got, want)
			}
			c.initialize()
			c.send(rawRequest(2, false, "tools/list", json.RawMessage(`{}`)))
			if m := c.answer("2"); m.err != nil {
				t.Errorf("tools/list: %s", m.err)
			}
		})
	}
	t.Run("silent-probe", func(t *testing.T) {
		c := newRawClient(t, "silent-probe")
		c.send(discoverLine)
		c.initialize() // answered first: the probe never was
	})
	t.Run("exit-probe", func(t *testing.T) {
		c := newRawClient(t, "exit-probe")
		c.send(discoverLine)
		if line, ok := <-c.lines; ok {
			t.Errorf("it wrote %s before it went", line)
		}
		newRawClient(t, "exit-probe").initialize()
	})
	for args, want := range map[string]int{"refuse=-32022": -32022, "refuse=-32601": -32601} {
		t.Run("modern/"+args, func(t *testing.T) {
			c := newRawClient(t, "modern", args)
			c.send(initializeLine)
			if got := errorCode(t, c.answer("0")); got != want {
				t.Errorf("code %d, want %d", got, want)
			}
			c.send(discoverLine)
			if m := c.answer("1"); !bytes.Contains(m.result, []byte(`"supportedVersions":["2026-07-28"]`)) {
				t.Errorf("discover: %s %s", m.result, m.err)
			}
		})
	}
}

func TestModernRequestsAreChecked(t *testing.T) {
	c := newRawClient(t, "good")
	for i, p := range []struct {
		params string
		want   int
	}{
		{`{}`, -32600}, // no era is known yet
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, -32602},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}`, -32022},
	} {
		c.send(rawRequest(10+i, false, "tools/list", json.RawMessage(p.params)))
		if got := errorCode(t, c.answer(string(encode(10+i)))); got != p.want {
			t.Errorf("%s: code %d, want %d", p.params, got, p.want)
		}
	}
}

func TestServersThatEnd(t *testing.T) {
	for _, c := range []struct {
		behaviour Behaviour
		input     string
		code      int
		stderr    string
	}{
		{Behaviour{"exit-now", []string{"code=7"}}, "", 7, "API_KEY"},
		{Behaviour{"exit-now", []string{"message=boo"}}, "", 1, "boo"},
		{Behaviour{"exit-midcall", nil}, rawRequest(1, true, "tools/call", json.RawMessage(`{"name":"echo","arguments":{"text":"a"}}`)) + "\n", 3, "fatal"},
	} {
		var stderr bytes.Buffer
		err := Serve(t.Context(), c.behaviour, io.MultiReader(strings.NewReader(c.input), blocked{t.Context()}), io.Discard, &stderr)
		var exit *ExitError
		if !errors.As(err, &exit) || exit.Code != c.code {
			t.Errorf("%v: %v, want code %d", c.behaviour, err, c.code)
		}
		if !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: stderr %q, want %q", c.behaviour, stderr.String(), c.stderr)
		}
	}
}

// blocked is an input that says nothing until the test ends.
type blocked struct{ ctx context.Context }

func (b blocked) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, io.EOF
}

func TestUnknownNamesAndArguments(t *testing.T) {
	for _, b := range []Behaviour{{"no-such", nil}, {"good", []string{"speed=1"}}, {"good", []string{"speed"}}, {"forks", nil}, {"ignore-term", nil}} {
		if err := Serve(t.Context(), b, strings.NewReader(""), io.Discard, io.Discard); err == nil {
			t.Errorf("%v was accepted", b)
		}
	}
}

func TestMuteSaysNothing(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader(discoverLine + "\n" + initializeLine + "\n")
	if err := Serve(t.Context(), Behaviour{Name: "mute"}, in, &out, io.Discard); err != nil || out.Len() > 0 {
		t.Errorf("%v, it wrote %s", err, out.String())
	}
}

func TestNoreadStopsReading(t *testing.T) {
	c := newRawClient(t, "noread", "after=1")
	c.send(discoverLine)
	c.answer("1")
	c.send(rawRequest(2, true, "tools/list", json.RawMessage(`{}`)))
	// A pipe in memory holds nothing: the writes that follow block at the latest
	// when the server's buffers are full.
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		line := []byte(strings.Repeat("x", 64<<10) + "\n")
		for {
			if _, err := c.in.Write(line); err != nil {
				return
			}
		}
	}()
	c.in.Close()
	receive(t, wrote)
}

func TestBannerIsNoise(t *testing.T) {
	c := newRawClient(t, "banner", "bytes=1000")
	c.send(discoverLine)
	noise := 0
	for {
		line := receive(t, c.lines)
		m, err := parseMessage([]byte(line))
		if err != nil {
			noise++
			continue
		}
		if m.result == nil {
			t.Fatalf("got %s", line)
		}
		break
	}
	if noise < len(bannerLines())+1000/64 {
		t.Errorf("%d lines of noise", noise)
	}
}

func TestEarlyRequestsAreAnswered(t *testing.T) {
	c := newRawClient(t, "early-requests")
	c.send(initializeLine)
	asked := 0
	for {
		m, err := parseMessage([]byte(receive(t, c.lines)))
		if err != nil {
			t.Fatal(err)
		}
		if m.isRequest() {
			asked++
			c.send(string(responseLine(m.id, nil, rpcErrorf(-32601, "no"))))
		}
		if string(m.id) == "0" {
			break
		}
	}
	if asked != 17 {
		t.Errorf("asked %d times before initialize was answered", asked)
	}
	c.send(rawRequest(2, false, "tools/call", json.RawMessage(`{"name":"replies"}`)))
	if m := c.answer("2"); !bytes.Contains(m.result, []byte(`"count":17`)) {
		t.Errorf("replies: %s %s", m.result, m.err)
	}
}

func TestLongAndHugeLines(t *testing.T) {
	s := client(t, inMemory(t, "long-lines"), "", nil)
	if got := textOf(t, callTool(t, s, "echo", map[string]any{"text": "x"})); got != "x" {
		t.Errorf("echo gave %q", got)
	}
	c := newRawClient(t, "long-lines", "bytes=3000000")
	c.send(discoverLine)
	if got := len(receive(t, c.lines)); got < 3_000_000 {
		t.Errorf("the line has %d bytes", got)
	}
	for _, args := range [][]string{{"bytes=300000"}, {"bytes=300000", "valid=true"}} {
		h := newRawClient(t, "huge-line", args...)
		h.send(rawRequest(1, true, "tools/call", json.RawMessage(`{"name":"huge"}`)))
		h.in.Close() // the end of its output ends the line
		if got := len(receive(t, h.lines)); got < 300_000 {
			t.Errorf("%v: the line has %d bytes", args, got)
		}
	}
}

func TestHugeLineAtStart(t *testing.T) {
	c := newRawClient(t, "huge-line", "bytes=300000", "at=start")
	c.in.Close()
	if got := len(receive(t, c.lines)); got < 300_000 {
		t.Errorf("the line has %d bytes", got)
	}
}

func TestTasks(t *testing.T) {
	c := newRawClient(t, "good")
	declared := func(id int, method, params string) message {
		line := rawRequest(id, true, method, json.RawMessage(params))
		c.send(strings.Replace(line, `clientCapabilities":{}`, `clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, 1))
		return c.answer(string(encode(id)))
	}
	if m := declared(1, "tools/call", `{"name":"job","arguments":{"ms":60000}}`); !bytes.Contains(m.result, []byte(`"resultType":"task"`)) || !bytes.Contains(m.result, []byte(`"taskId":"task-1"`)) {
		t.Errorf("started: %s %s", m.result, m.err)
	}
	for i, step := range [][2]string{
		{"tasks/get", `"status":"working"`},
		{"tasks/cancel", `"resultType":"complete"`},
		{"tasks/get", `"status":"cancelled"`},
	} {
		if m := declared(2+i, step[0], `{"taskId":"task-1"}`); !bytes.Contains(m.result, []byte(step[1])) {
			t.Errorf("%s: %s %s", step[0], m.result, m.err)
		}
	}
	declared(10, "tools/call", `{"name":"job"}`)
	if m := declared(11, "tasks/get", `{"taskId":"task-2"}`); !bytes.Contains(m.result, []byte("job done")) {
		t.Errorf("done: %s %s", m.result, m.err)
	}
	if got := errorCode(t, declared(12, "tasks/get", `{"taskId":"none"}`)); got != -32602 {
		t.Errorf("unknown task: %d", got)
	}
	c.send(rawRequest(13, true, "tasks/get", json.RawMessage(`{"taskId":"task-1"}`)))
	if got := errorCode(t, c.answer("13")); got != -32021 {
		t.Errorf("undeclared: %d", got)
	}
	c.send(rawRequest(14, true, "tools/call", json.RawMessage(`{"name":"job"}`)))
	if m := c.answer("14"); !bytes.Contains(m.result, []byte("job done")) {
		t.Errorf("without tasks: %s %s", m.result, m.err)
	}
}

func TestStderrFlood(t *testing.T) {
	var stderr bytes.Buffer
	in := strings.NewReader("")
	if err := Serve(t.Context(), Behaviour{"stderr-flood", []string{"rate=5000000", "seconds=1"}}, in, io.Discard, &stderr); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() < 50_000 {
		t.Errorf("stderr got %d bytes", stderr.Len())
	}
}

func TestSlowStart(t *testing.T) {
	c := newRawClient(t, "slow-start", "ms=50")
	c.send(discoverLine)
	c.answer("1")
}

func TestPages(t *testing.T) {
	for args, want := range map[string]int{"": 250, "fault=empty": 250, "fault=repeat": 252} {
		t.Run(args, func(t *testing.T) {
			var list []string
			if args != "" {
				list = append(list, args)
			}
			c := newRawClient(t, "pages", list...)
			got, cursor := 0, json.RawMessage(nil)
			for id := 1; id < 20; id++ {
				params := json.RawMessage(`{}`)
				if cursor != nil {
					params = encode(object{"cursor": cursor})
				}
				c.send(rawRequest(id, true, "tools/list", params))
				var page struct {
					Tools      []json.RawMessage
					NextCursor json.RawMessage
				}
				if err := json.Unmarshal(c.answer(string(encode(id))).result, &page); err != nil {
					t.Fatal(err)
				}
				got += len(page.Tools)
				if cursor = page.NextCursor; cursor == nil {
					break
				}
			}
			if got != want {
				t.Errorf("%d tools, want %d", got, want)
			}
		})
	}
}

func TestMalformedCorpus(t *testing.T) {
	corpus := Malformed()
	if len(corpus) < 200 {
		t.Errorf("%d cases, want 200", len(corpus))
	}
	names := map[string]bool{}
	for _, c := range corpus {
		if names[c.Name] {
			t.Errorf("two cases are named %s", c.Name)
		}
		names[c.Name] = true
		raw := c.Raw([]byte("1"))
		bad := 0
		for line := range bytes.SplitSeq(raw, []byte("\n")) {
			if !utf8.Valid(line) || !json.Valid(line) {
				bad++
			}
		}
		if (bad > 0) != (c.Kind == Syntax) {
			t.Errorf("%s has %d lines that are no JSON: %.100s", c.Name, bad, raw)
		}
	}
	c := newRawClient(t, "malformed")
	for i := range corpus {
		c.send(rawRequest(i+1, true, "tools/call", encode(object{"name": "malformed", "arguments": object{"case": i}})))
		want := strings.Split(string(corpus[i].Raw(encode(i+1))), "\n")
		for _, line := range want {
			if got := receive(t, c.lines); got != line {
				t.Fatalf("%s: got %.100q, want %.100q", corpus[i].Name, got, line)
			}
		}
		if got := receive(t, c.lines); !strings.Contains(got, "after ") {
			t.Fatalf("%s: no answer after it, but %.100s", corpus[i].Name, got)
		}
	}
}

func TestOddAnswersByteForByte(t *testing.T) {
	if len(OddToolDefinitions()) != len(oddTools()) {
		t.Error("tools of the same name")
	}
	for _, modern := range []bool{false, true} {
		c := newRawClient(t, "odd")
		if !modern {
			c.initialize()
		}
		for i, a := range OddAnswers() {
			c.send(rawRequest(i+1, modern, a.Method, a.Params))
			want := a.Legacy
			if modern {
				want = a.Modern
			}
			if !json.Valid(want) || bytes.Contains(want, []byte("@")) {
				t.Errorf("%s %s: not JSON: %s", a.Method, a.Name, want)
			}
			m := c.answer(string(encode(i + 1)))
			got := m.result
			if a.Error {
				got = m.err
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s %s: got %s, want %s", a.Method, a.Name, got, want)
			}
		}
	}
}

func TestOddOpeningsAreMCP(t *testing.T) {
	for _, d := range dialects {
		s := client(t, inMemory(t, "odd"), d.version, nil)
		res := s.InitializeResult()
		if res.ServerInfo != nil && res.ServerInfo.Version != "1.10" {
			t.Errorf("%s: %+v", d.name, res)
		}
		tools, err := s.ListTools(t.Context(), &mcp.ListToolsParams{})
		if err != nil || len(tools.Tools) != len(oddTools()) {
			t.Errorf("%s: tools %v, %v", d.name, tools, err)
		}
	}
}
