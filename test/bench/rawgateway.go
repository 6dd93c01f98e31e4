package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
)

// A rawUpstream sends one request and returns its raw result.
type rawUpstream interface {
	request(ctx context.Context, method string, params []byte, header http.Header) ([]byte, error)
}

// serveRawGateway is a gateway without a single feature: it decodes the
// envelope, passes params and result on as they are, and checks nothing.
func serveRawGateway(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("gateway-raw", flag.ContinueOnError)
	addr := fs.String("addr", "127.0.0.1:0", "where to listen")
	stats := fs.String("stats", "", "where to answer with memory statistics")
	which := fs.String("era", string(legacy), "legacy or modern")
	url := fs.String("url", "", "HTTP upstream; without it the arguments are the command of a stdio one")
	if err := fs.Parse(args); err != nil {
		return err
	}
	e, err := parseEra(*which)
	if err != nil {
		return err
	}
	if err := serveStats(ctx, *stats); err != nil {
		return err
	}
	var up rawUpstream
	if *url != "" {
		up, err = dialRawHTTP(ctx, *url, e)
	} else {
		up, err = startRawStdio(ctx, fs.Args(), e)
	}
	if err != nil {
		return err
	}
	return listenAndServe(ctx, *addr, &rawGateway{up: up})
}

type rawGateway struct {
	up       rawUpstream
	sessions atomic.Int64
}

func (g *rawGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodDelete:
		return
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m envelope
	if json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var result []byte
	switch {
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	case m.Method == "initialize":
		w.Header()["Mcp-Session-Id"] = []string{"raw-" + strconv.FormatInt(g.sessions.Add(1), 10)}
		result = []byte(`{"protocolVersion":"` + legacyVersion + `","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`)
	default:
		if result, err = g.up.request(r.Context(), m.Method, m.Params, r.Header); err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
	}
	out := make([]byte, 0, len(result)+len(m.ID)+48)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, m.ID...)
	out = append(out, `,"result":`...)
	out = append(out, result...)
	writeAnswer(w, append(out, '}'))
}

// rawRequest is a request with an id of the gateway's own.
func rawRequest(id int64, method string, params []byte) []byte {
	b := make([]byte, 0, len(params)+len(method)+80)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"method":"`...)
	b = append(b, method...)
	b = append(b, `","params":`...)
	b = append(b, params...)
	return append(b, '}')
}
