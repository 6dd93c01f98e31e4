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
)

// sink is an exporter that does what the test says.
type sink struct {
	export  func(ctx context.Context, spans []sdktrace.ReadOnlySpan) error
	batches []int
	closed  bool
}

func (s *sink) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	s.batches = append(s.batches, len(spans))
	if s.export != nil {
		return s.export(ctx, spans)
	}
	return nil
}

func (s *sink) Shutdown(context.Context) error { s.closed = true; return nil }

// ender ends spans that a queue gets.
func ender(q *queue) func(n int) {
	t := &Trace{queue: q, sampler: sdktrace.AlwaysSample()}
	return func(n int) {
		for range n {
			t.start(trace.SpanContext{}, title{what: "x"}, trace.SpanKindInternal, time.Now()).end(&reload{}, ending{})
		}
	}
}

func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.spans)
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
		s := &sink{export: func(ctx context.Context, _ []sdktrace.ReadOnlySpan) error {
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

func TestSamplers(t *testing.T) {
	none := trace.SpanContext{}
	id, _ := trace.TraceIDFromHex(agentsTrace)
	span, _ := trace.SpanIDFromHex(agentsSpan)
	seen := trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span, TraceFlags: trace.FlagsSampled})
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
				made := tr.start(parent, title{what: "x"}, trace.SpanKindServer, time.Now())
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
