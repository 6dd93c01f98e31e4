package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
	"time"
)

const sseBuffer = 8 << 10

var sseBuffers = sync.Pool{New: func() any { b := make([]byte, sseBuffer); return &b }}

// An sseEvent is one event that carried data.
type sseEvent struct {
	name string // "" is the usual one, a message
	data []byte // in memory of its own; never empty
}

// An sseReader reads Server-Sent Events. A long line is gathered in pieces and
// joined once. release must be called when it is no longer used.
type sseReader struct {
	r   io.Reader
	max int // bytes of one event

	// lastID and retry are the last that the stream said, also in events
	// without data, which are not returned.
	lastID string
	retry  time.Duration // 0: not said

	pooled   *[]byte
	buf      []byte
	pos, end int
	pieces   [][]byte // what is full of the current line
	length   int      // of pieces
	skipLF   bool     // the last line ended in CR; an LF belongs to it
	begun    bool
}

func newSSEReader(r io.Reader, max int) *sseReader {
	p := sseBuffers.Get().(*[]byte)
	return &sseReader{r: r, max: max, pooled: p, buf: *p}
}

// release gives the buffer to the next reader.
func (s *sseReader) release() {
	if s.pooled != nil {
		sseBuffers.Put(s.pooled)
		s.pooled, s.buf = nil, nil
		s.pos, s.end = 0, 0
	}
}

// next returns the next event with data, or why there is none: io.EOF when the
// stream ended. An event that a clean end cut off in front of its blank line is
// still an event.
func (s *sseReader) next() (sseEvent, error) {
	var e sseEvent
	for {
		line, own, err := s.line()
		if err != nil {
			if errors.Is(err, io.EOF) && len(e.data) > 0 {
				return e, nil
			}
			return sseEvent{}, err
		}
		if len(line) == 0 {
			if len(e.data) > 0 {
				return e, nil
			}
			e = sseEvent{}
			continue
		}
		if err := s.field(&e, line, own); err != nil {
			return sseEvent{}, err
		}
	}
}

// field takes one line of an event. own says that the line's memory is nobody
// else's.
func (s *sseReader) field(e *sseEvent, line []byte, own bool) error {
	name, value := line, []byte(nil)
	if i := bytes.IndexByte(line[:min(len(line), maxFieldName+1)], ':'); i >= 0 {
		name, value = line[:i], bytes.TrimPrefix(line[i+1:], []byte{' '})
	}
	switch string(name) {
	case "data":
		switch {
		case len(e.data)+len(value) >= s.max:
			return fmt.Errorf("%w: over %d bytes in one event", errTooLong, s.max)
		case e.data == nil && own:
			e.data = value
		case e.data == nil:
			e.data = append(make([]byte, 0, len(value)), value...)
		default:
			e.data = append(append(e.data, '\n'), value...)
		}
	case "event":
		e.name = string(value)
		if e.name == "message" {
			e.name = ""
		}
	case "id":
		if bytes.IndexByte(value, 0) < 0 && len(value) <= maxEventID {
			s.lastID = string(value)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 64); err == nil && ms < math.MaxInt32 {
			s.retry = time.Duration(ms) * time.Millisecond
		}
	}
	return nil // comments and unknown fields
}

// maxFieldName is the length of the longest field name that means anything.
const maxFieldName = len("event")

// maxEventID bounds what we would have to send back in a header.
const maxEventID = 4 << 10

// line returns the next line without its end (CR, LF or both). It is valid
// until the next call unless own is true.
func (s *sseReader) line() (line []byte, own bool, err error) {
	scanned := s.pos
	for {
		if s.skipLF && s.pos < s.end {
			if s.buf[s.pos] == '\n' {
				s.pos++
				scanned = max(scanned, s.pos)
			}
			s.skipLF = false
		}
		if i := sseLineEnd(s.buf[scanned:s.end]); i >= 0 {
			end := scanned + i
			s.skipLF = s.buf[end] == '\r'
			line, own = s.take(end)
			s.pos = end + 1
			return s.begin(line), own, nil
		}
		if s.length+s.end-s.pos > s.max {
			return nil, false, fmt.Errorf("%w: over %d bytes in one event", errTooLong, s.max)
		}
		scanned = s.makeRoom()
		if err := s.read(); err != nil {
			if errors.Is(err, io.EOF) && s.length+s.end-s.pos > 0 {
				line, own = s.take(s.end)
				s.pos = s.end
				return s.begin(line), own, nil
			}
			return nil, false, err
		}
	}
}

func sseLineEnd(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	if i >= 0 {
		b = b[:i]
	}
	if j := bytes.IndexByte(b, '\r'); j >= 0 {
		return j
	}
	return i
}

// begin drops the byte order mark that a stream may start with.
func (s *sseReader) begin(line []byte) []byte {
	if !s.begun {
		s.begun = true
		return bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line
}

// take is the line that ends at buf[end].
func (s *sseReader) take(end int) (line []byte, own bool) {
	if s.pieces == nil {
		return s.buf[s.pos:end], false
	}
	line = make([]byte, 0, s.length+end-s.pos)
	for _, p := range s.pieces {
		line = append(line, p...)
	}
	line = append(line, s.buf[s.pos:end]...)
	s.pieces, s.length = nil, 0
	return line, true
}

// makeRoom makes sure that buf has space behind end, and returns where the
// unread part of the line will begin.
func (s *sseReader) makeRoom() int {
	switch {
	case s.pos == s.end && s.pieces == nil && len(s.buf) > sseBuffer && s.pooled != nil:
		s.buf = *s.pooled // a long line is over: back to the small buffer
		s.pos, s.end = 0, 0
	case s.pos == s.end && s.pieces == nil:
		s.pos, s.end = 0, 0
	case s.end < len(s.buf):
	case s.pos > 0 && s.pieces == nil:
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	default:
		piece := s.buf[s.pos:s.end]
		if len(s.buf) == sseBuffer {
			piece = bytes.Clone(piece) // the pooled buffer stays ours
		}
		s.pieces = append(s.pieces, piece)
		s.length += len(piece)
		s.buf = make([]byte, min(largeBuffer, 4*len(s.buf)))
		s.pos, s.end = 0, 0
	}
	return s.end
}

func (s *sseReader) read() error {
	if s.buf == nil {
		return io.ErrClosedPipe
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}
