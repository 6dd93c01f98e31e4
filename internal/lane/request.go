package lane

import (
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// maxHeaders is how many a usual request has.
const maxHeaders = 40

// request reads the request that has begun. It tells whether all of it is usual; if not,
// what was read stays where it is.
func (c *conn) request() (*http.Request, bool) {
	end := bytes.Index(c.buf, headEnd)
	if end < 0 {
		return nil, false
	}
	h, ok := parseHead(c.buf[:end+2], c.l.o.Path)
	size := end + len(headEnd) + h.length
	if !ok || size > maxRequest || !c.rest(size) {
		return nil, false
	}
	c.used = size
	c.body.rest = c.buf[size-h.length : size]
	r := *c.like
	r.Header, r.Host, r.ContentLength, r.Body = h.header, h.host, int64(h.length), &c.body
	return &r, true
}

var headEnd = []byte("\r\n\r\n")

// rest reads until there are size bytes. Room is made for them as they come: whoever
// announces them has not shown yet who it is.
func (c *conn) rest(size int) bool {
	if len(c.buf) >= size {
		return true
	}
	c.readUntil(time.Now().Add(restWait))
	for len(c.buf) < size {
		if len(c.buf) == cap(c.buf) {
			bigger := make([]byte, len(c.buf), min(size, max(2*cap(c.buf), nextBuffer)))
			copy(bigger, c.buf)
			c.buf = bigger
		}
		n, err := c.rwc.Read(c.buf[len(c.buf):min(size, cap(c.buf))])
		c.buf = c.buf[:len(c.buf)+n]
		if err != nil && len(c.buf) < size {
			return false
		}
	}
	return true
}

// A head is what is said before the body of a usual request.
type head struct {
	header http.Header
	host   string
	length int // of the body
}

// parseHead reads the lines of a head, each with its end. It is false for what is not
// well-formed, and for what asks for more than an answer.
func parseHead(b []byte, path string) (h head, usual bool) {
	text := string(b)
	line, rest, _ := strings.Cut(text, "\r\n")
	if len(line) != len("POST  HTTP/1.1")+len(path) || line[:5] != "POST " || line[5:5+len(path)] != path || line[5+len(path):] != " HTTP/1.1" {
		return h, false
	}
	n := strings.Count(rest, "\r\n")
	if n > maxHeaders {
		return h, false
	}
	values := make([]string, n) // one for all headers that have one value
	h.header, h.length = make(http.Header, n), -1
	for rest != "" {
		line, rest, _ = strings.Cut(rest, "\r\n")
		name, value, found := strings.Cut(line, ":")
		if !found || !isToken(name) || !isText(value) {
			return h, false
		}
		value = textproto.TrimString(value)
		switch name = canonical(name); name {
		case "Host":
			if h.host != "" || !isHost(value) {
				return h, false
			}
			h.host = value
			continue
		case "Content-Length":
			if h.length >= 0 {
				return h, false
			}
			if h.length = number(value); h.length < 0 {
				return h, false
			}
		case "Connection":
			if !strings.EqualFold(value, "keep-alive") {
				return h, false
			}
		case "Transfer-Encoding", "Trailer", "Expect", "Upgrade", "Pragma":
			return h, false
		}
		if said := h.header[name]; said != nil {
			h.header[name] = append(said, value)
			continue
		}
		values[0] = value
		h.header[name], values = values[:1:1], values[1:]
	}
	return h, h.host != "" && h.length >= 0
}

// canonical is a header's name as net/http writes it.
func canonical(name string) string {
	if known := usualNames[name]; known != "" {
		return known
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

// usualNames are those that agents send, as they are written by most.
var usualNames = func() map[string]string {
	all := map[string]string{}
	for _, name := range []string{
		"Host", "Content-Length", "Content-Type", "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Connection", "User-Agent", "Origin",
		"Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Sec-Fetch-Mode", "Traceparent", "Tracestate", "Cookie", "Cache-Control",
	} {
		all[name], all[strings.ToLower(name)] = name, name
	}
	all["MCP-Protocol-Version"], all["MCP-Session-Id"] = "Mcp-Protocol-Version", "Mcp-Session-Id"
	return all
}()

// number reads a length that is written as it should be, else it is -1.
func number(text string) int {
	if text == "" || len(text) > 6 || len(text) > 1 && text[0] == '0' {
		return -1
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return -1
		}
		n = 10*n + int(text[i]-'0')
	}
	return n
}

// isHost tells whether a host is one that everybody reads alike.
func isHost(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || hostBytes[c] == 0 {
			return false
		}
	}
	return text != ""
}

func isToken(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || tokenBytes[c] == 0 {
			return false
		}
	}
	return text != ""
}

// isText tells whether there is nothing but printed ASCII in a value, and space around it.
func isText(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' && c != '\t') || c > '~' {
			return false
		}
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var (
	hostBytes  = table(letters + ".-:[]_")
	tokenBytes = table(letters + "!#$%&'*+-.^_`|~")
)

func table(of string) (t [128]byte) {
	for i := range len(of) {
		t[of[i]] = 1
	}
	return t
}

// A body is that of the request that is being answered: all of it has come.
type body struct{ rest []byte }

func (b *body) Read(p []byte) (int, error) {
	n := copy(p, b.rest)
	if b.rest = b.rest[n:]; len(b.rest) == 0 {
		return n, io.EOF
	}
	return n, nil
}

func (b *body) Close() error { return nil }
