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
			ctx, cancel := context.WithTimeoutCause(ctx, d, wire.Errorf(wire.CodeTimeout,
				"server %s did not answer %s within %v; raise call_timeout of the server if it needs longer", r.Server, subject(r), d))
			defer cancel()
			return next(ctx, r)
		}
	}
}

func subject(r *Request) string {
	if r.Name == "" {
		return r.Method
	}
	return r.Method + " " + r.Name
}
