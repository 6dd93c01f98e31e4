package web

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
)

// Options of a Handler.
type Options struct {
	Source  Source
	Log     *slog.Logger // nil discards
	Version string       // of the gateway
	Actions bool         // what does something is enabled
	Secure  bool         // browsers reach the listener by https

	// Allowed tells whether a request's host and origin may ask: as at the endpoint
	// for MCP.
	Allowed func(*http.Request) bool
	// Authenticate says who sends a request, by its Authorization header. Nil: nobody
	// has to say.
	Authenticate func(*http.Request) (Caller, error)
	// Key tells whether a text is the key by which people decide what counts for all
	// agents, who are not given it. Nil: nobody decides here.
	Key func(shown string) bool
	// Code tells whether a login code is good, which it is once, and the token that it
	// stands for, "" for none. It is worth as much as the key. Nil: there are no codes.
	Code func(code string) (token string, ok bool)
	// Else answers what is no path of ours.
	Else http.Handler
}

// A Handler answers for the API and the pages.
type Handler struct {
	o        Options
	log      *slog.Logger
	mux      *http.ServeMux
	pages    *pages
	sessions *sessions
	tries    *tries
	cross    *http.CrossOriginProtection
	streams  chan struct{} // one token for each stream of events

	draining context.Context
	drain    context.CancelFunc
	open     sync.WaitGroup // streams
}

// maxStreams is how many may follow the events at a time.
const maxStreams = 64

// New makes a Handler. Drain ends its streams.
func New(o Options) *Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{
		o: o, log: o.Log, mux: http.NewServeMux(), sessions: newSessions(), tries: newTries(),
		cross: http.NewCrossOriginProtection(), streams: make(chan struct{}, maxStreams),
	}
	h.draining, h.drain = context.WithCancel(context.Background())
	for _, r := range routes {
		h.mux.Handle(r.method+" "+r.path, h.entrance(r))
	}
	h.mux.HandleFunc(Root, h.noRoute)
	h.mux.HandleFunc(Root+"/", h.noRoute)
	h.addPages()
	h.mux.HandleFunc("POST /login", h.formLogin)
	h.mux.HandleFunc("POST /logout", h.formLogout)
	if o.Else != nil {
		h.mux.Handle("/", o.Else)
	}
	return h
}

// ServeHTTP answers one request. At the root there is a page for browsers; agents, which
// look for other things there, are told what there is as at any other path.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" && h.o.Else != nil && !strings.Contains(r.Header.Get("Accept"), "text/html") {
		h.o.Else.ServeHTTP(w, r)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// Drain ends all streams of events, so that nobody waits for them.
func (h *Handler) Drain() { h.drain() }

// Close is Drain, and waits until they have ended.
func (h *Handler) Close() {
	h.drain()
	h.open.Wait()
}

// contentPolicy lets a page have what comes from here, and nothing written in it
// be run.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guarded are the headers of every answer.
func guarded(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // with no-referrer a form of ours would be sent from the origin null
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}

// noRoute is a path below the API that nothing is at, or a method that it does not have.
func (h *Handler) noRoute(w http.ResponseWriter, r *http.Request) {
	guarded(w)
	if methods := methodsOf(h.mux, r); len(methods) > 0 {
		w.Header()["Allow"] = methods
		h.fail(w, &Problem{Status: http.StatusMethodNotAllowed, Code: CodeNotAllowed, Message: "this path is not there for " + r.Method, Where: r.URL.Path, Next: "GET " + Root + "/openapi.json lists all paths"})
		return
	}
	h.fail(w, &Problem{Status: http.StatusNotFound, Code: CodeNotFound, Message: "there is nothing at this path", Where: r.URL.Path, Next: "GET " + Root + "/openapi.json lists all paths"})
}

// methodsOf are the methods that a path has.
func methodsOf(mux *http.ServeMux, r *http.Request) []string {
	var out []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := *r
		other.Method = method
		if _, pattern := mux.Handler(&other); pattern != "" && pattern != Root+"/" && pattern != Root && pattern != "/" {
			out = append(out, method)
		}
	}
	return out
}
