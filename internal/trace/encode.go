package trace

import (
	"math"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// Spans are written as OTLP wants them straight into bytes. The SDK makes some forty
// objects of each before it writes those, which on a machine whose processors are all
// busy was half of what tracing costs a call. Fields have the numbers of trace.proto,
// common.proto and resource.proto; what our spans never have, events and links, is not
// written. A test compares with what the SDK writes.

// encodeSpans adds spans of one resource and scope, at least one, to b, as the fields
// of a ResourceSpans.
func encodeSpans(b []byte, spans []sdktrace.ReadOnlySpan) []byte {
	about, scope := spans[0].Resource(), spans[0].InstrumentationScope()
	start := len(b)
	for _, a := range about.Attributes() {
		b = encodeAttribute(b, 1, a)
	}
	b = nest(b, start, 1)

	start = len(b)
	inner := len(b)
	b = encodeText(b, 1, scope.Name)
	b = encodeText(b, 2, scope.Version)
	b = nest(b, inner, 1)
	for _, s := range spans {
		inner = len(b)
		b = nest(encodeSpan(b, s), inner, 2)
	}
	b = encodeText(b, 3, scope.SchemaURL)
	b = nest(b, start, 2)
	return encodeText(b, 3, about.SchemaURL())
}

// encodeSpan adds the fields of a Span.
func encodeSpan(b []byte, s sdktrace.ReadOnlySpan) []byte {
	at, parent := s.SpanContext(), s.Parent()
	id, own := at.TraceID(), at.SpanID()
	b = protowire.AppendBytes(protowire.AppendTag(b, 1, protowire.BytesType), id[:])
	b = protowire.AppendBytes(protowire.AppendTag(b, 2, protowire.BytesType), own[:])
	b = encodeText(b, 3, at.TraceState().String())
	if above := parent.SpanID(); above.IsValid() {
		b = protowire.AppendBytes(protowire.AppendTag(b, 4, protowire.BytesType), above[:])
	}
	b = encodeText(b, 5, s.Name())
	b = protowire.AppendVarint(protowire.AppendTag(b, 6, protowire.VarintType), kindNumber(s.SpanKind()))
	b = encodeTime(b, 7, s.StartTime().UnixNano())
	b = encodeTime(b, 8, s.EndTime().UnixNano())
	for _, a := range s.Attributes() {
		b = encodeAttribute(b, 9, a)
	}
	status, start := s.Status(), len(b)
	b = encodeText(b, 2, status.Description)
	switch status.Code {
	case codes.Ok:
		b = protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(tracepb.Status_STATUS_CODE_OK))
	case codes.Error:
		b = protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(tracepb.Status_STATUS_CODE_ERROR))
	}
	b = nest(b, start, 15)
	flags := uint32(at.TraceFlags()) | uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK)
	if parent.IsRemote() {
		flags |= uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)
	}
	return protowire.AppendFixed32(protowire.AppendTag(b, 16, protowire.Fixed32Type), flags)
}

func kindNumber(k trace.SpanKind) uint64 {
	switch k {
	case trace.SpanKindInternal:
		return uint64(tracepb.Span_SPAN_KIND_INTERNAL)
	case trace.SpanKindClient:
		return uint64(tracepb.Span_SPAN_KIND_CLIENT)
	case trace.SpanKindServer:
		return uint64(tracepb.Span_SPAN_KIND_SERVER)
	case trace.SpanKindProducer:
		return uint64(tracepb.Span_SPAN_KIND_PRODUCER)
	case trace.SpanKindConsumer:
		return uint64(tracepb.Span_SPAN_KIND_CONSUMER)
	}
	return uint64(tracepb.Span_SPAN_KIND_UNSPECIFIED)
}

// encodeAttribute adds a KeyValue as a field.
func encodeAttribute(b []byte, field protowire.Number, a attribute.KeyValue) []byte {
	start := len(b)
	b = encodeText(b, 1, string(a.Key))
	value := len(b)
	switch a.Value.Type() {
	case attribute.BOOL:
		b = encodeBool(b, a.Value.AsBool())
	case attribute.INT64:
		b = encodeInt(b, a.Value.AsInt64())
	case attribute.FLOAT64:
		b = encodeFloat(b, a.Value.AsFloat64())
	case attribute.STRING:
		b = encodeString(b, a.Value.AsString())
	case attribute.BOOLSLICE:
		b = encodeList(b, a.Value.AsBoolSlice(), encodeBool)
	case attribute.INT64SLICE:
		b = encodeList(b, a.Value.AsInt64Slice(), encodeInt)
	case attribute.FLOAT64SLICE:
		b = encodeList(b, a.Value.AsFloat64Slice(), encodeFloat)
	case attribute.STRINGSLICE:
		b = encodeList(b, a.Value.AsStringSlice(), encodeString)
	}
	return nest(nest(b, value, 2), start, field)
}

// The values of an AnyValue. Unlike fields of their own, they are written when they are
// empty too: which one is there says of what kind it is.

func encodeString(b []byte, v string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, 1, protowire.BytesType), valid(v))
}

func encodeBool(b []byte, v bool) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, 2, protowire.VarintType), protowire.EncodeBool(v))
}

func encodeInt(b []byte, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(v))
}

func encodeFloat(b []byte, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, 4, protowire.Fixed64Type), math.Float64bits(v))
}

func encodeList[T any](b []byte, list []T, encode func([]byte, T) []byte) []byte {
	start := len(b)
	for _, v := range list {
		one := len(b)
		b = nest(encode(b, v), one, 1)
	}
	return nest(b, start, 5)
}

// encodeText adds a text as a field, if there is any.
func encodeText(b []byte, field protowire.Number, text string) []byte {
	if text == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), valid(text))
}

func encodeTime(b []byte, field protowire.Number, nanoseconds int64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, field, protowire.Fixed64Type), uint64(max(0, nanoseconds)))
}

// valid is a text that a collector takes: one that is not would have it refuse all that
// is sent with it.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// nest makes what was added since start the content of a field.
func nest(b []byte, start int, field protowire.Number) []byte {
	size := len(b) - start
	head := protowire.SizeTag(field) + protowire.SizeVarint(uint64(size))
	for range head {
		b = append(b, 0)
	}
	copy(b[start+head:], b[start:start+size])
	protowire.AppendVarint(protowire.AppendTag(b[:start], field, protowire.BytesType), uint64(size))
	return b
}
