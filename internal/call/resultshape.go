package call

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"toolcrib/internal/wire"
)

// Shape makes a tool's result fit for an agent: one whose text is over most
// characters becomes the beginning of the text, how to read on, and a link to
// the whole, which is kept for the owner. What is no text stays as it is, and so
// does everything beside content; structuredContent is left out, and is part of
// the kept text where it says something else. Text is what stands in blocks of
// text, in embedded resources and in structuredContent.
//
// A result within the limit is returned as it is; most 0 is no limit.
func (s *Results) Shape(result []byte, owner string, most int) []byte {
	if most <= 0 || len(result) <= most { // a character takes at least one byte
		return result
	}
	object, err := wire.ParseObject(result)
	if err != nil {
		return unreadable(err)
	}
	content := object.Get("content")
	if content != nil && kindOf(content)&(kindList|kindNull) == 0 {
		return unreadable(errors.New("its content is no array"))
	}
	t := textOf(content, object.Get("structuredContent"))
	if t.characters <= most {
		return result
	}
	text, mime := t.whole()
	var b bytes.Buffer
	b.WriteByte('[')
	id, pages := s.keep(text, mime, owner, most)
	b.Write(s.preview(text[:cutAt(text, min(s.options.Preview, most))], text, id, pages))
	if id != "" {
		fmt.Fprintf(&b, `,{"type":"resource_link","uri":%s,"name":"result","title":"The whole result, in pages","mimeType":%s,"size":%d}`,
			wire.Quote(resultURI+id), wire.Quote(mime), len(text))
	}
	for _, block := range t.others {
		b.WriteByte(',')
		b.Write(block)
	}
	b.WriteByte(']')
	return object.With(wire.Change{Name: "content", Value: b.Bytes()}, wire.Change{Name: "structuredContent"})
}

// preview is a block of text with the beginning of a result.
func (s *Results) preview(shown, text, id string, pages int) []byte {
	rest := "It is too large to be kept: ask the tool for less."
	if id != "" {
		rest = s.options.Hint(resultURI+id, pages)
	}
	note := fmt.Sprintf("\n\n[These are the first %d of %d characters. %s]",
		utf8.RuneCountInString(shown), utf8.RuneCountInString(text), rest)
	return fmt.Appendf(nil, `{"type":"text","text":%s}`, wire.Quote(strings.TrimRight(shown, " \t\r\n")+note))
}

// A resultText is the text of a result, and what of it is none.
type resultText struct {
	texts      []string
	structured []byte // raw, nil if there is none
	others     [][]byte
	characters int
}

// textOf takes the content of a result apart.
func textOf(content, structured []byte) resultText {
	var t resultText
	for w := walkThrough(content); kindOf(content) == kindList && w.next(); {
		text, ok := textOfBlock(w.value)
		if !ok {
			t.others = append(t.others, w.value)
			continue
		}
		t.texts = append(t.texts, text)
		t.characters += utf8.RuneCountInString(text)
	}
	if structured != nil && string(structured) != "null" {
		t.structured = structured
		t.characters += utf8.RuneCount(structured)
	}
	return t
}

// textOfBlock is the text of a block of text, and of a resource that is text,
// which is headed by where it comes from.
func textOfBlock(block []byte) (string, bool) {
	switch kind, _ := wire.Text(wire.Find(block, "type")); kind {
	case "text":
		return wire.Text(wire.Find(block, "text"))
	case "resource":
		resource := wire.Find(block, "resource")
		text, ok := wire.Text(wire.Find(resource, "text"))
		uri, _ := wire.Text(wire.Find(resource, "uri"))
		return uri + ":\n" + text, ok
	}
	return "", false
}

// whole is all text as one, and what type it is of.
func (t *resultText) whole() (text, mime string) {
	if t.structured != nil && !t.saysTheSame() {
		t.texts = append(t.texts, string(t.structured))
	}
	text, mime = strings.Join(t.texts, "\n"), "text/plain"
	if k := kindOf(trimSpace([]byte(text[:min(len(text), 100)]))); k&(kindObject|kindList) != 0 && json.Valid([]byte(text)) {
		mime = "application/json"
	}
	return text, mime
}

// saysTheSame tells whether the structured content is what the text says, as it
// mostly is: the same JSON, or wrapped as the only member of an object.
func (t *resultText) saysTheSame() bool {
	if len(t.texts) != 1 {
		return false
	}
	structured, ok := decoded(t.structured)
	if !ok {
		return false
	}
	if wrapper, ok := structured.(map[string]any); ok && len(wrapper) == 1 && wrapper["result"] == any(t.texts[0]) {
		return true
	}
	text, ok := decoded([]byte(t.texts[0]))
	if !ok {
		return false
	}
	if reflect.DeepEqual(structured, text) {
		return true
	}
	wrapper, _ := structured.(map[string]any)
	return len(wrapper) == 1 && reflect.DeepEqual(wrapper["result"], text)
}

func decoded(raw []byte) (value any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return value, d.Decode(&value) == nil && !d.More()
}

// unreadable stands for a result that is large and cannot be taken apart.
func unreadable(err error) []byte {
	return fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}],"isError":true}`,
		wire.Quote("the tool was called, but its answer is large and cannot be read: "+err.Error()))
}
