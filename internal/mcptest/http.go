package mcptest

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// Answers says how an HTTP server answers a request.
type Answers int

const (
	Either  Answers = iota // JSON, or a stream if something is to be said before the answer
	AsJSON                 // always JSON; what a legacy server says meanwhile goes to the GET stream
	AsSSE                  // always a stream
	AsJunk                 // a stream full of what SSE allows: comments, blank events, CR line ends, split data
	AsHTML                 // a page, as a proxy that is in the way would
	AsEmpty                // 200 and nothing
)

// HTTPOptions say what kind of HTTP server a test wants. The zero value is the
// good server in both eras at one address.
type HTTPOptions struct {
	Eras    Eras
	SSEOnly bool    // the HTTP+SSE transport of 2024-11-05 alone: POST to the address is refused
	Answers Answers //
	Service string  // "good" (the default), "odd" or "pages"
	Args    []string

	SessionLife int     // a legacy session is lost after so many requests; 0 never
	NoSession   bool    // legacy without a session id
	NoStream    bool    // legacy GET is refused
	Token       string  // wanted as a bearer token; without it 401
	Issuer      *Issuer // whose tokens are wanted
}

// An HTTPServer is an MCP server on a loopback port, with faults to order.
type HTTPServer struct {
	URL string

	options HTTPOptions
	rules   rules
	service service
	good    *good // what counts; every service is built on one
	ctx     context.Context
	end     context.CancelFunc
	gate    *gate

	mu       sync.Mutex
	server   *http.Server
	served   chan struct{}
	address  string
	sessions map[string]*httpSession
	feeds    map[string]*sseFeed // of SSE-only sessions
	resets   map[string]int
	refusals []refusal
	headers  map[string]http.Header // of the last request, by method
	order    []string               // methods in the order of arrival, and "GET", "DELETE"
}

// HTTP starts a server that ends with the test.
func HTTP(t testing.TB, o *HTTPOptions) *HTTPServer {
	t.Helper()
	if o == nil {
		o = &HTTPOptions{}
	}
	h := &HTTPServer{
		options: *o, rules: rules{eras: o.Eras}, gate: newGate(),
		sessions: map[string]*httpSession{}, feeds: map[string]*sseFeed{}, resets: map[string]int{}, headers: map[string]http.Header{},
	}
	if o.SSEOnly {
		h.rules.eras = LegacyOnly
	}
	h.good = newGood(&h.rules)
	var err error
	if h.service, err = newService(o.Service, h.good, o.Args); err != nil {
		t.Fatal(err)
	}
	h.ctx, h.end = context.WithCancel(context.Background())
	if err := h.listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.Thaw()
		h.end()
		h.Down()
	})
	return h
}

func (h *HTTPServer) listen(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.address = l.Addr().String()
	h.URL = "http://" + h.address + "/mcp"
	h.server = &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	h.served = make(chan struct{})
	server, served := h.server, h.served
	go func() {
		defer close(served)
		_ = server.Serve(&gatedListener{Listener: l, gate: h.gate})
	}()
	return nil
}

// ServeHTTP is the server.
func (h *HTTPServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.refused(w) {
		return
	}
	if h.options.Issuer != nil && h.options.Issuer.protects(w, r, h.URL) {
		return
	}
	if h.options.Token != "" && r.Header.Get("Authorization") != "Bearer "+h.options.Token {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		http.Error(w, "a token is needed", http.StatusUnauthorized)
		return
	}
	switch {
	case h.options.SSEOnly:
		h.serveSSEOnly(w, r)
	case r.URL.Path != "/mcp":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		h.post(w, r)
	case h.rules.eras == ModernOnly:
		w.Header().Set("Allow", "POST")
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
	case r.Method == http.MethodGet:
		h.note("GET", r.Header)
		h.get(w, r)
	case r.Method == http.MethodDelete:
		h.note("DELETE", r.Header)
		h.delete(w, r)
	default:
		http.Error(w, "no such verb here", http.StatusMethodNotAllowed)
	}
}

func (h *HTTPServer) note(what string, header http.Header) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.headers[what] = header.Clone()
	h.order = append(h.order, what)
}

// Header of the last request with a JSON-RPC method, or with the verb GET or
// DELETE; nil if none came.
func (h *HTTPServer) Header(what string) http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.headers[what]
}

// Received lists the methods and the verbs GET and DELETE in the order of arrival.
func (h *HTTPServer) Received() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.order)
}

// Calls says how often a tool was called: the call arrived, whatever became of
// its answer.
func (h *HTTPServer) Calls(tool string) int {
	h.good.mu.Lock()
	defer h.good.mu.Unlock()
	return h.good.calls[tool]
}

// Requests says how often each method was let in.
func (h *HTTPServer) Requests() map[string]int {
	h.good.mu.Lock()
	defer h.good.mu.Unlock()
	return maps.Clone(h.good.requests)
}

// Cancelled says how many requests were given up by their clients.
func (h *HTTPServer) Cancelled() int {
	h.good.mu.Lock()
	defer h.good.mu.Unlock()
	return h.good.gaveUp
}

// Faults lists what clients did wrong.
func (h *HTTPServer) Faults() []string {
	h.good.mu.Lock()
	defer h.good.mu.Unlock()
	return slices.Clone(h.good.faults)
}

// Announce says that a list (tools, prompts, resources) changed.
func (h *HTTPServer) Announce(what string) { h.good.announce(what) }

// drain reads what is left of a body, so that the connection can be used again.
func drain(r io.Reader) { _, _ = io.Copy(io.Discard, r) }
