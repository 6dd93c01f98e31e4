package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// outside is a proxy that all of an agent's connections beyond this machine have
// to take. It makes none of them, and keeps where they were meant to go.
type outside struct {
	http http.Server
	addr string

	mu    sync.Mutex
	hosts []string
}

func startOutside() (*outside, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o := &outside{addr: l.Addr().String()}
	o.http = http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.hosts = append(o.hosts, r.Host)
		o.mu.Unlock()
		http.Error(w, "this run has no outside", http.StatusForbidden)
	})}
	go func() { _ = o.http.Serve(l) }()
	return o, nil
}

// proxy is the environment that makes a program use it.
func (o *outside) proxy() []string {
	url := "http://" + o.addr
	return []string{
		"HTTPS_PROXY=" + url, "HTTP_PROXY=" + url, "ALL_PROXY=" + url, "NO_PROXY=127.0.0.1,localhost",
		"https_proxy=" + url, "http_proxy=" + url, "all_proxy=" + url, "no_proxy=127.0.0.1,localhost",
	}
}

// untouched tells whether anybody wanted to go there.
func (o *outside) untouched() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.hosts) > 0 {
		return fmt.Errorf("connections were tried to %q", o.hosts)
	}
	return nil
}
