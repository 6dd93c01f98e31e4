package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A rawClient sees the very bytes of a result. Inspector and the SDK parse what
// they get and cannot tell whether it was changed on the way.
type rawClient struct {
	url     string
	modern  bool
	session string
	id      int
}

const (
	legacyVersion = "2025-11-25"
	modernVersion = "2026-07-28"
	modernMeta    = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modernVersion + `","io.modelcontextprotocol/clientInfo":{"name":"e2e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

func dialRaw(ctx context.Context, url string, modern bool) (*rawClient, error) {
	c := &rawClient{url: url, modern: modern}
	if modern {
		return c, nil
	}
	if _, err := c.request(ctx, "initialize", "", `"protocolVersion":"`+legacyVersion+`","capabilities":{"roots":{}},"clientInfo":{"name":"e2e","version":"1"}`); err != nil {
		return nil, err
	}
	_, err := c.post(ctx, "notifications/initialized", "", []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	return c, err
}

// request sends the members of params, name being what Mcp-Name repeats, and
// returns the result as it came.
func (c *rawClient) request(ctx context.Context, method, name, params string) (json.RawMessage, error) {
	c.id++
	if c.modern {
		params = strings.TrimPrefix(params+","+modernMeta, ",")
	}
	answer, err := c.post(ctx, method, name, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, c.id, method, params))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	var m struct {
		ID     int             `json:"id"`
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(answer, &m); err != nil || m.ID != c.id || m.Result == nil {
		return nil, errors.Join(fmt.Errorf("%s: the answer is %.300s", method, answer), err)
	}
	return m.Result, nil
}

// post returns the last message of the answer.
func (c *rawClient) post(ctx context.Context, method, name string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.modern {
		r.Header.Set("MCP-Protocol-Version", modernVersion)
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	} else if c.session != "" {
		r.Header.Set("MCP-Protocol-Version", legacyVersion)
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if s := resp.Header.Get("Mcp-Session-Id"); s != "" {
		c.session = s
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode > 299 {
		return nil, errors.Join(fmt.Errorf("%s %.300s", resp.Status, b), err)
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return b, nil
	}
	var last []byte
	for line := range bytes.Lines(b) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok && len(bytes.TrimSpace(data)) > 0 {
			last = bytes.TrimSpace(data)
		}
	}
	return last, nil
}
