package trace

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// A span is what is noted of something while it is done: where it belongs and when it
// began. It is part of what it tells of and has no memory of its own: what else there is
// to say is written into a record at its end. The SDK's spans gather it in objects, which
// costs a call several times as much.
type span struct {
	t      *Trace
	title  title
	kind   trace.SpanKind
	at     trace.SpanContext
	parent trace.SpanID
	remote bool // the parent is the agent's
	began  time.Time
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
func (t *Trace) start(s *span, parent trace.SpanContext, name title, kind trace.SpanKind, began time.Time) {
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
	s.t, s.title, s.kind, s.began = t, name, kind, began
	s.at, s.parent, s.remote = trace.NewSpanContext(c), parent.SpanID(), parent.IsRemote()
}

// recorded tells whether somebody will see the span.
func (s *span) recorded() bool { return s != nil && s.at.IsSampled() }

// record begins to write a span that took so long. Attributes are added to it, and then
// end is called with it. It is nil if nobody will see the span.
func (s *span) record(took time.Duration) *record {
	if !s.recorded() {
		return nil
	}
	r := records.Get().(*record)
	id, own := s.at.TraceID(), s.at.SpanID()
	b := append(append(r.b, tagTraceID, byte(len(id))), id[:]...)
	r.b = append(append(b, tagSpanID, byte(len(own))), own[:]...)
	r.field(tagState, s.at.TraceState().String())
	if s.parent.IsValid() {
		r.b = append(append(r.b, tagParent, byte(len(s.parent))), s.parent[:]...)
	}
	if n := s.title.size(); n > 0 {
		r.b = s.title.appendTo(appendSize(append(r.b, tagName), n))
	}
	r.b = append(r.b, tagKind, byte(s.kind)) // OTLP has the same numbers
	began := s.began.UnixNano()
	r.time(tagStart, began)
	r.time(tagEnd, began+int64(took))
	return r
}

// end hands a span on, to be sent. Its record is not to be used afterwards.
func (s *span) end(r *record, how ending) {
	if !s.parent.IsValid() {
		r.b = s.title.appendTo(r.textHead(keyLangfuseTrace, s.title.size()))
	}
	how.marks(r, s.t.redact)
	flags := uint32(s.at.TraceFlags()) | uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK)
	if s.remote {
		flags |= uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)
	}
	r.flags(flags)
	s.t.queue.add(r.b)
	r.free()
}

// marks says how something ended.
func (e ending) marks(r *record, redact func(string) string) {
	if e.kind == "" {
		r.status(false, "")
		return
	}
	message := cut(redact(cut(e.message, 2*maxText)), maxText)
	r.text(keyErrorType, e.kind)
	r.mark(markFailed)
	if e.code != 0 {
		r.text(keyStatusCode, e.kind)
	}
	if message != "" {
		r.text(keyLangfuseStatus, message)
	}
	r.status(true, message)
}
