package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxMessage is how long one message of a server may be, on any transport.
const MaxMessage = 24 << 20

// errTooLong is a line over the limit.
var errTooLong = errors.New("message too long")

const (
	smallBuffer = 64 << 10
	largeBuffer = 1 << 20
)

// A lineReader splits a stream into lines. A long line is gathered in pieces
// and joined once, so that it costs its own size while it grows and twice that
// at the moment it is complete; the limit is noticed before it is exceeded.
type lineReader struct {
	r        io.Reader
	max      int
	buf      []byte
	pos, end int
	pieces   [][]byte // full buffers that hold the beginning of the line
	length   int      // of pieces
	lastRead int
	cut      bool // the last line had no end
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: r, max: max, buf: make([]byte, smallBuffer)}
}

// next returns the next line without its end, in memory of its own. After
// errTooLong the rest of that line is still unread: see skipLine.
func (l *lineReader) next() ([]byte, error) {
	scanned := l.pos
	for {
		end, ended := l.end, false
		if i := bytes.IndexByte(l.buf[scanned:l.end], '\n'); i >= 0 {
			end, ended = scanned+i, true
		}
		if l.length+end-l.pos > l.max {
			return nil, fmt.Errorf("%w: over %d bytes", errTooLong, l.max)
		}
		if ended {
			return bytes.TrimSuffix(l.take(end), []byte{'\r'}), nil
		}
		if err := l.fill(); err != nil {
			if errors.Is(err, io.EOF) && l.length+l.end-l.pos > 0 {
				l.cut = true
				return l.take(l.end), nil // a last line without an end
			}
			return nil, err
		}
		scanned = max(l.pos, l.end-l.lastRead)
	}
}

// take joins the pieces and buf[pos:end] into one line and steps over its end.
func (l *lineReader) take(end int) []byte {
	line := make([]byte, 0, l.length+end-l.pos)
	for _, p := range l.pieces {
		line = append(line, p...)
	}
	line = append(line, l.buf[l.pos:end]...)
	l.pieces, l.length = nil, 0
	l.pos = min(end+1, l.end)
	if len(l.buf) > smallBuffer && l.end-l.pos <= smallBuffer/2 {
		small := make([]byte, smallBuffer)
		l.end = copy(small, l.buf[l.pos:l.end])
		l.buf, l.pos = small, 0
	}
	return line
}

// fill reads more behind buf[:end], making room first.
func (l *lineReader) fill() error {
	switch {
	case l.pos == l.end && l.length == 0:
		l.pos, l.end = 0, 0
	case l.end < len(l.buf):
	case l.pos > 0 && l.length == 0:
		l.end = copy(l.buf, l.buf[l.pos:l.end])
		l.pos = 0
	default: // the line fills the buffer: keep it as a piece
		l.pieces = append(l.pieces, l.buf[l.pos:l.end])
		l.length += l.end - l.pos
		l.buf = make([]byte, min(largeBuffer, 2*len(l.buf)))
		l.pos, l.end = 0, 0
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		l.lastRead = n
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// beginning is what has been read of the current line, or the first part of it.
func (l *lineReader) beginning() []byte {
	if len(l.pieces) > 0 {
		return l.pieces[0]
	}
	return l.buf[l.pos:l.end]
}

// skipLine drops everything up to the end of the current line.
func (l *lineReader) skipLine() error {
	l.pieces, l.length = nil, 0
	for {
		if i := bytes.IndexByte(l.buf[l.pos:l.end], '\n'); i >= 0 {
			l.pos += i + 1
			return nil
		}
		l.pos, l.end = 0, 0
		if err := l.fill(); err != nil {
			return err
		}
	}
}
