package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
)

// serveUpstreamHTTP is the echo server over Streamable HTTP.
func serveUpstreamHTTP(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("upstream-http", flag.ContinueOnError)
	addr := fs.String("addr", "127.0.0.1:0", "where to listen")
	which := fs.String("era", string(legacy), "legacy or modern")
	if err := fs.Parse(args); err != nil {
		return err
	}
	e, err := parseEra(*which)
	if err != nil {
		return err
	}
	echo := &echoServer{era: e}
	var sessions atomic.Int64
	return listenAndServe(ctx, *addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodDelete && e == legacy:
			return
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if e == modern && r.Header.Get("Mcp-Method") == "subscriptions/listen" {
			holdSubscription(w, r, body)
			return
		}
		if e == legacy && r.Header.Get("Mcp-Session-Id") == "" {
			w.Header()["Mcp-Session-Id"] = []string{"bench-" + strconv.FormatInt(sessions.Add(1), 10)}
		}
		writeAnswer(w, echo.answer(body))
	}))
}

// holdSubscription acknowledges a subscription and never has news for it.
func holdSubscription(w http.ResponseWriter, r *http.Request, body []byte) {
	var m envelope
	if json.Unmarshal(body, &m) != nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":`+string(m.ID)+"}}}\n\n")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func writeAnswer(w http.ResponseWriter, answer []byte) {
	if answer == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(answer))}
	_, _ = w.Write(answer)
}

// listenAndServe serves until ctx ends.
func listenAndServe(ctx context.Context, addr string, h http.Handler) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s := &http.Server{Handler: h}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	return s.Serve(l)
}
