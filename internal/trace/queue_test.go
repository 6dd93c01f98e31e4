package trace

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// sink is a collector that does what the test says.
type sink struct {
	sent    func(ctx context.Context, spans []*tracepb.Span) error
	batches []int
	closed  bool
}

func (s *sink) send(ctx context.Context, b []byte) error {
	var got tracepb.ScopeSpans
	if err := proto.Unmarshal(b, &got); err != nil {
		return err
	}
	s.batches = append(s.batches, len(got.Spans))
	if s.sent != nil {
		return s.sent(ctx, got.Spans)
	}
	return nil
}

func (s *sink) stop(context.Context) error { s.closed = true; return nil }

// ender ends spans that a queue gets.
func ender(q *queue) func(n int) {
	t := &Trace{queue: q, sampler: sdktrace.AlwaysSample()}
	return func(n int) {
		for range n {
			var s span
			t.start(&s, trace.SpanContext{}, title{what: "x"}, trace.SpanKindInternal)
			s.end(s.record(nil, time.Now(), 0), ending{})
		}
	}
}

func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.spans
}

var usual = queueOptions{size: 20, batch: 10, delay: 5 * time.Second, limit: 30 * time.Second}

func TestQueueSendsInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{}
		q := newQueue(s, usual)
		end := ender(q)
		end(3)
		synctest.Wait()
		if n := q.exported.Load(); n != 0 {
			t.Errorf("%d are sent at once", n)
		}
		time.Sleep(usual.delay + time.Millisecond)
		for range 12 {
			end(1)
			synctest.Wait()
		}
		time.Sleep(usual.delay + time.Millisecond)
		end(1)
		if err := q.shutdown(t.Context()); err != nil || !s.closed {
			t.Errorf("%v, closed %v", err, s.closed)
		}
		end(1) // too late
		if got := q.exported.Load(); got != 16 || q.dropped.Load() != 1 || len(s.batches) != 4 || s.batches[0] != 3 || s.batches[1] != 10 {
			t.Errorf("exported %d, dropped %d, in %v", got, q.dropped.Load(), s.batches)
		}
	})
}

// TestQueueWithACollectorThatHangs: whoever ends spans never waits, what there is
// no room for is counted, and the end takes as long as it may and no longer.
func TestQueueWithACollectorThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{sent: func(ctx context.Context, _ []*tracepb.Span) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		q := newQueue(s, usual)
		end := ender(q)
		began := time.Now()
		end(10)
		synctest.Wait() // one batch is on its way
		end(1000)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("ending spans took %v", waited)
		}
		if q.dropped.Load() != 1000-int64(usual.size) || q.waiting() != usual.size {
			t.Errorf("%d dropped, %d queued", q.dropped.Load(), q.waiting())
		}
		tr := &Trace{queue: q}
		if err := tr.Close(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != closeTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if lost := q.failed.Load(); lost != 10+int64(usual.size) || !s.closed {
			t.Errorf("%d failed, closed %v", lost, s.closed)
		}
	})
}

// TestQueueIsBoundedInBytes: spans that say much are sent in smaller batches, and what
// waits of them is bounded too.
func TestQueueIsBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		s := &sink{sent: func(context.Context, []*tracepb.Span) error { <-hang; return nil }}
		q := newQueue(s, queueOptions{size: mostQueued, batch: mostBatch, delay: time.Hour, limit: time.Hour})
		name := strings.Repeat("n", 100<<10)
		span := append(protowire.AppendVarint([]byte{tagName}, uint64(len(name))), name...)
		const all = 300
		for range all {
			q.add(span)
			synctest.Wait()
		}
		q.mu.Lock()
		if q.bytes > mostWaiting || q.bytes < mostWaiting-2*len(span) {
			t.Errorf("%d bytes wait", q.bytes)
		}
		q.mu.Unlock()
		close(hang)
		if err := q.shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if sent, lost := q.exported.Load(), q.dropped.Load(); lost == 0 || sent+lost != all || s.batches[0] != mostSent/len(span)+1 {
			t.Errorf("%d sent in %v, %d dropped", sent, s.batches, lost)
		}
		if q.spans != 0 || q.bytes != 0 || len(q.spare) > mostSpare {
			t.Errorf("%d spans of %d bytes are left, and %d batches", q.spans, q.bytes, len(q.spare))
		}
	})
}

