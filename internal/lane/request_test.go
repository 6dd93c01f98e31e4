package lane

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// requests are of every kind, and whether each is usual.
var requests = map[string]struct {
	text  string
	usual bool
}{
	"plain":             {post(`{"a":1}`), true},
	"empty":             {post(""), true},
	"names in any case": {"POST /mcp HTTP/1.1\r\nhOST: a\r\ncontent-LENGTH: 1\r\nx-THING: 1\r\n\r\nx", true},
	"no space":          {"POST /mcp HTTP/1.1\r\nHost:a\r\nContent-Length:1\r\n\r\nx", true},
	"space around":      {"POST /mcp HTTP/1.1\r\nHost:  \ta\t \r\nContent-Length: 1 \r\n\r\nx", true},
	"kept alive":        {post("x", "Connection: Keep-Alive"), true},
	"said twice":        {post("x", "X-A: 1", "X-B: 1", "X-A: 2", "x-a: 3"), true},
	"said empty":        {post("x", "X-A:"), true},
	"fetch of Node": {post("x", "connection: keep-alive", "content-type: application/json", "accept: application/json, text/event-stream",
		"mcp-session-id: abc", "accept-language: *", "sec-fetch-mode: cors", "user-agent: node", "accept-encoding: gzip, deflate"), true},
	"curl":               {post("x", "User-Agent: curl/7.88.1", "Accept: */*", "content-type: application/json"), true},
	"a long head":        {post("x", "Authorization: Bearer "+strings.Repeat("x", 5<<10)), true},
	"a longer head":      {post("x", "Authorization: Bearer "+strings.Repeat("x", 20<<10)), false},
	"long":               {post(strings.Repeat("x", 60<<10)), true},
	"too long":           {post(strings.Repeat("x", 64<<10)), false},
	"another path":       {strings.Replace(post("x"), "/mcp", "/mcq", 1), false},
	"a query":            {strings.Replace(post("x"), "/mcp", "/mcp?a=b", 1), false},
	"a whole address":    {strings.Replace(post("x"), "/mcp", "http://h/mcp", 1), false},
	"another method":     {strings.Replace(post("x"), "POST", "PUT", 1), false},
	"HTTP/1.0":           {strings.Replace(post("x"), "1.1", "1.0", 1), false},
	"closed after":       {post("x", "Connection: close"), false},
	"chunked":            {"POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", false},
	"expects":            {post("x", "Expect: 100-continue"), false},
	"a bad host":         {strings.Replace(post("x"), "127.0.0.1:1", "a/b", 1), false},
	"two hosts":          {post("x", "Host: b"), false},
	"no host":            {"POST /mcp HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", false},
	"no length":          {"POST /mcp HTTP/1.1\r\nHost: a\r\n\r\n", false},
	"two lengths":        {post("x", "Content-Length: 1"), false},
	"a length with plus": {"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", false},
	"zeros before":       {"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 01\r\n\r\nx", false},
	"a folded line":      {post("x", "X-A: 1", "  2"), false},
	"space before colon": {post("x", "X-A : 1"), false},
	"no name":            {post("x", ": 1"), false},
	"no colon":           {post("x", "X-A"), false},
	"a control byte":     {post("x", "X-A: \x01"), false},
	"not ASCII":          {post("x", "X-A: \xc3\xbc"), false},
	"bare line ends":     {"POST /mcp HTTP/1.1\nHost: a\nContent-Length: 1\n\nx", false},
	"many headers":       {post("x", slices.Repeat([]string{"X-A: 1"}, maxHeaders)...), false},
	"pragma":             {post("x", "Pragma: no-cache"), false},
	"half a head":        {"POST /mcp HTTP/1.1\r\nHost: a\r\n", false},
	"no HTTP":            {"\x16\x03\x01\x02\x00\x01", false},
}

