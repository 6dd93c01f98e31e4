package trace

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// A span is what is noted of something while it is done: where it belongs, how
// long it took, and a few facts. Attributes are made of those when the span is sent,
// behind the call that it tells of. The SDK makes them at once, which costs a call
// several times as much.
//
// It holds copies of what it needs: a request, which may be large, must not stay
// in memory because its span waits to be sent.
type span struct {
	sdktrace.ReadOnlySpan // never set; it makes this one of the SDK's

	t            *Trace
	title        title
	kind         trace.SpanKind
	at, parent   trace.SpanContext
	began, ended time.Time
	facts        facts
	ending       ending

	made       bool // attributes and status were
	attributes []attribute.KeyValue
	status     sdktrace.Status
}

// A title is what a span is called: what is done, and what with, if that is said.
type title struct{ what, with string }

func (t title) String() string {
	if t.with == "" {
		return t.what
	}
	return t.what + " " + t.with
}

// facts are what attributes are made of.
type facts interface {
	// marks adds attributes to a list.
	marks(to []attribute.KeyValue) []attribute.KeyValue
}

// start begins a span in another one, or in none. It is nil where none is made;
// where the sampler leaves it out it still has a name that others can be told.
func (t *Trace) start(parent trace.SpanContext, name title, kind trace.SpanKind, began time.Time) *span {
	if t.sampler == nil {
		return nil
	}
	s := &span{t: t, title: name, kind: kind, parent: parent, began: began}
	c := trace.SpanContextConfig{TraceID: parent.TraceID(), TraceState: parent.TraceState()}
	if !c.TraceID.IsValid() {
		binary.NativeEndian.PutUint64(c.TraceID[:8], rand.Uint64())
		binary.NativeEndian.PutUint64(c.TraceID[8:], rand.Uint64()|1) // all zeros would be no id
	}
	binary.NativeEndian.PutUint64(c.SpanID[:], rand.Uint64()|1)
	if t.samples(parent, c.TraceID, name, kind) {
		c.TraceFlags = trace.FlagsSampled
	}
	s.at = trace.NewSpanContext(c)
	return s
}

// recorded tells whether somebody will see the span.
func (s *span) recorded() bool { return s != nil && s.at.IsSampled() }

// end hands a span on, to be sent.
func (s *span) end(facts facts, how ending) {
	if s.recorded() {
		s.facts, s.ending, s.ended = facts, how, time.Now()
		s.t.queue.add(s)
	}
}

// make is done by the one goroutine that sends.
func (s *span) make() {
	if s.made {
		return
	}
	s.made = true
	list := s.facts.marks(make([]attribute.KeyValue, 0, 14))
	if !s.parent.IsValid() {
		list = append(list, keyLangfuseTrace.String(s.Name()))
	}
	s.attributes, s.status = s.ending.marks(list, s.t.redact)
	s.facts = nil
}

// What follows is how the SDK's exporters read a span.

func (s *span) Name() string                     { return s.title.String() }
func (s *span) SpanContext() trace.SpanContext   { return s.at }
func (s *span) Parent() trace.SpanContext        { return s.parent }
func (s *span) SpanKind() trace.SpanKind         { return s.kind }
func (s *span) StartTime() time.Time             { return s.began }
func (s *span) EndTime() time.Time               { return s.ended }
func (s *span) Attributes() []attribute.KeyValue { s.make(); return s.attributes }
func (s *span) Status() sdktrace.Status          { s.make(); return s.status }
func (s *span) Links() []sdktrace.Link           { return nil }
func (s *span) Events() []sdktrace.Event         { return nil }
func (s *span) DroppedAttributes() int           { return 0 }
func (s *span) DroppedLinks() int                { return 0 }
func (s *span) DroppedEvents() int               { return 0 }
func (s *span) ChildSpanCount() int              { return 0 }
func (s *span) Resource() *resource.Resource     { return s.t.about }
func (s *span) InstrumentationScope() instrumentation.Scope {
	return instrumentation.Scope{Name: scope, Version: s.t.o.Version}
}

// marks says how something ended.
func (e ending) marks(to []attribute.KeyValue, redact func(string) string) ([]attribute.KeyValue, sdktrace.Status) {
	if e.kind == "" {
		return to, sdktrace.Status{}
	}
	message := cut(redact(cut(e.message, 2*maxText)), maxText)
	to = append(to, keyErrorType.String(e.kind), keyLangfuseLevel.String(levelError))
	if e.code != 0 {
		to = append(to, keyStatusCode.String(e.kind))
	}
	if message != "" {
		to = append(to, keyLangfuseStatus.String(message))
	}
	return to, sdktrace.Status{Code: codes.Error, Description: message}
}
