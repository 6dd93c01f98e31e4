package wire

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	idleConnections = 256
	idleTimeout     = 90 * time.Second
)

// A carrier holds the HTTP client of a link.
type carrier struct {
	current atomic.Pointer[http.Client]
	own     bool
	mu      sync.Mutex
	idle    time.Duration
	retired []*http.Client // connections in use go back to the one they came from
}

// maxRetired bounds how often a server may change its mind.
const maxRetired = 3

func (c *carrier) use(client *http.Client) {
	if client == nil {
		c.own, c.idle = true, idleTimeout
		client = newClient(c.idle)
	}
	c.current.Store(client)
}

func (c *carrier) client() *http.Client { return c.current.Load() }

// carry sends a request. With our own transport it goes there directly: what a
// Client prepares for redirects costs more than we need of it.
func (c *carrier) carry(req *http.Request) (*http.Response, error) {
	client := c.client()
	if !c.own {
		return client.Do(req)
	}
	for hops := 0; ; hops++ {
		resp, err := client.Transport.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		next := redirected(req, resp)
		if next == nil || hops == maxRedirects {
			return resp, nil
		}
		discard(resp.Body)
		req = next
	}
}

// maxRedirects bounds how often a server may send us on.
const maxRedirects = 5

// redirected is the request again, for the address that the answer names; nil
// where it is to be left at the answer. Only a request that stays what it is,
// and goes to the host that it was meant for, is sent on: its headers may hold
// credentials.
func redirected(req *http.Request, resp *http.Response) *http.Request {
	switch resp.StatusCode {
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	to, err := resp.Location()
	if err != nil || to.Scheme != req.URL.Scheme || to.Host != req.URL.Host {
		return nil
	}
	next := req.Clone(req.Context())
	next.URL = to
	if req.Body != nil {
		if req.GetBody == nil {
			return nil
		}
		if next.Body, err = req.GetBody(); err != nil {
			return nil
		}
	}
	return next
}

func (c *carrier) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own {
		for _, client := range append(c.retired, c.client()) {
			client.CloseIdleConnections()
		}
	}
}

// heed reads how long the server keeps an idle connection (Node.js: 5 s). A
// request that meets the server's closing on the way may have been executed or
// not, and cannot be repeated; so we close first.
func (c *carrier) heed(h http.Header) {
	said := h.Get("Keep-Alive")
	if said == "" || !c.own {
		return
	}
	idle := keepAlive(said)
	if idle == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if idle < c.idle && len(c.retired) < maxRetired {
		c.idle = idle
		old := c.current.Swap(newClient(idle))
		old.CloseIdleConnections()
		c.retired = append(c.retired, old)
	}
}

// keepAlive is how long a connection may be idle at a server that says
// "timeout=5, max=100": less than that, by a margin for the way there.
func keepAlive(said string) time.Duration {
	for part := range strings.SplitSeq(said, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if n, err := strconv.Atoi(value); strings.EqualFold(name, "timeout") && err == nil && n > 0 && n < 3600 {
			d := time.Duration(n) * time.Second
			return max(d-time.Second, d/2)
		}
	}
	return 0
}

func newClient(idle time.Duration) *http.Client {
	// A peer that is gone without a word is found within 45 seconds.
	dial := net.Dialer{
		Timeout:         15 * time.Second,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 10 * time.Second, Count: 3},
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment, // never for loopback
			DialContext:            dial.DialContext,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    idleConnections,
			IdleConnTimeout:        idle,
			TLSHandshakeTimeout:    15 * time.Second,
			MaxResponseHeaderBytes: 256 << 10,
			HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
		},
	}
}