// Usual requests are answered here, and all others by net/http, which has seen nothing of
// them missing.
func TestWhoAnswers(t *testing.T) {
	r := start(t, echo)
	plain := startAt(t, "", echo) // nothing is usual: what net/http alone makes of it
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		q := requests[name]
		t.Run(name, func(t *testing.T) {
			before := r.others.Load()
			status, body := r.ask(t, q.text)
			wantStatus, wantBody := plain.ask(t, q.text)
			if status != wantStatus || body != wantBody {
				t.Errorf("%d %.60q, net/http alone answers %d %.60q", status, body, wantStatus, wantBody)
			}
			if q.usual && r.others.Load() != before {
				t.Error("was handed on")
			}
			if !q.usual && status == http.StatusOK && r.others.Load() != before+1 {
				t.Error("was not handed on")
			}
		})
	}
}

// ask sends a text and nothing after it, and returns what is answered.
func (r *rig) ask(t *testing.T, text string) (int, string) {
	c := r.dial()
	defer c.Close()
	c.send(text)
	_ = c.CloseWrite()
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0, err.Error()
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, string(b)
}

// Whatever is taken for usual, net/http reads in the same way.
func FuzzUsualAsNetHTTP(f *testing.F) {
	for _, q := range requests {
		if len(q.text) < 1<<10 {
			f.Add([]byte(q.text))
			f.Add([]byte(q.text[strings.Index(q.text, "\n")+1:]))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		readAlike(t, text)
		readAlike(t, []byte(post("body", string(text))))
	})
}

func readAlike(t *testing.T, text []byte) {
	end := bytes.Index(text, headEnd)
	if end < 0 {
		return
	}
	h, usual := parseHead(text[:end+2], "/mcp")
	if !usual {
		return
	}
	want, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
	if err != nil {
		t.Fatalf("net/http refuses it: %v", err)
	}
	type read struct {
		Method, Target, Proto, Host string
		Header                      http.Header
		Length                      int64
		Encoding                    []string
		Close                       bool
	}
	got := read{"POST", "/mcp", "HTTP/1.1", h.host, h.header, int64(h.length), nil, false}
	if diff := cmp.Diff(read{want.Method, want.RequestURI, want.Proto, want.Host, want.Header, want.ContentLength, want.TransferEncoding, want.Close}, got); diff != "" {
		t.Fatalf("-net/http +lane\n%s", diff)
	}
	body, _ := io.ReadAll(want.Body)
	mine := text[end+len(headEnd):]
	if mine = mine[:min(len(mine), h.length)]; !bytes.Equal(body, mine) {
		t.Fatalf("net/http reads the body %q, not %q", body, mine)
	}
}

// A request may come in pieces, and the next one with the end of the last.
func TestPieces(t *testing.T) {
	r := start(t, echo)
	c := r.dial()
	head, body, _ := strings.Cut(post("first"), "first")
	c.send(head + body)
	c.send("fir")
	c.send("st" + post("second") + "PO")
	c.send("ST" + post("third")[4:])
	for _, want := range []string{"first", "second", "third"} {
		if resp, got := c.answer(); got != want || resp.StatusCode != http.StatusOK {
			t.Errorf("%d %q, want %q", resp.StatusCode, got, want)
		}
	}
	if n := r.others.Load(); n != 0 {
		t.Errorf("net/http got %d", n)
	}
}

// Room for a body is made as it comes, not as it is announced.
func TestAnnouncedOnly(t *testing.T) {
	rooms := make(chan int, 100)
	r := startOn(t, roomy{loopback(t), rooms}, "/mcp", echo)
	c := r.dial()
	body := strings.Repeat("x", 50<<10)
	text := post(body)
	c.send(text[:len(text)-len(body)])
	<-rooms
	if room := <-rooms; room > nextBuffer {
		t.Errorf("room for %d bytes, and none of them has come", room)
	}
	c.send(body)
	if _, got := c.answer(); got != body {
		t.Errorf("%d bytes", len(got))
	}
}

