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
		CheckRedirect: sameHost,
	}
}

// sameHost follows a redirect only where the request stays what it is and goes
// to the host that it was meant for: the headers may hold credentials.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 5 || req.Method != first.Method || req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}
