package trace

import (
	"strings"
	"sync"
	"unicode/utf8"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// A record is a span as it is written for a collector: the fields of a Span of OTLP, one
// after the other. It is written when the span ends, by whoever ends it, from what is at
// hand then, so that nothing of a call has to be kept until it is sent. Fields have the
// numbers of trace.proto and common.proto; what our spans never have, events and links,
// is not written. A test compares with what the SDK writes.
type record struct{ b []byte }

// Tags of fields: the number, and how the value is written.
const (
	tagTraceID   = 1<<3 | byte(protowire.BytesType)
	tagSpanID    = 2<<3 | byte(protowire.BytesType)
	tagState     = 3<<3 | byte(protowire.BytesType)
	tagParent    = 4<<3 | byte(protowire.BytesType)
	tagName      = 5<<3 | byte(protowire.BytesType)
	tagKind      = 6<<3 | byte(protowire.VarintType)
	tagStart     = 7<<3 | byte(protowire.Fixed64Type)
	tagEnd       = 8<<3 | byte(protowire.Fixed64Type)
	tagAttribute = 9<<3 | byte(protowire.BytesType)
	tagStatus    = 15<<3 | byte(protowire.BytesType)
	fieldFlags   = 16

	// of a KeyValue
	tagKey   = 1<<3 | byte(protowire.BytesType)
	tagValue = 2<<3 | byte(protowire.BytesType)

	// of an AnyValue, the kinds that we use
	tagText   = 1<<3 | byte(protowire.BytesType)
	tagNumber = 3<<3 | byte(protowire.VarintType)
	tagList   = 5<<3 | byte(protowire.BytesType)

	tagElement = 1<<3 | byte(protowire.BytesType) // of an ArrayValue

	// of a Status
	tagMessage = 2<<3 | byte(protowire.BytesType)
	tagCode    = 3<<3 | byte(protowire.VarintType)
)

// records are reused: each is written into the queue when it is whole.
var records = sync.Pool{New: func() any { return &record{b: make([]byte, 0, 1<<10)} }}

// mostReused bounds what a record that had much to say keeps of it.
const mostReused = 16 << 10

func (r *record) free() {
	if cap(r.b) <= mostReused {
		r.b = r.b[:0]
		records.Put(r)
	}
}

// mark adds an attribute that is written already.
func (r *record) mark(m mark) { r.b = append(r.b, m...) }

// text adds an attribute. An empty text is one too.
func (r *record) text(k key, value string) {
	value = valid(value)
	r.b = append(r.textHead(k, len(value)), value...)
}

// short adds an attribute that is a text of which not too much is said.
func (r *record) short(k key, value string) {
	if len(value) > maxText {
		value = cut(value, maxText)
	}
	r.text(k, value)
}

// textHead is all of an attribute but its text.
func (r *record) textHead(k key, length int) []byte {
	if whole := len(k) + length + 3; whole < 1<<7 { // as nearly all
		b := append(append(r.b, tagAttribute, byte(whole)), k...)
		return append(b, byte(length+2), tagText, byte(length))
	}
	b := r.attributeHead(k, 1+sizeOf(length))
	return appendSize(append(b, tagText), length)
}

// number adds an attribute.
func (r *record) number(k key, n int64) {
	b := r.attributeHead(k, 1+protowire.SizeVarint(uint64(n)))
	r.b = protowire.AppendVarint(append(b, tagNumber), uint64(n))
}

// texts adds an attribute that is a list.
func (r *record) texts(k key, list []string) {
	size := 0
	for _, text := range list {
		size += 1 + sizeOf(1+sizeOf(len(valid(text))))
	}
	b := r.attributeHead(k, 1+sizeOf(size))
	b = appendSize(append(b, tagList), size)
	for _, text := range list {
		text = valid(text)
		b = appendSize(append(b, tagElement), 1+sizeOf(len(text)))
		b = append(appendSize(append(b, tagText), len(text)), text...)
	}
	r.b = b
}

// attributeHead is all of an attribute before its value, which takes so many bytes.
func (r *record) attributeHead(k key, value int) []byte {
	b := appendSize(append(r.b, tagAttribute), len(k)+sizeOf(value))
	return appendSize(append(b, k...), value)
}

// status says that a span ended badly, or nothing.
func (r *record) status(failed bool, message string) {
	if !failed {
		r.b = append(r.b, tagStatus, 0)
		return
	}
	size := 2
	if message != "" {
		size += 1 + sizeOf(len(message))
	}
	r.b = appendSize(append(r.b, tagStatus), size)
	r.field(tagMessage, message)
	r.b = append(r.b, tagCode, byte(tracepb.Status_STATUS_CODE_ERROR))
}

// field adds a text that is no attribute, if there is any.
func (r *record) field(tag byte, text string) {
	if text != "" {
		r.b = append(appendSize(append(r.b, tag), len(text)), text...)
	}
}

// time adds a moment.
func (r *record) time(tag byte, nanoseconds int64) {
	r.b = protowire.AppendFixed64(append(r.b, tag), uint64(max(0, nanoseconds)))
}

// flags adds what is said of a span in bits.
func (r *record) flags(flags uint32) {
	r.b = protowire.AppendFixed32(protowire.AppendTag(r.b, fieldFlags, protowire.Fixed32Type), flags)
}

// appendSize adds the length of what follows.
func appendSize(b []byte, n int) []byte {
	if n < 1<<7 { // as nearly all
		return append(b, byte(n))
	}
	return protowire.AppendVarint(b, uint64(n))
}

// sizeOf is how much something of a length takes with the length before it.
func sizeOf(n int) int {
	if n < 1<<7 {
		return 1 + n
	}
	return protowire.SizeBytes(n)
}

// valid is a text that a collector takes: one that is not would have it refuse all that
// is sent with it.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
