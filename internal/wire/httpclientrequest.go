package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"
)

// A StatusError is an HTTP answer that is no message of the protocol.
type StatusError struct {
	Status int
	Text   string // what the body said, clipped
}

func (e *StatusError) Error() string {
	s := fmt.Sprintf("the server answered HTTP %d %s", e.Status, http.StatusText(e.Status))
	if e.Text != "" {
		s += ": " + e.Text
	}
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		s += "; check the credentials in the server's headers"
	case e.Status >= 300 && e.Status < 400:
		s += "; put the address it redirects to into the server's url"
	case e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed:
		s += "; check the path of the server's url"
	}
	return s
}

// request makes one HTTP request with the headers that every one has.
func (l *HTTPLink) request(ctx context.Context, method string, body []byte) *http.Request {
	req := l.blank.WithContext(ctx) // a copy: the address is parsed once
	req.Method = method
	req.Header = make(http.Header, len(l.base)+8)
	if body != nil {
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.ContentLength = int64(len(body))
	}
	if body != nil && !l.replays { // net/http would take such a request for one that may be sent twice
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	for k, v := range l.base {
		req.Header[k] = v
	}
	if host := l.base.Get("Host"); host != "" {
		req.Host = host // net/http does not read it from the headers
	}
	if body != nil {
		req.Header["Content-Type"] = jsonType
		req.Header["Accept"] = bothTypes
	}
	traceHeaders(ctx, req.Header)
	if v := l.version.Load(); v != nil {
		req.Header[headerVersion] = v[:]
	}
	if s := l.session.Load(); s != nil && l.era == Legacy {
		req.Header[headerSession] = s[:]
	}
	return req
}

var (
	jsonType  = []string{"application/json"}
	bothTypes = []string{"application/json, text/event-stream"}
	sseType   = []string{"text/event-stream"}
	callsTool = []string{MethodToolsCall}
)

// methodHeader are the values of the header that repeats a method.
func methodHeader(method string) []string {
	if method == MethodToolsCall {
		return callsTool
	}
	return []string{encodeHeader(method)}
}

// A trail knows whether a request has had a connection to go out on. What
// fails before that was not sent.
type trail struct {
	sent  bool
	trace httptrace.ClientTrace
}

func (t *trail) follow(ctx context.Context) context.Context {
	t.trace.GetConn = func(string) { t.sent = false } // net/http begins anew only if nothing was written
	t.trace.GotConn = func(httptrace.GotConnInfo) { t.sent = true }
	return httptrace.WithClientTrace(ctx, &t.trace)
}

// send carries a request, with authorization where it is asked for. build is
// called for every attempt.
func (l *HTTPLink) send(ctx context.Context, t *trail, build func(ctx context.Context) *http.Request) (*http.Response, error) {
	ctx = t.follow(ctx)
	for attempt := 0; ; attempt++ {
		req := build(ctx)
		token, err := l.grants.apply(ctx, req)
		if err != nil {
			return nil, err
		}
		resp, err := l.carrier.carry(req)
		if err != nil {
			return nil, l.unreachable(ctx, err)
		}
		l.carrier.heed(resp.Header)
		if attempt >= maxGrants || !l.grants.wanted(resp) {
			return resp, nil
		}
		if err := l.grants.ask(ctx, token, req, resp); err != nil {
			t.sent = false // it was refused before it was looked at
			return nil, fmt.Errorf("authorize with the server: %w", err)
		}
	}
}

// unreachable is err without the address: that may hold a secret.
func (l *HTTPLink) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("no answer from %s: %w", l.blank.URL.Host, err)
}

// post sends a message that has no answer: a notification, or our answer to a
// request of the server.
func (l *HTTPLink) post(ctx context.Context, method string, body []byte) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.life, func() { cancel(context.Cause(l.life)) })()
	var t trail
	resp, err := l.send(ctx, &t, func(ctx context.Context) *http.Request {
		req := l.request(ctx, http.MethodPost, body)
		if l.era == Modern && method != "" {
			req.Header[headerMethod] = methodHeader(method)
		}
		return req
	})
	if err != nil {
		return &TransportError{Sent: t.sent, Err: err}
	}
	defer discard(resp.Body)
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return nil
	}
	return l.refusal(resp, "")
}

// maxRefusal bounds what is read of an answer that is no success.
const maxRefusal = 1 << 20

// refusal reads an answer that is no success: an error of the protocol, or one
// of whatever stands in front of the server.
func (l *HTTPLink) refusal(resp *http.Response, id ID) error {
	body, err := readAll(resp.Body, -1, maxRefusal)
	if err != nil {
		body = nil
	}
	var fault *Error
	if m, err := Parse(body); err == nil && m.Fault != nil && (m.ID == id || m.ID == "null" || id == "") {
		fault = m.Fault
	}
	if l.forgotten(resp.StatusCode, fault) {
		l.stop(ErrSessionLost)
		return &TransportError{Err: ErrSessionLost}
	}
	if fault != nil {
		return fault
	}
	text := strings.Join(strings.Fields(clip(string(body))), " ")
	if to := resp.Header.Get("Location"); to != "" && resp.StatusCode < 400 {
		text = "to " + clip(to)
	}
	return &TransportError{Sent: true, Err: &StatusError{Status: resp.StatusCode, Text: strings.ToValidUTF8(text, "")}}
}

// forgotten tells whether a refusal means that the session is gone. The
// protocol says 404; servers built after the examples of the TypeScript SDK
// say 400 and talk of the session.
func (l *HTTPLink) forgotten(status int, fault *Error) bool {
	if l.era != Legacy || l.session.Load() == nil {
		return false
	}
	switch status {
	case http.StatusNotFound:
		return fault == nil || fault.Code != CodeMethodNotFound
	case http.StatusBadRequest:
		return fault != nil && fault.Code == -32000 && strings.Contains(strings.ToLower(fault.Message), "session")
	}
	return false
}

// discardTimeout is how long a body that nobody wants may take.
const discardTimeout = time.Second

// discard reads a little of what is left, so that the connection can be used
// again, and closes. A server that says nothing more does not hold us up.
func discard(body io.ReadCloser) {
	late := time.AfterFunc(discardTimeout, func() { body.Close() })
	defer late.Stop()
	io.CopyN(io.Discard, body, 16<<10)
	body.Close()
}

// readAll reads a body of at most max bytes into memory of its own: in one
// piece where its length is known, else in pieces that are joined once.
func readAll(r io.Reader, length int64, max int) ([]byte, error) {
	if length > int64(max) {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", errTooLong, length, max)
	}
	if length >= 0 {
		b := make([]byte, length)
		_, err := io.ReadFull(r, b)
		return b, err
	}
	var pieces [][]byte
	total := 0
	piece := make([]byte, 0, 4<<10)
	for {
		n, err := r.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
		if total+len(piece) > max {
			return nil, fmt.Errorf("%w: over %d bytes", errTooLong, max)
		}
		if err == io.EOF {
			if pieces == nil {
				return piece, nil
			}
			return bytes.Join(append(pieces, piece), nil), nil
		}
		if err != nil {
			return nil, err
		}
		if len(piece) == cap(piece) {
			pieces, total = append(pieces, piece), total+len(piece)
			piece = make([]byte, 0, min(largeBuffer, 4*cap(piece)))
		}
	}
}
