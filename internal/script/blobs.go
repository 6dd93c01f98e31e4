package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
)

// blobMark stands before and after the number of binary content in what Lua writes,
// and before it in what Lua reads. No JSON has it.
const blobMark = 1

// blobs are the binary content of a script's calls. A script sees a handle, and the
// bytes stay here: an image of a megabyte costs it nothing.
type blobs struct {
	mu   sync.Mutex
	all  []blob
	room int // bytes that may still be added
}

type blob struct{ data, mimeType string } // data in base64

func (b *blobs) get(id int) blob {
	b.mu.Lock()
	defer b.mu.Unlock()
	if id < 0 || id >= len(b.all) {
		return blob{}
	}
	return b.all[id]
}

// add keeps binary content and returns what stands for it, nil if there is no room.
func (b *blobs) add(data, mimeType string) json.RawMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(data) > b.room {
		return nil
	}
	b.room -= len(data)
	b.all = append(b.all, blob{data, mimeType})
	return strconv.AppendInt([]byte{blobMark}, int64(len(b.all)-1), 10)
}

// withdraw writes content blocks as an array in which handles stand for binary
// content; nil if there is no room for it.
func (b *blobs) withdraw(content []json.RawMessage) []byte {
	text := []byte{'['}
	for i, block := range content {
		if i > 0 {
			text = append(text, ',')
		}
		written := b.withdrawBlock(block)
		if written == nil {
			return nil
		}
		text = append(text, written...)
	}
	return append(text, ']')
}

func (b *blobs) withdrawBlock(block json.RawMessage) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(block, &fields) != nil {
		return block
	}
	switch text(fields["type"]) {
	case "image", "audio":
		return b.replace(block, fields, "data")
	case "resource":
		var resource map[string]json.RawMessage
		if json.Unmarshal(fields["resource"], &resource) != nil {
			return block
		}
		if inner := b.replace(fields["resource"], resource, "blob"); inner != nil {
			return object(fields, "resource", inner)
		}
		return nil
	}
	return block
}

// replace puts a handle where the data of an object was.
func (b *blobs) replace(whole json.RawMessage, fields map[string]json.RawMessage, name string) []byte {
	data := text(fields[name])
	if data == "" {
		return whole
	}
	handle := b.add(data, text(fields["mimeType"]))
	if handle == nil {
		return nil
	}
	return object(fields, name, handle)
}

// object writes an object with one field changed, by hand: the mark of a handle is
// no JSON.
func object(fields map[string]json.RawMessage, name string, value []byte) []byte {
	out := []byte{'{'}
	for key, v := range fields {
		if len(out) > 1 {
			out = append(out, ',')
		}
		quoted, _ := json.Marshal(key) // a string always can be
		out = append(append(out, quoted...), ':')
		if key == name {
			v = value
		}
		out = append(out, v...)
	}
	return append(out, '}')
}

// text is the string that JSON holds, "" if it holds none.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// expand puts the binary content back for its handles. The text is copied.
func (b *blobs) expand(written []byte, most int) ([]byte, error) {
	out := make([]byte, 0, len(written))
	for {
		before, rest, found := bytes.Cut(written, []byte{blobMark})
		out = append(out, before...)
		if !found {
			return out, nil
		}
		number, after, _ := bytes.Cut(rest, []byte{blobMark})
		id, _ := strconv.Atoi(string(number))
		data := b.get(id).data
		if len(out)+len(data) > most {
			return nil, fmt.Errorf("with its binary content it is larger than %d bytes", most)
		}
		quoted, _ := json.Marshal(data)
		out = append(out, quoted...)
		written = after
	}
}
