package trace

import (
	"context"
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
		how := succeeded
		if err != nil {
			how = failed
		}
		t.metrics.reloaded(how)
		if t.tracer == nil {
			return
		}
		_, span := t.tracer.Start(context.Background(), "config reload", trace.WithTimestamp(began))
		defer span.End()
		span.SetAttributes(
			keyServers.Int(servers), keyProblems.Int(problems),
			keyLangfuseType.String(typeSpan), keyLangfuseTrace.String("config reload"),
		)
		if err != nil {
			ending{outcome: how, kind: string(how), message: err.Error()}.mark(span, t.redact)
		}
	}
}

func nothingApplied(error) {}
