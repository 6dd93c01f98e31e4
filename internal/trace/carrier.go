package trace

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"toolcrib/internal/wire"
)

// Where a trace is told to others: in the _meta of a request, under the names of
// W3C Trace Context.
const (
	traceparent = "traceparent"
	tracestate  = "tracestate"
)

var w3c = propagation.TraceContext{}

// extract takes the trace that an agent's request belongs to: from its _meta, or
// else from the HTTP request that it came with.
func extract(ctx context.Context, in *wire.Incoming) context.Context {
	if in.Meta.Present {
		meta := wire.MetaOf(in.Params)
		if parent, ok := wire.Text(wire.Find(meta, traceparent)); ok {
			state, _ := wire.Text(wire.Find(meta, tracestate))
			return w3c.Extract(ctx, propagation.MapCarrier{traceparent: parent, tracestate: state})
		}
	}
	return fromHeader(ctx, in.Header)
}

func fromHeader(ctx context.Context, h http.Header) context.Context {
	if h.Get(traceparent) == "" {
		return ctx
	}
	return w3c.Extract(ctx, propagation.HeaderCarrier(h))
}

// inject puts the trace of ctx into a request's _meta, in place of the one that
// the agent sent. Params that have no _meta to be read stay as they are.
func inject(ctx context.Context, params []byte) []byte {
	at := trace.SpanContextFromContext(ctx)
	if !at.IsValid() {
		return params
	}
	changes := []wire.Change{{Name: traceparent, Value: parentOf(at)}, {Name: tracestate}}
	if state := at.TraceState().String(); state != "" {
		changes[1].Value = wire.Quote(state)
	} else if !bytes.Contains(params, []byte(tracestate)) {
		changes = changes[:1]
	}
	out, err := wire.ChangeMeta(params, changes...)
	if err != nil {
		return params // whoever reads it says what is wrong with it
	}
	return out
}

// parentOf is a traceparent as JSON.
func parentOf(at trace.SpanContext) []byte {
	id, span := at.TraceID(), at.SpanID()
	out := append(make([]byte, 0, 64), `"00-`...)
	out = hex.AppendEncode(out, id[:])
	out = append(out, '-')
	out = hex.AppendEncode(out, span[:])
	out = append(out, '-')
	out = hex.AppendEncode(out, []byte{byte(at.TraceFlags() & trace.FlagsSampled)})
	return append(out, '"')
}
