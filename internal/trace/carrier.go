package trace

import (
	"bytes"
	"context"
	"encoding/hex"

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
func extract(in *wire.Incoming) trace.SpanContext {
	if in.Meta.Present && bytes.Contains(in.Params, []byte(traceparent)) {
		meta := wire.MetaOf(in.Params)
		if parent, ok := wire.Text(wire.Find(meta, traceparent)); ok {
			state, _ := wire.Text(wire.Find(meta, tracestate))
			return read(propagation.MapCarrier{traceparent: parent, tracestate: state})
		}
	}
	if len(in.Header["Traceparent"]) > 0 {
		return read(propagation.HeaderCarrier(in.Header))
	}
	return trace.SpanContext{}
}

func read(from propagation.TextMapCarrier) trace.SpanContext {
	return trace.SpanContextFromContext(w3c.Extract(context.Background(), from))
}

// inject puts a span into a request's _meta, in place of the one that the agent
// sent. Params that have no _meta to be read stay as they are.
func inject(at trace.SpanContext, params []byte) []byte {
	var room [128]byte
	members := append(room[:0], `"`+traceparent+`":"`...)
	parent := len(members) - 1
	members = append(appendParent(members, at), '"')
	end := len(members)
	var state []byte
	if text := at.TraceState().String(); text != "" {
		state = wire.Quote(text)
		members = append(append(members, `,"`+tracestate+`":`...), state...)
	}
	if out := wire.AddMeta(params, members, traceparent, tracestate); out != nil {
		return out
	}
	out, err := wire.ChangeMeta(params, wire.Change{Name: traceparent, Value: bytes.Clone(members[parent:end])}, wire.Change{Name: tracestate, Value: state})
	if err != nil {
		return params // whoever reads it says what is wrong with it
	}
	return out
}

// parentText is a traceparent.
func parentText(at trace.SpanContext) string {
	return string(appendParent(make([]byte, 0, 64), at))
}

func appendParent(out []byte, at trace.SpanContext) []byte {
	id, span := at.TraceID(), at.SpanID()
	out = append(out, "00-"...)
	out = hex.AppendEncode(out, id[:])
	out = append(out, '-')
	out = hex.AppendEncode(out, span[:])
	out = append(out, '-')
	return hex.AppendEncode(out, []byte{byte(at.TraceFlags() & trace.FlagsSampled)})
}
