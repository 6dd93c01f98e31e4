package app

import (
	"toolcrib/internal/call"
	"toolcrib/internal/upstream"
)

// chain is what surrounds every call, outermost first. Time spent waiting for a
// turn is not counted as the server's, and what goes wrong is told without secrets.
func chain(pool *upstream.Pool, o Options) call.Func {
	return call.Chain(pool.Call,
		o.secrets.Around,
		call.Concurrency(pool.Limit),
		call.Deadline(pool.CallTimeout),
	)
}
