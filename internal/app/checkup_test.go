package app

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"toolcrib/internal/config"
)

func TestLookAtPort(t *testing.T) {
	a, err := Open(t.Context(), config.Config{HTTP: config.HTTP{Auth: config.AuthNone}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(t.Context())
	l, err := a.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { served <- a.ServeHTTP(ctx, l) }()
	ours := LookAtPort(t.Context(), l.Addr().String(), false)
	if !ours.Gateway || ours.Open || ours.Free || ours.Err != nil {
		t.Errorf("our own gateway: %+v", ours)
	}
	stop()
	if err := <-served; err != nil && !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}

	for name, handler := range map[string]http.HandlerFunc{
		"somebody else":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) },
		"health of others": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"status":"ready"}`)) },
		"an error":         func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
	} {
		other := httptest.NewServer(handler)
		if got := LookAtPort(t.Context(), other.Listener.Addr().String(), false); got != (Port{}) {
			t.Errorf("%s: %+v", name, got)
		}
		other.Close()
	}
	careless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"status":"ready","servers":2,"down":1}`))
	}))
	defer careless.Close()
	if got := LookAtPort(t.Context(), careless.Listener.Addr().String(), false); !got.Gateway || !got.Open || got.Servers != 2 || got.Down != 1 {
		t.Errorf("a gateway without a check of names: %+v", got)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	if got := LookAtPort(t.Context(), addr, false); !got.Free {
		t.Errorf("nobody: %+v", got)
	}
	if got := LookAtPort(t.Context(), "nonsense", false); got.Err == nil {
		t.Errorf("no address: %+v", got)
	}
}

func TestCheckStartAndToken(t *testing.T) {
	f := CheckStart(config.Server{Name: "a", Type: config.Stdio, Command: "no-such-program"})
	if f == nil || f.Next != "install it, or write its full path as command" || strings.Contains(f.Reason, "install") {
		t.Errorf("a missing program: %+v", f)
	}
	for name, s := range map[string]config.Server{
		"an address":   {Name: "a", Type: config.Streamable, URL: "https://example.com"},
		"not approved": {Name: "a", Type: config.Stdio, Command: "no-such-program", Untrusted: true},
	} {
		if f := CheckStart(s); f != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	dir := t.TempDir()
	if path, made, err := CheckToken(dir); path != filepath.Join(dir, "token") || made || err != nil {
		t.Error(path, made, err)
	}
	if text, err := Token(dir); err != nil || len(text) < leastSecretLength {
		t.Error(text, err)
	}
	if _, made, err := CheckToken(dir); !made || err != nil {
		t.Error(made, err)
	}
	for addr, want := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true, "10.0.0.1:1": false, "example.com:1": false, "127.0.0.1": false, "": false} {
		if IsLoopback(addr) != want {
			t.Errorf("%q", addr)
		}
	}
}
