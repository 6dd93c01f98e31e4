package mcptest

import (
	"net"
	"net/http"
	"strconv"
	"sync"
)

// Reset makes the next call of a tool end in a connection reset, after so many
// bytes of its answer's body; 0 is before the answer's head. The call is counted.
func (h *HTTPServer) Reset(tool string, after int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resets[tool] = after
}

func (h *HTTPServer) resetFor(tool string) (after int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	after, ok = h.resets[tool]
	delete(h.resets, tool)
	return after, ok
}

// reset writes part of an answer and resets the connection.
func reset(w http.ResponseWriter, body []byte, after int) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	c, _, err := hijacker.Hijack()
	if err != nil {
		return
	}
	if after > 0 {
		head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
		_, _ = c.Write(append([]byte(head), body[:min(after, len(body)-1)]...))
	}
	if g, ok := c.(*gatedConn); ok {
		if tcp, ok := g.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // close then sends RST instead of FIN
		}
	}
	_ = c.Close()
}

// refusal is an HTTP error for a number of requests.
type refusal struct {
	status     int
	times      int
	retryAfter string
}

// Refuse answers the next times requests with an HTTP status and nothing of MCP.
// A retryAfter that is not "" is sent along.
func (h *HTTPServer) Refuse(status, times int, retryAfter string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refusals = append(h.refusals, refusal{status, times, retryAfter})
}

func (h *HTTPServer) refused(w http.ResponseWriter) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.refusals) == 0 {
		return false
	}
	r := &h.refusals[0]
	if r.retryAfter != "" {
		w.Header().Set("Retry-After", r.retryAfter)
	}
	http.Error(w, "refused by order of the test", r.status)
	if r.times--; r.times <= 0 {
		h.refusals = h.refusals[1:]
	}
	return true
}

// Down closes the port and every connection, and forgets all sessions, as a
// restart would.
func (h *HTTPServer) Down() {
	h.mu.Lock()
	server, served := h.server, h.served
	h.server = nil
	h.mu.Unlock()
	if server == nil {
		return
	}
	_ = server.Close()
	<-served
	h.DropSessions()
}

// Up opens the same port again.
func (h *HTTPServer) Up() error { return h.listen(h.address) }

// Freeze makes the server half-open: connections are accepted and stay, but
// nothing is read or written.
func (h *HTTPServer) Freeze() { h.gate.close() }

// Thaw ends Freeze.
func (h *HTTPServer) Thaw() { h.gate.open() }

// gate holds up connections while it is closed.
type gate struct {
	mu   sync.Mutex
	pass chan struct{} // closed while the gate is open
}

func newGate() *gate {
	g := &gate{pass: make(chan struct{})}
	close(g.pass)
	return g
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.pass:
		g.pass = make(chan struct{})
	default:
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.pass:
	default:
		close(g.pass)
	}
}

func (g *gate) wait(gone <-chan struct{}) {
	g.mu.Lock()
	pass := g.pass
	g.mu.Unlock()
	select {
	case <-pass:
	case <-gone:
	}
}

type gatedListener struct {
	net.Listener
	gate *gate
}

func (l *gatedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &gatedConn{Conn: c, gate: l.gate, gone: make(chan struct{})}, nil
}

type gatedConn struct {
	net.Conn
	gate *gate
	once sync.Once
	gone chan struct{}
}

func (c *gatedConn) Read(b []byte) (int, error) {
	c.gate.wait(c.gone)
	n, err := c.Conn.Read(b)
	c.gate.wait(c.gone) // it may have closed while we waited for bytes
	return n, err
}

func (c *gatedConn) Write(b []byte) (int, error) {
	c.gate.wait(c.gone)
	return c.Conn.Write(b)
}

func (c *gatedConn) Close() error {
	c.once.Do(func() { close(c.gone) })
	return c.Conn.Close()
}
