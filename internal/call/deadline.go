package call

import (
	"context"
	"time"

	"toolcrib/internal/wire"
)

// Deadline ends a request that takes longer than its server is given. limit
// returns 0 for no limit.
func Deadline(limit func(server string) time.Duration) Middleware {
	return func(next Func) Func {
		return func(ctx context.Context, r *Request) ([]byte, error) {
			d := limit(r.Server)
			if d <= 0 {
				return next(ctx, r)
			}
			ctx, cancel := context.WithTimeoutCause(ctx, d, &lateError{r, d})
			defer cancel()
			return next(ctx, r)
		}
	}
}

// A lateError is put into words only when it happens.
type lateError struct {
	r     *Request
	limit time.Duration
}

func (e *lateError) Error() string { return e.Unwrap().Error() }

func (e *lateError) Unwrap() error {
	what := e.r.Method
	if e.r.Name != "" {
		what += " " + e.r.Name
	}
	return wire.Errorf(wire.CodeTimeout, "server %s did not answer %s within %v; raise call_timeout of the server if it needs longer", e.r.Server, what, e.limit)
}
