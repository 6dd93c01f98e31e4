package trace

import (
	"strings"
	"unicode/utf8"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// A record is a span as it is written for a collector: the fields of a Span of OTLP, one
// after the other. It is written when the span ends, by whoever ends it, from what is at
// hand then, so that nothing of a call has to be kept until it is sent. Fields have the
// numbers of trace.proto and common.proto; what our spans never have, events and links,
// is not written. A test compares with what the SDK writes.
//
// It is added to as slices are, so that it can lie on the stack of whoever writes it.
type record []byte

// usualRecord is how long nearly all are.
const usualRecord = 768

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

// mark adds an attribute that is written already.
func (r record) mark(m mark) record { return append(r, m...) }

// text adds an attribute. An empty text is one too.
func (r record) text(k key, value string) record {
	value = valid(value)
	return append(r.textHead(k, len(value)), value...)
}

// short adds an attribute that is a text of which not too much is said.
func (r record) short(k key, value string) record {
	if len(value) > maxText {
		value = cut(value, maxText)
	}
	return r.text(k, value)
}

// textHead adds all of an attribute but its text.
func (r record) textHead(k key, length int) record {
	if whole := len(k) + length + 3; whole < 1<<7 { // as nearly all
		r = append(append(r, tagAttribute, byte(whole)), k...)
		return append(r, byte(length+2), tagText, byte(length))
	}
	return appendSize(append(r.attributeHead(k, 1+sizeOf(length)), tagText), length)
}

// number adds an attribute.
func (r record) number(k key, n int64) record {
	r = append(r.attributeHead(k, 1+protowire.SizeVarint(uint64(n))), tagNumber)
	return protowire.AppendVarint(r, uint64(n))
}

// texts adds an attribute that is a list.
func (r record) texts(k key, list []string) record {
	size := 0
	for _, text := range list {
		size += 1 + sizeOf(1+sizeOf(len(valid(text))))
	}
	r = appendSize(append(r.attributeHead(k, 1+sizeOf(size)), tagList), size)
	for _, text := range list {
		text = valid(text)
		r = appendSize(append(r, tagElement), 1+sizeOf(len(text)))
		r = append(appendSize(append(r, tagText), len(text)), text...)
	}
	return r
}

// attributeHead adds all of an attribute before its value, which takes so many bytes.
func (r record) attributeHead(k key, value int) record {
	r = appendSize(append(r, tagAttribute), len(k)+sizeOf(value))
	return appendSize(append(r, k...), value)
}

// status says that a span ended badly, or nothing.
func (r record) status(failed bool, message string) record {
	if !failed {
		return append(r, tagStatus, 0)
	}
	size := 2
	if message != "" {
		size += 1 + sizeOf(len(message))
	}
	r = appendSize(append(r, tagStatus), size).field(tagMessage, message)
	return append(r, tagCode, byte(tracepb.Status_STATUS_CODE_ERROR))
}

// field adds a text that is no attribute, if there is any.
func (r record) field(tag byte, text string) record {
	if text == "" {
		return r
	}
	return append(appendSize(append(r, tag), len(text)), text...)
}

// time adds a moment.
func (r record) time(tag byte, nanoseconds int64) record {
	return protowire.AppendFixed64(append(r, tag), uint64(max(0, nanoseconds)))
}

// flags adds what is said of a span in bits.
func (r record) flags(flags uint32) record {
	return protowire.AppendFixed32(protowire.AppendTag(r, fieldFlags, protowire.Fixed32Type), flags)
}

// appendSize adds the length of what follows.
func appendSize(b record, n int) record {
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
