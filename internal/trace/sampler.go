package trace

import (
	"context"
	"fmt"
	"os"
	"strconv"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// samplerFromEnvironment is what OTEL_TRACES_SAMPLER asks for.
func samplerFromEnvironment() (sdktrace.Sampler, error) {
	ratio := 1.0
	if text := os.Getenv("OTEL_TRACES_SAMPLER_ARG"); text != "" {
		var err error
		if ratio, err = strconv.ParseFloat(text, 64); err != nil || ratio < 0 || ratio > 1 {
			return nil, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is %q: it must be a number from 0 to 1", text)
		}
	}
	switch name := os.Getenv("OTEL_TRACES_SAMPLER"); name {
	case "", "parentbased_always_on":
		return sdktrace.ParentBased(sdktrace.AlwaysSample()), nil
	case "always_on":
		return sdktrace.AlwaysSample(), nil
	case "always_off":
		return sdktrace.NeverSample(), nil
	case "traceidratio":
		return sdktrace.TraceIDRatioBased(ratio), nil
	case "parentbased_always_off":
		return sdktrace.ParentBased(sdktrace.NeverSample()), nil
	case "parentbased_traceidratio":
		return sdktrace.ParentBased(sdktrace.TraceIDRatioBased(ratio)), nil
	default:
		return nil, fmt.Errorf("OTEL_TRACES_SAMPLER is %q: use always_on, always_off, traceidratio, or one of them with parentbased_ in front", name)
	}
}

// samples tells whether a span is to be seen.
func (t *Trace) samples(parent trace.SpanContext, id trace.TraceID, name title, kind trace.SpanKind) bool {
	if t.all { // nobody has to be asked
		return !parent.IsValid() || parent.IsSampled()
	}
	ctx := context.Background()
	if parent.IsValid() {
		ctx = trace.ContextWithSpanContext(ctx, parent)
	}
	return t.sampler.ShouldSample(sdktrace.SamplingParameters{ParentContext: ctx, TraceID: id, Name: name.String(), Kind: kind}).Decision == sdktrace.RecordAndSample
}
