// Package safedial reaches addresses that a server has named: where its metadata is,
// who signs people in for it, where that one redirects to. A server that lies could
// name addresses inside our own network, which only we can reach, and have us ask
// there in its stead.
//
//	URL ──► scheme ──► DNS ──► each address that is dialled is looked at ──► connection
//
// What is looked at is the address that the connection is made to, after all names
// were resolved and on every dial: neither another way to write an address nor a name
// that answers differently the second time gets around it. Behind a proxy it is the
// proxy that resolves names, and its rules count; addresses that are written as such
// are still looked at.
package safedial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// Options say what may be reached besides the public internet.
type Options struct {
	// Server is the address, as a person configured it, of whoever names the others:
	// its own host and port may be reached, and if it is written as a loopback or a
	// private address, so may others of that kind.
	Server string
	// Private allows addresses of private networks.
	Private bool

	// Of tests: who resolves names, and who is told of an address that is about to be
	// dialled, and may stop that.
	resolver *net.Resolver
	dialled  func(netip.AddrPort) error
}

// ErrForbidden is the error of an address that may not be reached.
var ErrForbidden = errors.New("the address is not a public one")

const (
	timeout      = 30 * time.Second
	dialTimeout  = 10 * time.Second
	maxRedirects = 3
)

// Client reaches what o allows. It keeps no connections.
func Client(o Options) *http.Client {
	g := &guard{allow: o.allowed(), dialled: o.dialled}
	d := &net.Dialer{Timeout: dialTimeout, Resolver: o.resolver, Control: g.control}
	open := &net.Dialer{Timeout: dialTimeout, Resolver: o.resolver}
	g.direct = transport(func(ctx context.Context, network, addr string) (net.Conn, error) {
		if g.allow.server != "" && addr == g.allow.server {
			return open.DialContext(ctx, network, addr)
		}
		return d.DialContext(ctx, network, addr)
	})
	g.proxied = transport(open.DialContext)
	g.proxied.Proxy = http.ProxyFromEnvironment
	return &http.Client{Transport: g, Timeout: timeout, CheckRedirect: redirect}
}

func transport(dial func(context.Context, string, string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext: dial, DisableKeepAlives: true, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: timeout, MaxResponseHeaderBytes: 64 << 10,
	}
}

// redirect follows few, and none with what a request has in its body: codes and
// tokens are for the address that they were meant for.
func redirect(_ *http.Request, via []*http.Request) error {
	if via[0].Method != http.MethodGet {
		return http.ErrUseLastResponse
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	return nil
}

// A guard carries requests to what is allowed.
type guard struct {
	allow           allowed
	dialled         func(netip.AddrPort) error
	direct, proxied *http.Transport
}

// RoundTrip carries one request, or one of its redirects.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.mayAsk(r.URL); err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	if proxy, err := http.ProxyFromEnvironment(r); err == nil && proxy != nil {
		return g.proxied.RoundTrip(r)
	}
	return g.direct.RoundTrip(r)
}

// mayAsk looks at what can be seen before names are resolved.
func (g *guard) mayAsk(u *url.URL) error {
	host := u.Hostname()
	own := g.allow.server != "" && hostPort(u) == g.allow.server
	addr, err := netip.ParseAddr(host)
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%w: %s is no address of the web", ErrForbidden, u.Scheme)
	case u.Scheme == "http" && !own && host != "localhost" && (err != nil || !addr.Unmap().IsLoopback()):
		return fmt.Errorf("%w: %s would be reached without encryption", ErrForbidden, host)
	case err == nil && !own:
		return g.allow.check(addr)
	}
	return nil
}

// control is called with each address before a connection to it is made.
func (g *guard) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrForbidden, address)
	}
	if err := g.allow.check(at.Addr()); err != nil || g.dialled == nil {
		return err
	}
	return g.dialled(at)
}
