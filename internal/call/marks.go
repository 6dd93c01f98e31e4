package call

import (
	"context"
	"sync/atomic"
	"time"
)

// Marks are the time of a call that was not spent at its server. What takes none is
// not marked, so that most calls pay nothing for it. Marks are the context that the
// call is made with, and not to be kept longer than that.
type Marks struct {
	context.Context
	queued, started atomic.Int64
}

type marksKey struct{}

// WithMarks is ctx with marks.
func WithMarks(ctx context.Context) *Marks { return &Marks{Context: ctx} }

// Value has the marks, besides what is in the context.
func (m *Marks) Value(key any) any {
	if key == (marksKey{}) {
		return m
	}
	return m.Context.Value(key)
}

// Queued marks a wait for a turn.
func Queued(ctx context.Context, took time.Duration) {
	if m, ok := ctx.Value(marksKey{}).(*Marks); ok {
		m.queued.Add(int64(took))
	}
}

// Started marks a wait for the server to be there.
func Started(ctx context.Context, took time.Duration) {
	if m, ok := ctx.Value(marksKey{}).(*Marks); ok {
		m.started.Add(int64(took))
	}
}

// Waited is how long a call waited for its turn, and then for its server.
func (m *Marks) Waited() (turn, server time.Duration) {
	return time.Duration(m.queued.Load()), time.Duration(m.started.Load())
}
