package call_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A desk does one request after the other as it is told, and counts.
type desk struct {
	mu   sync.Mutex
	now  map[string]int
	most map[string]int
	took time.Duration
}

func (d *desk) do(ctx context.Context, r *call.Request) ([]byte, error) {
	d.mu.Lock()
	if d.now == nil {
		d.now, d.most = map[string]int{}, map[string]int{}
	}
	d.now[r.Server]++
	d.most[r.Server] = max(d.most[r.Server], d.now[r.Server])
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		d.now[r.Server]--
		d.mu.Unlock()
	}()
	select {
	case <-time.After(d.took):
		return []byte("done"), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// crowd sends n requests at once and returns how each ended.
func crowd(ctx context.Context, f call.Func, server string, n int) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { _, errs[i] = f(ctx, &call.Request{Server: server, Method: "tools/call"}) })
	}
	all.Wait()
	return errs
}

func count(errs []error, code int) (n int) {
	for _, err := range errs {
		var e *wire.Error
		if errors.As(err, &e) && e.Code == code {
			n++
		}
	}
	return n
}

func fixed(l call.Limit) func(string) call.Limit { return func(string) call.Limit { return l } }

func TestConcurrencyIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{took: time.Second}
		f := call.Concurrency(fixed(call.Limit{InFlight: 3, Wait: time.Minute}))(d.do)
		began := time.Now()
		for _, err := range crowd(t.Context(), f, "a", 12) {
			if err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took != 4*time.Second || d.most["a"] != 3 {
			t.Errorf("12 requests took %v, %d at once", took, d.most["a"])
		}
	})
}

// One server's queue is not another's.
func TestConcurrencyIsPerServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{took: time.Second}
		f := call.Concurrency(fixed(call.Limit{InFlight: 1, Wait: time.Minute}))(d.do)
		began := time.Now()
		var all sync.WaitGroup
		for _, server := range []string{"a", "b", "c"} {
			all.Go(func() { crowd(t.Context(), f, server, 2) })
		}
		all.Wait()
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestQueueHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{took: time.Minute}
		f := call.Concurrency(fixed(call.Limit{InFlight: 1, Wait: 5 * time.Second}))(d.do)
		done := make(chan error, 1)
		go func() {
			_, err := f(t.Context(), &call.Request{Server: "a"})
			done <- err
		}()
		synctest.Wait()
		began := time.Now()
		_, err := f(t.Context(), &call.Request{Server: "a"})
		refused(t, err, wire.CodeUpstreamBusy, "server a is busy", "all its 1 turns were taken for 5s", "try again later", "max_in_flight")
		if waited := time.Since(began); waited != 5*time.Second {
			t.Errorf("it waited %v", waited)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A queue that is full refuses at once.
func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{took: time.Second}
		f := call.Concurrency(fixed(call.Limit{InFlight: 2, Wait: time.Hour}))(d.do)
		done := make(chan []error, 1)
		go func() { done <- crowd(t.Context(), f, "a", 2+2*16) }()
		synctest.Wait()
		began := time.Now()
		_, err := f(t.Context(), &call.Request{Server: "a"})
		refused(t, err, wire.CodeUpstreamBusy, "2 requests are running and 32 are waiting", "try again later")
		if waited := time.Since(began); waited != 0 {
			t.Errorf("it waited %v", waited)
		}
		if n := count(<-done, wire.CodeUpstreamBusy); n != 0 {
			t.Errorf("%d of those that had a place were refused", n)
		}
		if _, err := f(t.Context(), &call.Request{Server: "a"}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// Whoever stops waiting leaves the queue, and its turn to the next.
func TestWaitingCanBeGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{took: time.Minute}
		f := call.Concurrency(fixed(call.Limit{InFlight: 1, Wait: time.Hour}))(d.do)
		first := make(chan []error, 1)
		go func() { first <- crowd(t.Context(), f, "a", 1) }()
		synctest.Wait()
		cause := errors.New("the agent left")
		ctx, cancel := context.WithCancelCause(t.Context())
		given := make(chan []error, 1)
		go func() { given <- crowd(ctx, f, "a", 16) }()
		synctest.Wait()
		cancel(cause)
		for _, err := range <-given {
			if !errors.Is(err, cause) {
				t.Errorf("error %v", err)
			}
		}
		last := make(chan []error, 1)
		go func() { last <- crowd(t.Context(), f, "a", 16) }()
		for _, errs := range [][]error{<-first, <-last} {
			for _, err := range errs {
				if err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// A limit that changes holds from the next request on; none is none.
func TestLimitChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := call.Limit{InFlight: 1, Wait: time.Minute}
		d := &desk{took: time.Second}
		f := call.Concurrency(func(string) call.Limit { return limit })(d.do)
		crowd(t.Context(), f, "a", 3)
		if d.most["a"] != 1 {
			t.Errorf("%d at once", d.most["a"])
		}
		limit.InFlight = 2
		crowd(t.Context(), f, "a", 4)
		if d.most["a"] != 2 {
			t.Errorf("%d at once after the change", d.most["a"])
		}
		limit.InFlight = 0
		crowd(t.Context(), f, "a", 50)
		if d.most["a"] != 50 {
			t.Errorf("%d at once without a limit", d.most["a"])
		}
	})
}
