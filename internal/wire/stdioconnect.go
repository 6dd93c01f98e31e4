package wire

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ConnectStdio opens a link to a stdio server and finds out its era, unless it
// is given; a server that speaks both is spoken to in the preferred one. dial
// starts a process. A server that was silent to server/discover, or died of it,
// gets a fresh process for initialize: it may have been confused by a request
// that it does not know.
func ConnectStdio(ctx context.Context, dial func() (Link, error), id Identity, era, prefer Era, probe time.Duration) (Link, *Hello, error) {
	if era != Legacy {
		l, h, err := probeStdio(ctx, dial, id, era, prefer, probe)
		if err == nil || era == Modern || ctx.Err() != nil {
			return l, h, err
		}
		var dead *startError
		if errors.As(err, &dead) {
			return nil, nil, dead.error // it could not even be started
		}
	}
	l, err := dial()
	if err != nil {
		return nil, nil, err
	}
	h, err := Handshake(ctx, l, id)
	if err == nil {
		return l, h, nil
	}
	var refused *Error
	if era == 0 && errors.As(err, &refused) {
		// A modern server that was only too slow for the probe says no as well.
		limited, cancel := context.WithTimeout(ctx, probe)
		defer cancel()
		if h, e := Discover(limited, l, id); e == nil && h.Era == Modern {
			return l, h, nil
		}
	}
	l.Close()
	return nil, nil, fmt.Errorf("initialize: %w", err)
}

// A startError is a process that could not be started.
type startError struct{ error }

func (e *startError) Unwrap() error { return e.error }

// probeStdio asks server/discover. A plain refusal is a legacy server that is
// alive and well: it is initialised in the same process.
func probeStdio(ctx context.Context, dial func() (Link, error), id Identity, era, prefer Era, probe time.Duration) (Link, *Hello, error) {
	l, err := dial()
	if err != nil {
		return nil, nil, &startError{err}
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if era == 0 {
		limited, cancel = context.WithTimeoutCause(ctx, probe, fmt.Errorf("no answer to server/discover within %v", probe))
	}
	defer cancel()
	h, err := Discover(limited, l, id)
	if err == nil && h.Era == Modern {
		if era == 0 && prefer == Legacy && h.Speaks(Legacy) {
			old, e := Handshake(limited, l, id)
			if e != nil {
				l.Close()
				return nil, nil, e
			}
			old.Versions = h.Versions
			return l, old, nil
		}
		return l, h, nil
	}
	var refused *Error
	if era == 0 && (err == nil || errors.As(err, &refused)) {
		if h, e := Handshake(limited, l, id); e == nil {
			return l, h, nil
		}
	}
	l.Close()
	if err == nil {
		err = fmt.Errorf("the server names only protocol versions %s, none of them modern", clip(fmt.Sprint(h.Versions)))
	}
	return nil, nil, fmt.Errorf("server/discover: %w", err)
}

// modernRefusal tells whether err is an answer that only a modern server gives.
func modernRefusal(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case CodeHeaderMismatch, CodeMissingCapability, CodeUnsupportedVersion:
		return true
	}
	return false
}
