package app

import (
	"net"
	"strings"
	"testing"

	"toolcrib/internal/config"
)

func open(t *testing.T, c config.Config, o Options) *App {
	t.Helper()
	a, err := Open(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(t.Context()) })
	return a
}

// Nobody but this machine may reach a gateway that asks for no token.
func TestListenOnlyWhereItIsSafe(t *testing.T) {
	for _, c := range []struct {
		addr string
		auth config.Auth
		ok   bool
	}{
		{"127.0.0.1:0", config.AuthNone, true},
		{"localhost:0", config.AuthNone, true},
		{"127.9.9.9:0", config.AuthNone, true},
		{":0", config.AuthNone, false},
		{"0.0.0.0:0", config.AuthNone, false},
		{"[::]:0", config.AuthNone, false},
		{"[::ffff:0.0.0.0]:0", config.AuthNone, false},
		{"192.0.2.1:0", config.AuthNone, false},
		{"127.0.0.1:0", "", true},
		{":0", "", true},
		{"0.0.0.0:0", config.AuthToken, true},
	} {
		a := open(t, config.Config{HTTP: config.HTTP{Auth: c.auth}}, Options{})
		l, err := a.Listen(t.Context(), c.addr)
		if (err == nil) != c.ok {
			t.Errorf("%s with auth %q: %v", c.addr, c.auth, err)
		}
		if err == nil {
			l.Close()
		} else if !strings.Contains(err.Error(), "http.auth: token") {
			t.Errorf("%s: the error does not say what to do: %v", c.addr, err)
		}
	}
}

// The check holds for a listener that somebody else has opened, too.
func TestServeHTTPRefusesAnOpenListener(t *testing.T) {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip(err)
	}
	a := open(t, config.Config{HTTP: config.HTTP{Auth: config.AuthNone}}, Options{})
	if err := a.ServeHTTP(t.Context(), l); err == nil || !strings.Contains(err.Error(), "refusing") {
		t.Errorf("got %v", err)
	}
}

func TestListenErrorsSayWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	a := open(t, config.Config{}, Options{})
	for addr, want := range map[string]string{
		"7332":                  "is no address: write host and port",
		"127.0.0.1":             "is no address: write host and port",
		"127.0.0.1:http-of-old": "write host and port",
		"127.0.0.1:99999":       "write host and port",
		taken.Addr().String():   "another process does already",
		"192.0.2.1:0":           "this machine does not have that address",
	} {
		l, err := a.Listen(t.Context(), addr)
		if err == nil {
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", addr, err, want)
		}
	}
}
