package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// rawHTTP is the raw gateway's side toward an HTTP server.
type rawHTTP struct {
	url     string
	era     era
	session []string
	client  *http.Client
	ids     atomic.Int64
}

func dialRawHTTP(ctx context.Context, url string, e era) (*rawHTTP, error) {
	u := &rawHTTP{url: url, era: e, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxIdleConns: 256}}}
	if e == modern {
		return u, nil
	}
	_, err := u.request(ctx, "initialize", []byte(initializeParams), nil)
	return u, err
}

func (u *rawHTTP) request(ctx context.Context, method string, params []byte, agent http.Header) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.url, bytes.NewReader(rawRequest(u.ids.Add(1), method, params)))
	if err != nil {
		return nil, err
	}
	r.Header["Content-Type"] = []string{"application/json"}
	r.Header["Accept"] = []string{"application/json, text/event-stream"}
	if u.era == modern {
		for _, k := range []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"} {
			r.Header[k] = agent[k]
		}
	} else if u.session != nil {
		r.Header["Mcp-Session-Id"] = u.session
		r.Header["Mcp-Protocol-Version"] = []string{legacyVersion}
	}
	resp, err := u.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if u.session == nil && u.era == legacy { // the first answer, before any agent is served
		u.session = resp.Header["Mcp-Session-Id"]
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var m struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	if m.Result == nil {
		return nil, fmt.Errorf("%s answered %s: %.200s", method, resp.Status, body)
	}
	return m.Result, nil
}
