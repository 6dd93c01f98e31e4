package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// httpCaller is an agent over HTTP. net/http would use more CPU than the
// gateways it measures, so this writes prepared bytes to a connection and reads
// the answer by itself.
type httpCaller struct {
	conn net.Conn
	in   *bufio.Reader

	request   []byte // the next request; its id is counted up in place
	idAt      int
	id        int64
	body      []byte // of the last answer, reused
	wantBytes int
}

// idDigits is how long every id is, so that Content-Length stays what it is.
const idDigits = 10

// httpConnector connects to an MCP endpoint.
func httpConnector(addr string, e era) connector {
	return func(ctx context.Context, tool, arguments string, wantBytes int) (caller, error) {
		d := net.Dialer{Timeout: 30 * time.Second}
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return nil, err
		}
		c := &httpCaller{conn: conn, in: bufio.NewReaderSize(conn, 1<<16), wantBytes: wantBytes}
		headers := "MCP-Protocol-Version: " + modernVersion + "\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n"
		if e == legacy {
			if headers, err = c.handshake(addr); err != nil {
				_ = conn.Close()
				return nil, err
			}
		}
		placeholder := "1" + string(bytes.Repeat([]byte("0"), idDigits-1))
		c.request = post(addr, headers, request(placeholder, "tools/call", callParams(e, tool, arguments)))
		c.idAt = bytes.LastIndex(c.request, []byte(`"id":`+placeholder)) + len(`"id":`)
		c.id, err = strconv.ParseInt(placeholder, 10, 64)
		return c, err
	}
}

// handshake opens a legacy session and returns the headers of its requests.
func (c *httpCaller) handshake(addr string) (headers string, err error) {
	session, err := c.exchange(post(addr, "", request("1", "initialize", initializeParams)))
	if err != nil {
		return "", fmt.Errorf("initialize: %w", err)
	}
	headers = "MCP-Protocol-Version: " + legacyVersion + "\r\n"
	if session != "" {
		headers += "Mcp-Session-Id: " + session + "\r\n"
	}
	if _, err := c.exchange(post(addr, headers, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)); err != nil {
		return "", fmt.Errorf("notifications/initialized: %w", err)
	}
	return headers, nil
}

func post(addr, headers, body string) []byte {
	return []byte("POST /mcp HTTP/1.1\r\nHost: " + addr + "\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\n" + headers +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
}

func (c *httpCaller) call() error {
	c.id++
	id := strconv.AppendInt(c.request[c.idAt:c.idAt], c.id, 10)
	if _, err := c.exchange(c.request); err != nil {
		return err
	}
	if err := checkAnswer(c.body, id, c.wantBytes); err != nil || c.wantBytes == 0 {
		return err
	}
	return decode(c.body)
}

// decode reads a big answer as every agent has to before it can use it: a floor
// that leaves this out would compare a gateway with copying memory.
func decode(body []byte) error {
	if at := bytes.Index(body[:min(len(body), 4096)], []byte("data: {")); at >= 0 && body[0] != '{' {
		body = body[at+len("data: "):]
		if end := bytes.IndexByte(body, '\n'); end >= 0 {
			body = body[:end]
		}
	}
	var m struct {
		Result json.RawMessage `json:"result"`
	}
	return json.Unmarshal(body, &m)
}

// checkAnswer looks only at both ends of a long answer, so that checking costs
// the same for every size.
func checkAnswer(body, id []byte, wantBytes int) error {
	const look = 400
	head, tail := body[:min(look, len(body))], body[max(0, len(body)-look):]
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) || bytes.Contains(tail, []byte(s)) }
	switch {
	case len(body) < wantBytes:
		return fmt.Errorf("%d bytes came back, not %d: %.200q", len(body), wantBytes, head)
	case !has(`"id":` + string(id)), !has(`"content":[{"type":"text"`), !has(`"result":`):
		return fmt.Errorf("not the answer to call %s: %.300q", id, head)
	}
	return nil
}

func (c *httpCaller) close() { _ = c.conn.Close() }

// exchange sends a request and reads the answer into c.body.
func (c *httpCaller) exchange(request []byte) (session string, err error) {
	if err := c.conn.SetDeadline(time.Now().Add(perCallLimit)); err != nil {
		return "", err
	}
	if _, err := c.conn.Write(request); err != nil {
		return "", err
	}
	status, err := c.line()
	if err != nil {
		return "", err
	}
	ok := bytes.HasPrefix(status, []byte("HTTP/1.1 20"))
	problem := string(status)
	length, chunked := -1, false
	for {
		line, err := c.line()
		if err != nil {
			return "", err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return "", err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		case bytes.EqualFold(name, []byte("Mcp-Session-Id")):
			session = string(value)
		}
	}
	c.body = c.body[:0]
	switch {
	case chunked:
		err = c.readChunks()
	case length > 0:
		err = c.readBytes(length)
	case length < 0:
		err = errors.New("an answer without Content-Length and not chunked")
	}
	if err == nil && !ok {
		err = fmt.Errorf("%s: %.300s", problem, c.body)
	}
	return session, err
}

func (c *httpCaller) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}

// readBytes appends n bytes to the body.
func (c *httpCaller) readBytes(n int) error {
	at := len(c.body)
	if cap(c.body) < at+n {
		grown := make([]byte, at, max(at+n, 2*cap(c.body)))
		copy(grown, c.body)
		c.body = grown
	}
	c.body = c.body[:at+n]
	_, err := io.ReadFull(c.in, c.body[at:])
	return err
}

func (c *httpCaller) readChunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return err
		}
		if err := c.readBytes(int(size)); err != nil {
			return err
		}
		if _, err := c.line(); err != nil {
			return err
		}
		if size == 0 {
			return nil
		}
	}
}
