package trace

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
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
		t.start(trace.SpanContext{}, title{what: "config reload"}, trace.SpanKindInternal, began).end(&reload{servers, problems}, how)
	}
}

// reload are the facts of one.
type reload struct{ servers, problems int }

func (r *reload) marks(to []attribute.KeyValue) []attribute.KeyValue {
	return append(to, keyServers.Int(r.servers), keyProblems.Int(r.problems), keyLangfuseType.String(typeSpan))
}

func nothingApplied(error) {}
