package trace

import (
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Reload begins to apply a configuration while agents are served; the function
// ends it. servers are how many it has, problems how many are worth a word.
func (t *Trace) Reload(servers, problems int) func(error) {
	if t == nil {
		return nothingApplied
	}
	began := time.Now()
	return func(err error) {
		how := ending{outcome: succeeded}
		if err != nil {
			how = ending{outcome: failed, kind: string(failed), message: err.Error()}
		}
		t.metrics.reloaded(how.outcome)
		t.ring.reloaded(began, servers, how.outcome, t.message(how))
		var s span
		t.start(&s, trace.SpanContext{}, title{what: "config reload"}, trace.SpanKindInternal)
		if s.recorded() {
			to := s.record(nil, began, time.Since(began))
			s.end(to.number(keyServers, int64(servers)).number(keyProblems, int64(problems)).mark(markSpan), how)
		}
	}
}

func nothingApplied(error) {}