// roomy is a listener that tells how much room there is for each read.
type roomy struct {
	net.Listener
	rooms chan<- int
}

func (l roomy) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return roomyConn{c, l.rooms}, err
}

type roomyConn struct {
	net.Conn
	rooms chan<- int
}

func (c roomyConn) Read(p []byte) (int, error) {
	c.rooms <- len(p)
	return c.Conn.Read(p)
}

// A connection that turns unusual is net/http's from then on, with what it had sent.
func TestTurnsUnusual(t *testing.T) {
	r := start(t, echo)
	c := r.dial()
	c.send(post("one") + "POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n" + post("three"))
	for _, want := range []string{"one", "two", "three"} {
		if _, got := c.answer(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := r.others.Load(); n != 2 {
		t.Errorf("net/http got %d", n)
	}
}

// What a handler is given is what net/http gives it.
func TestRequestAsByNetHTTP(t *testing.T) {
	var seen []*http.Request
	r := startOn(t, everywhere{loopback(t)}, "/mcp", func(w http.ResponseWriter, q *http.Request) {
		seen = append(seen, q)
		echo(w, q)
	})
	for _, header := range []string{"X-A: 1", "Pragma: x"} { // which is not usual
		c := r.dial()
		c.send(post("hello", "User-Agent: test", header))
		c.answer()
	}
	mine, theirs := seen[0], seen[1]
	for _, q := range seen {
		q.Header.Del("X-A")
		q.Header.Del("Pragma")
	}
	if mine.Method != theirs.Method || mine.URL.String() != theirs.URL.String() || mine.RequestURI != theirs.RequestURI || mine.Proto != theirs.Proto ||
		mine.ProtoMajor != theirs.ProtoMajor || mine.ProtoMinor != theirs.ProtoMinor || mine.Host != theirs.Host || mine.ContentLength != theirs.ContentLength ||
		mine.TLS != nil || !cmp.Equal(mine.Header, theirs.Header) {
		t.Errorf("%+v\n%+v", mine, theirs)
	}
	if !strings.HasPrefix(mine.RemoteAddr, "127.0.0.1:") {
		t.Error(mine.RemoteAddr)
	}
	at := func(q *http.Request) string { return q.Context().Value(http.LocalAddrContextKey).(net.Addr).String() }
	if at(mine) != at(theirs) { // what guards against DNS rebinding asks for it
		t.Errorf("arrived at %s, says net/http, and the lane %s", at(theirs), at(mine))
	}
}

// everywhere is a listener that serves all addresses of its machine.
type everywhere struct{ net.Listener }

func (e everywhere) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4zero, Port: e.Listener.Addr().(*net.TCPAddr).Port}
}

// Some clients end a body with a line end that is no part of it. Like net/http, the lane
// overlooks them, whoever answers what follows.
func TestStrayLineEnds(t *testing.T) {
	r := start(t, echo)
	plain := startAt(t, "", echo)
	unusual := strings.Replace(post("two"), "/mcp", "/mcp?", 1)
	for _, pieces := range [][]string{ // the first answer is read before the second of them is sent
		{post("one") + "\r\n" + post("two")},
		{post("one") + "\r\n", post("two")},
		{post("one"), "\r\n", post("two")},
		{post("one"), "\r", "\n\r", "\n" + post("two")},
		{post("one") + "\n\n\n\n" + post("two")},
		{post("one") + "\r\n" + unusual},
		{post("one"), "\r\n" + unusual},
	} {
		for _, r := range []*rig{r, plain} {
			c := r.dial()
			for i, text := range pieces {
				c.send(text)
				if i == 0 {
					c.answer()
				}
			}
			if resp, got := c.answer(); got != "two" || resp.StatusCode != http.StatusOK {
				t.Errorf("%q: %d %q", pieces, resp.StatusCode, got)
			}
		}
	}
}
