package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"sync"
	"time"
)

const (
	retryFirst  = time.Second
	retryMost   = 30 * time.Second
	maxRetry    = time.Minute // what a server may ask for
	maxFailures = 5           // of resuming one request
)

// wait sleeps before a stream is opened again: as long as the server asked
// for, or longer from failure to failure. False: ctx ended.
func (p *place) wait(ctx context.Context) bool {
	d := min(p.retry, maxRetry)
	if p.retry == 0 || p.failures > 0 {
		d = min(retryFirst<<min(p.failures, 10), retryMost)
		d = d/2 + rand.N(d/2+1)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// openStream asks for a stream with GET.
func (l *HTTPLink) openStream(ctx context.Context, t *trail, lastID string) (*http.Response, error) {
	resp, err := l.send(ctx, t, func(ctx context.Context) *http.Request {
		req := l.request(ctx, http.MethodGet, nil)
		req.Header["Accept"] = sseType
		if lastID != "" {
			req.Header[headerLastEvent] = []string{lastID}
		}
		return req
	})
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode == http.StatusOK && kind == "text/event-stream" {
		return resp, nil
	}
	defer discard(resp.Body)
	if resp.StatusCode == http.StatusOK {
		return nil, &StatusError{Status: http.StatusNotAcceptable, Text: "no event stream but " + clip(kind)}
	}
	return nil, &StatusError{Status: resp.StatusCode}
}

// resume goes on with a request's stream where it ended.
func (x *exchange) resume(at *place) (*http.Response, error) {
	for {
		if !at.wait(x.ctx) {
			return nil, context.Cause(x.ctx)
		}
		var t trail // the request itself is out already
		resp, err := x.l.openStream(x.ctx, &t, at.id)
		at.failures++ // until an event shows that it goes on
		if err == nil && at.failures <= maxFailures {
			return resp, nil
		}
		if err == nil {
			resp.Body.Close()
			err = errors.New("nothing more came")
		}
		var status *StatusError
		if errors.As(err, &status) && status.Status == http.StatusNotFound && x.l.session.Load() != nil {
			x.l.stop(ErrSessionLost)
		}
		if at.failures > maxFailures || errors.As(err, &status) && status.Status < 500 {
			return nil, fmt.Errorf("the stream ended before the answer and could not be resumed: %w", err)
		}
	}
}

// openTimeout is how long the first request may have to wait for the stream.
const openTimeout = time.Second

// hearken opens the server's own stream and waits for it: what a server sends
// on it while nobody listens is lost, and may be a question that a request
// waits for.
func (l *HTTPLink) hearken(ctx context.Context) {
	open := make(chan struct{})
	if !l.crew.start(func() { l.listen(sync.OnceFunc(func() { close(open) })) }) {
		return
	}
	late := time.NewTimer(openTimeout)
	defer late.Stop()
	select {
	case <-open:
	case <-late.C:
	case <-ctx.Done():
	}
}

// listen keeps the stream open on which a legacy server speaks on its own
// account. Not every server has one. tried is called after each attempt.
func (l *HTTPLink) listen(tried func()) {
	defer tried()
	at := &place{}
	for opened := false; ; {
		var t trail
		resp, err := l.openStream(l.alive, &t, at.id)
		tried()
		if err == nil {
			opened = true
			begun := time.Now()
			if l.hear(resp.Body, at) || time.Since(begun) > retryMost {
				at.failures = 0
			} else {
				at.failures++
			}
		} else {
			var status *StatusError
			if errors.As(err, &status) && status.Status < 500 && status.Status != http.StatusTooManyRequests {
				if opened && status.Status == http.StatusNotFound && l.session.Load() != nil {
					l.stop(ErrSessionLost)
				}
				l.log.Debug("the server has no stream of its own", "status", status.Status)
				return
			}
			at.failures++
		}
		if !at.wait(l.alive) {
			return
		}
	}
}

// hear hands on what comes on the server's own stream until it ends, and tells
// whether anything came.
func (l *HTTPLink) hear(body io.ReadCloser, at *place) (heard bool) {
	defer body.Close()
	r := newSSEReader(body, l.o.MaxMessage)
	defer r.release()
	for {
		e, err := r.next()
		if r.lastID != "" {
			at.id = r.lastID
		}
		if r.retry > 0 {
			at.retry = r.retry
		}
		if err != nil {
			return heard || r.lastID != "" || r.retry > 0
		}
		heard = true
		m, err := Parse(e.data)
		if err != nil {
			l.log.Debug("malformed message on the server's stream", "error", err)
			continue
		}
		l.dispatch(nil, m)
	}
}
