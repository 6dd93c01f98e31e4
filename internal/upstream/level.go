package upstream

import (
	"context"
	"slices"

	"toolcrib/internal/wire"
)

// levels from the least to the most severe.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// loggable tells whether a caller wants a log message. A modern one that named
// no level wants none; a legacy one then gets what the server sends.
func loggable(params []byte, wanted string, era wire.Era) bool {
	if wanted == "" {
		return era != wire.Modern
	}
	o, err := wire.ParseObject(params)
	if err != nil {
		return false
	}
	return slices.Index(levels, o.Text("level")) >= slices.Index(levels, wanted)
}

// raiseLevel has a legacy server log at least what wanted names. The
// connection is shared, so it is never told to log less; each caller gets only
// what it asked for.
func (c *conn) raiseLevel(ctx context.Context, wanted string) {
	verbosity := len(levels) - slices.Index(levels, wanted) // debug is the most
	c.mu.Lock()
	known := slices.Contains(levels, wanted) && c.level < verbosity
	if known {
		c.level = verbosity
	}
	c.mu.Unlock()
	if !known || c.hello.Era != wire.Legacy || !c.offers("logging") {
		return
	}
	params := append(append([]byte(`{"level":`), wire.Quote(wanted)...), '}')
	if _, err := c.link.Call(ctx, &wire.Outgoing{Method: wire.MethodSetLevel, Params: params}); err != nil {
		c.srv.log.Debug("the server did not take a log level", "error", err)
	}
}

// offers tells whether the server declared a capability.
func (c *conn) offers(capability string) bool {
	o, err := wire.ParseObject(c.hello.Capabilities)
	return err == nil && o.Get(capability) != nil
}
