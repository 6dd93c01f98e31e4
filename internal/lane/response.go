package lane

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// room is left in front of a body for its head, so that both go out in one write.
	room = 512
	// maxHeld is how much of a body is held back, to say how long it is.
	maxHeld = 32 << 10
)

// A response is what is said to the request that is being answered. Nothing of it goes
// out before it is flushed, finished or long.
type response struct {
	c      *conn
	header http.Header
	status int // 0 until it is said

	head    []byte // as far as it is known
	held    []byte // room, then what was written of the body and not sent
	sent    bool   // the head was
	chunked bool
	last    bool  // the connection ends with it
	timed   bool  // the handler set a deadline
	length  int64 // that was announced, -1 if none was
	written int64
	err     error
}

// Header can be changed until the status is said.
func (w *response) Header() http.Header { return w.header }

// WriteHeader says the status, once.
func (w *response) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status, w.length = status, -1
	w.begin()
	if cap(w.held) == 0 {
		w.held = make([]byte, room, firstBuffer)
	}
	w.held = w.held[:room]
}

func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.written += int64(len(p))
	switch {
	case w.err != nil:
		return 0, w.err
	case w.status == http.StatusNoContent:
		return 0, http.ErrBodyNotAllowed
	case w.length >= 0 && w.written > w.length:
		w.err = http.ErrContentLength
		return 0, w.err
	case len(w.held)-room+len(p) <= maxHeld:
		w.held = append(w.held, p...)
		return len(p), nil
	}
	w.send(false)
	if w.err == nil {
		w.put(p)
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// FlushError sends what was written.
func (w *response) FlushError() error {
	w.WriteHeader(http.StatusOK)
	if w.err == nil {
		w.send(false)
	}
	return w.err
}

// Flush is FlushError for those who do not ask.
func (w *response) Flush() { _ = w.FlushError() }

// SetReadDeadline has nothing to do: all of the request has come.
func (w *response) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline may set one that is a little later.
func (w *response) SetWriteDeadline(t time.Time) error {
	w.timed = true
	if t.IsZero() {
		w.c.writeBy = t
		return w.c.rwc.SetWriteDeadline(t)
	}
	if later := w.c.writeBy.Sub(t); later >= 0 && later <= slack {
		return nil
	}
	w.c.writeBy = t.Add(slack)
	return w.c.rwc.SetWriteDeadline(w.c.writeBy)
}

// send sends what is held back, after the head if that is still to be sent.
func (w *response) send(last bool) {
	data := w.held[room:]
	if w.sent {
		w.held = w.held[:room]
		w.put(data)
		return
	}
	w.sent = true
	now := time.Now()
	if !w.timed { // and what was set for another may be over
		_ = w.SetWriteDeadline(now.Add(writeWait))
	}
	if last && w.length < 0 {
		w.length = int64(len(data))
	}
	w.chunked = w.length < 0
	w.endHead(now)
	w.held = w.held[:room]
	if start := room - len(w.head); start >= 0 && !w.chunked {
		all := w.held[start : room+len(data)]
		copy(all, w.head)
		w.direct(all)
		return
	}
	w.direct(w.head)
	w.put(data)
}

// put sends a piece of the body.
func (w *response) put(p []byte) {
	switch {
	case len(p) == 0 || w.err != nil:
	case !w.chunked:
		w.direct(p)
	default:
		var space [18]byte
		pieces := net.Buffers{append(strconv.AppendInt(space[:0], int64(len(p)), 16), "\r\n"...), p, lineEnd}
		_, err := pieces.WriteTo(w.c.rwc)
		w.failed(err)
	}
}

var lineEnd = []byte("\r\n")

func (w *response) direct(p []byte) {
	if w.err == nil {
		_, err := w.c.rwc.Write(p)
		w.failed(err)
	}
}

// failed notes that nobody takes the answer any more.
func (w *response) failed(err error) {
	if err != nil {
		w.err = err
		w.c.cancel()
	}
}

// begin writes what is known of the head before the body is.
func (w *response) begin() {
	b := append(w.head[:0], "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(w.status), 10)
	b = append(append(append(b, ' '), http.StatusText(w.status)...), "\r\n"...)
	for name, values := range w.header {
		switch name {
		case "Content-Length":
			if n, err := strconv.ParseInt(strings.Join(values, ","), 10, 64); err == nil && n >= 0 {
				w.length = n
			}
			continue
		case "Connection":
			w.last = true
		}
		for _, v := range values {
			b = append(append(b, name...), ": "...)
			b = append(append(b, oneLine(v)...), "\r\n"...)
		}
	}
	if w.c.l.ending() && !w.last {
		w.last = true
		b = append(b, "Connection: close\r\n"...)
	}
	w.head = b
}

// endHead writes the rest of the head.
func (w *response) endHead(now time.Time) {
	b := append(append(w.head, "Date: "...), date(now)...)
	switch {
	case w.chunked:
		b = append(b, "\r\nTransfer-Encoding: chunked"...)
	case w.status != http.StatusNoContent:
		b = strconv.AppendInt(append(b, "\r\nContent-Length: "...), w.length, 10)
	}
	w.head = append(b, "\r\n\r\n"...)
}

// oneLine is a value that cannot become two headers.
func oneLine(value string) string {
	if strings.ContainsAny(value, "\r\n") {
		return strings.NewReplacer("\r", " ", "\n", " ").Replace(value)
	}
	return value
}

// finish ends the response, and says whether the connection can go on.
func (w *response) finish() error {
	w.WriteHeader(http.StatusOK)
	if w.err == nil {
		w.send(true)
	}
	if w.chunked {
		w.direct([]byte("0\r\n\r\n"))
	}
	err := w.err
	if err == nil && (w.last || w.written < w.length) {
		err = io.EOF
	}
	clear(w.header)
	next := response{c: w.c, header: w.header}
	if cap(w.held) <= 2*firstBuffer { // more is not kept while nobody asks
		next.held, next.head = w.held, w.head
	}
	*w = next
	return err
}

// A day is the time of day, as headers have it, for one second.
type day struct {
	second int64
	text   string
}

var today atomic.Pointer[day]

// date is made once a second: writing it takes longer than all other headers.
func date(now time.Time) string {
	d := today.Load()
	if d == nil || d.second != now.Unix() {
		d = &day{now.Unix(), now.UTC().Format(http.TimeFormat)}
		today.Store(d)
	}
	return d.text
}
