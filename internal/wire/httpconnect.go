package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// ConnectHTTP opens a link to a server over HTTP and finds out its era, unless
// it is given: the modern way first, then initialize, then the transport of
// 2024-11-05. sse goes to that one directly. probe is how long the server may
// be silent to server/discover before it is taken for a legacy one.
func ConnectHTTP(ctx context.Context, o HTTPClientOptions, era Era, sse bool, probe time.Duration) (Link, *Hello, error) {
	if sse {
		return connectSSE(ctx, o)
	}
	l, err := NewHTTPLink(o, Modern)
	if err != nil {
		return nil, nil, err
	}
	if era != Legacy {
		h, err := discoverHTTP(ctx, l, era, probe)
		if err == nil {
			return l, h, nil
		}
		if era == Modern || ctx.Err() != nil || final(err) {
			l.Close()
			return nil, nil, fmt.Errorf("server/discover: %w", err)
		}
	}
	l.speak(Legacy)
	h, err := Handshake(ctx, l, o.Identity)
	if err == nil {
		return l, h, nil
	}
	if era == 0 && modernRefusal(err) {
		l.speak(Modern) // it was only too slow for the probe
		if h, e := Discover(ctx, l, o.Identity); e == nil && h.Era == Modern {
			return l, h, nil
		}
	}
	l.Close()
	err = fmt.Errorf("initialize: %w", err)
	if noStreamable(err) && ctx.Err() == nil {
		old, h, e := connectSSE(ctx, o)
		if e == nil {
			return old, h, nil
		}
		err = fmt.Errorf("%w; and with the older HTTP+SSE transport: %w", err, e)
	}
	return nil, nil, err
}

// errNotModern says that a server answered server/discover as a legacy one does.
var errNotModern = errors.New("the server does not say that it speaks " + VersionModern)

// discoverHTTP asks server/discover. A server that names the modern version
// while refusing it is asked once more.
func discoverHTTP(ctx context.Context, l *HTTPLink, era Era, probe time.Duration) (*Hello, error) {
	if era == 0 && probe > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, probe, fmt.Errorf("no answer to server/discover within %v", probe))
		defer cancel()
	}
	h, err := Discover(ctx, l, l.o.Identity)
	if supported, ok := versionsOf(err); ok && slices.Contains(supported, VersionModern) {
		h, err = Discover(ctx, l, l.o.Identity)
	}
	if err == nil && h.Era != Modern {
		return nil, errNotModern
	}
	return h, err
}

// versionsOf are the versions that a refusal of ours names.
func versionsOf(err error) ([]string, bool) {
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeUnsupportedVersion || e.Data == nil {
		return nil, false
	}
	raw, err := lookup(e.Data, "supported")
	if err != nil {
		return nil, false
	}
	return texts(raw), true
}

// final tells whether the answer to server/discover leaves nothing else to try.
func final(err error) bool {
	if supported, ok := versionsOf(err); ok {
		return !slices.ContainsFunc(supported, func(v string) bool { return slices.Contains(LegacyVersions, v) })
	}
	if modernRefusal(err) {
		return true
	}
	var t *TransportError
	if errors.As(err, &t) && !t.Sent {
		return true // not even reached
	}
	var s *StatusError
	return errors.As(err, &s) && (s.Status == http.StatusUnauthorized || s.Status == http.StatusForbidden)
}

// noStreamable tells whether a refused initialize can mean that the server
// only knows the transport of 2024-11-05.
func noStreamable(err error) bool {
	var s *StatusError
	if !errors.As(err, &s) {
		return false
	}
	switch s.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}
