package trace

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// A span is what is noted of something while it is done: what it is and where it belongs.
// It is part of what it tells of and has no memory of its own: what else there is to say is
// written into a record at its end. The SDK's spans gather it in objects, which costs a
// call several times as much.
type span struct {
	t      *Trace
	title  title
	at     trace.SpanContext
	parent trace.SpanID
	kind   byte // a trace.SpanKind; OTLP has the same numbers
	remote bool // the parent is the agent's
}

// A title is what a span is called: what is done, and what with, if that is said. Both
// are valid texts.
type title struct{ what, with string }

func (t title) String() string { return string(t.appendTo(nil)) }

func (t title) size() int {
	if t.with == "" {
		return len(t.what)
	}
	return len(t.what) + 1 + len(t.with)
}

func (t title) appendTo(b []byte) []byte {
	b = append(b, t.what...)
	if t.with == "" {
		return b
	}
	return append(append(b, ' '), t.with...)
}

// start begins a span in another one, or in none. Without traces it is none; where the
// sampler leaves it out it still has a name that others can be told.
func (t *Trace) start(s *span, parent trace.SpanContext, name title, kind trace.SpanKind) {
	if t.sampler == nil {
		return
	}
	c := trace.SpanContextConfig{TraceID: parent.TraceID(), TraceState: parent.TraceState()}
	if !c.TraceID.IsValid() {
		binary.NativeEndian.PutUint64(c.TraceID[:8], rand.Uint64())
		binary.NativeEndian.PutUint64(c.TraceID[8:], rand.Uint64()|1) // all zeros would be no id
	}
	binary.NativeEndian.PutUint64(c.SpanID[:], rand.Uint64()|1)
	if t.samples(parent, c.TraceID, name, kind) {
		c.TraceFlags = trace.FlagsSampled
	}
	s.t, s.title, s.kind = t, name, byte(kind)
	s.at, s.parent, s.remote = trace.NewSpanContext(c), parent.SpanID(), parent.IsRemote()
}

// recorded tells whether somebody will see the span.
func (s *span) recorded() bool { return s != nil && s.at.IsSampled() }

// record adds to r what can be said of any span that somebody will see. Attributes are
// added to it, and then end is called with it.
func (s *span) record(r record, began time.Time, took time.Duration) record {
	id, own := s.at.TraceID(), s.at.SpanID()
	r = append(append(r, tagTraceID, byte(len(id))), id[:]...)
	r = append(append(r, tagSpanID, byte(len(own))), own[:]...)
	r = r.field(tagState, s.at.TraceState().String())
	if s.parent.IsValid() {
		r = append(append(r, tagParent, byte(len(s.parent))), s.parent[:]...)
	}
	if n := s.title.size(); n > 0 {
		r = s.title.appendTo(appendSize(append(r, tagName), n))
	}
	r = append(r, tagKind, s.kind)
	start := began.UnixNano()
	return r.time(tagStart, start).time(tagEnd, start+int64(took))
}

// end hands a span on, to be sent.
func (s *span) end(r record, how ending) {
	if !s.parent.IsValid() {
		r = s.title.appendTo(r.textHead(keyLangfuseTrace, s.title.size()))
	}
	r = how.marks(r, s.t.redact)
	flags := uint32(s.at.TraceFlags()) | uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK)
	if s.remote {
		flags |= uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)
	}
	s.t.queue.add(r.flags(flags))
}

// marks says how something ended.
func (e *ending) marks(r record, redact func(string) string) record {
	if e.kind == "" {
		return r.status(false, "")
	}
	message := cut(redact(cut(e.message, 2*maxText)), maxText)
	r = r.text(keyErrorType, e.kind).mark(markFailed)
	if e.code != 0 {
		r = r.text(keyStatusCode, e.kind)
	}
	if message != "" {
		r = r.text(keyLangfuseStatus, message)
	}
	return r.status(true, message)
}
