package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"
)

// memory is what a process allocated since its start.
type memory struct {
	Bytes   uint64 `json:"bytes"`
	Objects uint64 `json:"objects"`
}

// serveStats answers on a side port with what this process has allocated. The
// gateway under test does not know of it.
func serveStats(ctx context.Context, addr string) error {
	if addr == "" {
		return nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		_ = json.NewEncoder(w).Encode(memory{Bytes: m.TotalAlloc, Objects: m.Mallocs})
	})
	mux.HandleFunc("/profile", pprof.Profile)
	mux.Handle("/allocs", pprof.Handler("allocs"))
	s := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	go func() { _ = s.Serve(l) }()
	return nil
}

func readMemory(ctx context.Context, addr string) (memory, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr, nil)
	if err != nil {
		return memory{}, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return memory{}, fmt.Errorf("read memory statistics: %w", err)
	}
	defer resp.Body.Close()
	var m memory
	return m, json.NewDecoder(resp.Body).Decode(&m)
}
