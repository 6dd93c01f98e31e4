package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"
)

// A Landing is where a browser comes back to after a login: an address of this
// machine, for as long as the login takes.
type Landing struct {
	URL    string
	server *http.Server
	state  atomic.Pointer[string] // of the login that is under way
	came   chan url.Values
	done   chan struct{}
}

const landingPath = "/callback"

// Land listens on a loopback port, any if it is 0.
func Land(ctx context.Context, port int) (*Landing, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("listen for the end of the login: %w", err)
	}
	// An address and no name: nobody else can make a browser believe to be it.
	at := l.Addr().String()
	a := &Landing{URL: "http://" + at + landingPath, came: make(chan url.Values, 1), done: make(chan struct{})}
	a.server = &http.Server{
		ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, at) }),
	}
	go func() {
		defer close(a.done)
		_ = a.server.Serve(l)
	}()
	return a, nil
}

func (a *Landing) serve(w http.ResponseWriter, r *http.Request, at string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Connection", "close")
	q := r.URL.Query()
	// What belongs to no login that is under way is nobody's business here. A browser
	// that asks twice gets its page twice.
	state := a.state.Load()
	if r.Method != http.MethodGet || r.URL.Path != landingPath || r.Host != at || state == nil || q.Get("state") != *state {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<!doctype html><title>Toolcrib</title><p>Nothing is here.\n"))
		return
	}
	text := "You can close this page and go back to the terminal."
	if q.Get("error") != "" {
		text = "The login was refused. The terminal says more."
	}
	_, _ = w.Write([]byte("<!doctype html><title>Toolcrib</title><p>" + text + "\n"))
	select {
	case a.came <- q:
	default: // it was there before
	}
}

// Visit shows a person an address and waits until a browser brings back what belongs
// to it.
func (a *Landing) Visit(show func(address string)) Visit {
	return func(ctx context.Context, address string) (url.Values, error) {
		u, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		state := u.Query().Get("state")
		a.state.Store(&state)
		show(address)
		select {
		case q := <-a.came:
			return q, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-a.done:
			return nil, errors.New("nothing can come back any more")
		}
	}
}

// Close stops listening, once what is being answered is.
func (a *Landing) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if a.server.Shutdown(ctx) != nil {
		_ = a.server.Close()
	}
	<-a.done
}
