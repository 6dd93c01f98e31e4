package safedial

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
)

// allowed is what may be reached besides public addresses.
type allowed struct {
	server            string // host and port
	loopback, private bool
}

func (o *Options) allowed() allowed {
	a := allowed{private: o.Private}
	u, err := url.Parse(o.Server)
	if err != nil || u.Host == "" {
		return a
	}
	a.server = hostPort(u)
	// A name says nothing: whoever owns it can make it point anywhere.
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil {
		a.loopback = addr.Unmap().IsLoopback()
		a.private = a.private || isPrivate(addr.Unmap())
	} else if u.Hostname() == "localhost" {
		a.loopback = true
	}
	return a
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

func (a allowed) check(addr netip.Addr) error {
	plain := addr.WithZone("").Unmap()
	switch {
	case isPublic(plain),
		a.loopback && plain.IsLoopback(),
		a.private && isPrivate(plain):
		return nil
	}
	return fmt.Errorf("%w: %s", ErrForbidden, addr)
}

// isPrivate tells of addresses that an organisation gives itself.
func isPrivate(addr netip.Addr) bool {
	return addr.IsPrivate() || shared.Contains(addr)
}

var (
	shared   = netip.MustParsePrefix("100.64.0.0/10") // carriers' and overlay networks'
	unicast6 = netip.MustParsePrefix("2000::/3")      // all that is given out of IPv6
)

// special are ranges that are not hosts of the internet, or that lead to other
// addresses in disguise.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23",     // Teredo, ORCHID, benchmarks
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4: an IPv4 address inside
	"2620:4f:8000::/48", "3fff::/20",
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// isPublic tells of hosts of the internet. Of IPv6 only what is given out is one:
// that leaves out NAT64, IPv4 in disguise, unique and site-local addresses.
func isPublic(addr netip.Addr) bool {
	if !addr.IsValid() || (addr.Is6() && !unicast6.Contains(addr)) {
		return false
	}
	for _, p := range special {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}