// TestQueueReusesBatches: once there are a few, gathering spans needs no memory.
func TestQueueReusesBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := map[*byte]int{}
		q := newQueue(senderFunc(func(b []byte) { seen[&b[0]]++ }), usual)
		for range 1000 {
			q.add(make([]byte, 100))
			synctest.Wait()
		}
		if err := q.shutdown(t.Context()); err != nil || q.exported.Load() != 1000 || len(seen) > 3 {
			t.Errorf("%v, %d sent from %d buffers", err, q.exported.Load(), len(seen))
		}
	})
}

// A senderFunc sees batches and has nobody to bring them to.
type senderFunc func([]byte)

func (f senderFunc) send(_ context.Context, b []byte) error { f(b); return nil }
func (f senderFunc) stop(context.Context) error             { return nil }

func TestSamplers(t *testing.T) {
	none := trace.SpanContext{}
	id, _ := trace.TraceIDFromHex(agentsTrace)
	own, _ := trace.SpanIDFromHex(agentsSpan)
	seen := trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: own, TraceFlags: trace.FlagsSampled})
	unseen := seen.WithTraceFlags(0)
	for name, want := range map[string][3]bool{ // of none, seen and unseen
		"":                           {true, true, false},
		"parentbased_always_on":      {true, true, false},
		"parentbased_always_off":     {false, true, false},
		"always_on":                  {true, true, true},
		"always_off":                 {false, false, false},
		"traceidratio 0":             {false, false, false},
		"traceidratio 1":             {true, true, true},
		"traceidratio":               {true, true, true},
		"parentbased_traceidratio 0": {false, true, false},
	} {
		name, ratio, _ := strings.Cut(name, " ")
		t.Setenv("OTEL_TRACES_SAMPLER", name)
		t.Setenv("OTEL_TRACES_SAMPLER_ARG", ratio)
		s := &sink{}
		tr := &Trace{queue: newQueue(s, usual)}
		var err error
		if tr.sampler, err = samplerFromEnvironment(); err != nil {
			t.Fatal(err)
		}
		for _, all := range []bool{false, name == "" || name == "parentbased_always_on"} {
			tr.all = all
			for i, parent := range []trace.SpanContext{none, seen, unseen} {
				var made span
				tr.start(&made, parent, title{what: "x"}, trace.SpanKindServer)
				if made.recorded() != want[i] || !made.at.IsValid() || parent.IsValid() && made.at.TraceID() != parent.TraceID() {
					t.Errorf("%s %s, %d: %+v", name, ratio, i, made.at)
				}
			}
		}
		if err := tr.Close(t.Context()); err != nil || len(s.batches) != 0 {
			t.Error(err)
		}
	}
	for _, bad := range [][2]string{{"jaeger_remote", ""}, {"traceidratio", "2"}, {"traceidratio", "half"}} {
		t.Setenv("OTEL_TRACES_SAMPLER", bad[0])
		t.Setenv("OTEL_TRACES_SAMPLER_ARG", bad[1])
		if s, err := samplerFromEnvironment(); err == nil {
			t.Errorf("%v: %v", bad, s.Description())
		}
	}
}

// TestComplaints: a collector that is down is worth a line now and then.
func TestComplaints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		c := complaint{log: slog.New(slog.NewTextHandler(&text, nil)), what: "spans"}
		c.heard(nil)
		for range 10 {
			c.heard(errors.New("refused"))
			time.Sleep(time.Minute)
		}
		c.heard(nil)
		c.heard(nil)
		if warned, again := strings.Count(text.String(), "did not take spans"), strings.Count(text.String(), "again"); warned != 2 || again != 1 {
			t.Errorf("%d and %d:\n%s", warned, again, text.String())
		}
	})
}
