// Package upstream runs and reaches the MCP servers behind the gateway.
package upstream

import (
	"context"
	"log/slog"
	"time"

	"toolcrib/internal/call"
)

// Options of a Pool. The zero value works.
type Options struct {
	Log       *slog.Logger // nil discards
	Version   string       // of the gateway, told to servers
	MaxStarts int          // servers starting at once; 0 is 4
}

// State is what a server is doing.
type State string

const (
	Idle     State = "idle"     // not running, will start when it is needed
	Starting State = "starting" //
	Ready    State = "ready"    //
	Failed   State = "failed"   // see Status.Reason and Status.Retry
)

// Status of one server.
type Status struct {
	Name     string
	State    State
	Reason   string    // of Failed
	Since    time.Time // of State
	Retry    time.Time // Failed: not tried again before
	Restarts int
	Stderr   string // the last lines it wrote
}

// A Pool supervises servers.
type Pool struct{}

// NewPool makes an empty pool.
func NewPool(o *Options) *Pool { return &Pool{} }

// Apply makes the pool run exactly specs. Unchanged servers keep their
// connections; removed and changed ones finish their calls first.
func (p *Pool) Apply(specs []Spec) error { return nil }

// Call is the innermost call.Func.
func (p *Pool) Call(ctx context.Context, r *call.Request) ([]byte, error) { return nil, nil }

// Status of every server, in the order of the specs.
func (p *Pool) Status() []Status { return nil }

// Close ends all servers. When ctx ends first they are killed.
func (p *Pool) Close(ctx context.Context) error { return nil }
