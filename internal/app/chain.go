package app

import (
	"toolcrib/internal/call"
	"toolcrib/internal/upstream"
)

// chain is what surrounds every call, outermost first. Time spent waiting for a
// turn is not counted as the server's.
func chain(pool *upstream.Pool) call.Func {
	return call.Chain(pool.Call,
		call.Concurrency(pool.Limit),
		call.Deadline(pool.CallTimeout),
	)
}
