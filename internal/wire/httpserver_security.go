package wire

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// hostAllowed guards against DNS rebinding: a page on another host whose name
// was made to point here sends that name. Whoever listens beyond loopback
// without naming hosts is reached under names that we cannot know; there the
// Origin is what stops a browser.
func (s *HTTPServer) hostAllowed(r *http.Request) bool {
	name, ok := hostName(r.Host)
	if ok && (isLoopbackName(name) || listed(s.o.AllowedHosts, r.Host, name)) {
		return true
	}
	return len(s.o.AllowedHosts) == 0 && !arrivedOnLoopback(r)
}

// arrivedOnLoopback is true also where nothing tells.
func arrivedOnLoopback(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return !ok || addr.IP.IsLoopback()
}

// originAllowed refuses pages of other hosts. Agents send no Origin.
func (s *HTTPServer) originAllowed(r *http.Request) bool {
	values := r.Header["Origin"]
	if len(values) == 0 {
		return true
	}
	origin := values[0]
	if len(values) > 1 {
		return false
	}
	for _, allowed := range s.o.AllowedOrigins {
		if strings.EqualFold(origin, allowed) {
			return true
		}
	}
	scheme, host, ok := strings.Cut(origin, "://")
	if !ok || !(strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) {
		return false
	}
	name, ok := hostName(host)
	return ok && isLoopbackName(name)
}

// hostName splits the port off an authority. What is not exactly a name or an
// address with an optional port is refused.
func hostName(authority string) (string, bool) {
	name, port := authority, ""
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", false
		}
		name, port = authority[:end+1], authority[end+1:]
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		name, port = authority[:i], authority[i:]
	}
	if port != "" && !validPort(port) {
		return "", false
	}
	return name, name != "" && !strings.ContainsAny(name, "/@\\?# \t")
}

func validPort(colonAndPort string) bool {
	if len(colonAndPort) < 2 || len(colonAndPort) > 6 || colonAndPort[0] != ':' {
		return false
	}
	for _, c := range colonAndPort[1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func isLoopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") || name == "127.0.0.1" || name == "[::1]" {
		return true
	}
	if strings.HasPrefix(name, "[") {
		return false
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Is4() && addr.IsLoopback()
}

// listed finds a host in a list whose entries have a port or stand for all.
func listed(hosts []string, authority, name string) bool {
	for _, h := range hosts {
		if strings.EqualFold(h, name) || strings.EqualFold(h, authority) {
			return true
		}
	}
	return false
}
