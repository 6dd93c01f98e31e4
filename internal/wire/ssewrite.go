package wire

import (
	"bytes"
	"net/http"
	"time"
)

// pacedWriter gives each piece of a response its own deadline: a slow reader
// is waited for, one that has stopped reading is cut off.
type pacedWriter struct {
	w       http.ResponseWriter
	rc      http.ResponseController
	timeout time.Duration
	since   int    // bytes written since the deadline was set
	buf     []byte // an event in the making
}

const paceChunk = 256 << 10

// begin starts a piece of output.
func (p *pacedWriter) begin() {
	p.rc.SetWriteDeadline(time.Now().Add(p.timeout))
	p.since = 0
}

func (p *pacedWriter) write(b []byte) error {
	for len(b) > 0 {
		if p.since >= paceChunk {
			p.begin()
		}
		n, err := p.w.Write(b[:min(len(b), paceChunk)])
		if err != nil {
			return err
		}
		p.since += n
		b = b[n:]
	}
	return nil
}

// comment sends a line that readers ignore, to show that the stream lives.
func (p *pacedWriter) comment(text string) error {
	p.begin()
	if _, err := p.w.Write(append(append([]byte(": "), text...), "\n\n"...)); err != nil {
		return err
	}
	return p.rc.Flush()
}

// event sends one event without flushing it. A small one goes out in one
// write, a large body from where it is.
func (p *pacedWriter) event(id, retry string, e *outEvent) error {
	p.begin()
	b := p.buf[:0]
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	if retry != "" {
		b = append(append(append(b, "retry: "...), retry...), '\n')
	}
	b = append(b, "data: "...)
	b = appendData(b, e.head)
	if len(e.body) > oneWrite {
		if err := p.write(b); err != nil {
			return err
		}
		if err := p.data(e.body); err != nil {
			return err
		}
		b = b[:0]
	} else {
		b = appendData(b, e.body)
	}
	b = append(appendData(b, e.tail), "\n\n"...)
	p.buf = b
	return p.write(b)
}

// data writes a large part of an event's data.
func (p *pacedWriter) data(b []byte) error {
	lines := dataLines{rest: b, returns: bytes.IndexByte(b, '\r') >= 0}
	for {
		line, more := lines.next()
		if err := p.write(line); err != nil || !more {
			return err
		}
		if err := p.write(nextLine); err != nil {
			return err
		}
	}
}

var nextLine = []byte("\ndata: ")

// appendData adds text to an event's data. A line end (in JSON: space between
// tokens) would end the data, so that what follows it becomes another data line;
// readers join them again.
func appendData(dst, text []byte) []byte {
	lines := dataLines{rest: text, returns: bytes.IndexByte(text, '\r') >= 0}
	for {
		line, more := lines.next()
		dst = append(dst, line...)
		if !more {
			return dst
		}
		dst = append(dst, nextLine...)
	}
}

// dataLines splits text at the line ends that an event stream knows.
type dataLines struct {
	rest    []byte
	returns bool // there are carriage returns, which takes the slower search
}

func (d *dataLines) next() (line []byte, more bool) {
	var i int
	if d.returns {
		i = bytes.IndexAny(d.rest, "\r\n")
	} else {
		i = bytes.IndexByte(d.rest, '\n')
	}
	if i < 0 {
		return d.rest, false
	}
	line, end := d.rest[:i], i+1
	if d.rest[i] == '\r' && end < len(d.rest) && d.rest[end] == '\n' {
		end++
	}
	d.rest = d.rest[end:]
	return line, true
}
