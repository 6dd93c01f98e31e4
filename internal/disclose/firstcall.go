package disclose

import (
	"bytes"
	"container/list"
	"context"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// What is kept of callers that have read the reference.
const (
	maxCallers = 10000
	callerTime = 2 * time.Hour // after the last call
)

// FirstCall puts a reference of the tools in front of the result of a caller's
// first call.
type FirstCall struct {
	reference func(call.Caller) string // "" if there is nothing to say

	mu      sync.Mutex
	callers map[string]*list.Element // of *callerState
	order   *list.List               // the last used first
}

type callerState struct {
	key  string
	used time.Time
}

// NewFirstCall makes a FirstCall. reference is what to tell now.
func NewFirstCall(reference func() string) *FirstCall {
	return NewFirstCallFor(func(call.Caller) string { return reference() })
}

// NewFirstCallFor makes a FirstCall that tells each caller something of its own.
func NewFirstCallFor(reference func(call.Caller) string) *FirstCall {
	return &FirstCall{reference: reference, callers: map[string]*list.Element{}, order: list.New()}
}

// Around is a call.Middleware. Of calls that a caller makes at the same time,
// one carries the reference. What has no result to carry it - an error of the
// protocol, a question to the agent - leaves it to the next.
func (f *FirstCall) Around(next call.Func) call.Func {
	return func(ctx context.Context, r *call.Request) ([]byte, error) {
		if r.Method != wire.MethodToolsCall {
			return next(ctx, r)
		}
		key := CallerKey(r)
		if !f.claim(key, time.Now()) {
			return next(ctx, r)
		}
		result, err := next(ctx, r)
		if with := f.add(r.Caller, result, err); with != nil {
			return with, nil
		}
		f.release(key)
		return result, err
	}
}

// add is the result with the reference, nil if it cannot have it.
func (f *FirstCall) add(who call.Caller, result []byte, err error) []byte {
	if err != nil || asksForInput(result) {
		return nil
	}
	text := f.reference(who)
	if text == "" {
		return nil
	}
	block := append(append([]byte(`{"type":"text","text":`), quote(text)...), '}')
	with, err := wire.AddContent(result, block, true)
	if err != nil {
		return nil // no tool's result: it passes as it is
	}
	return with
}

// asksForInput tells a question to the agent from a result.
func asksForInput(result []byte) bool {
	return bytes.Contains(result, []byte("input_required")) && string(wire.Find(result, "resultType")) == `"input_required"`
}

// claim tells whether a caller is to get the reference with this call.
func (f *FirstCall) claim(key string, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.callers[key]; ok {
		state := e.Value.(*callerState)
		known := now.Sub(state.used) < callerTime
		state.used = now
		f.order.MoveToFront(e)
		return !known
	}
	f.callers[key] = f.order.PushFront(&callerState{key, now})
	for f.order.Len() > maxCallers {
		f.forget(f.order.Back())
	}
	return true
}

// release takes a claim back.
func (f *FirstCall) release(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.callers[key]; ok {
		f.forget(e)
	}
}

func (f *FirstCall) forget(e *list.Element) {
	f.order.Remove(e)
	delete(f.callers, e.Value.(*callerState).key)
}
