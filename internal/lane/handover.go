package lane

import (
	"net"
	"time"
)

// handOver gives the connection to whoever accepts, with all that was read of it.
func (c *conn) handOver() bool {
	_ = c.rwc.SetDeadline(time.Time{})
	rest := make([]byte, len(c.buf))
	copy(rest, c.buf)
	select {
	case c.l.handed <- &replayed{Conn: c.rwc, first: rest}:
		return true
	case <-c.l.closed:
		return false
	}
}

// A replayed connection begins with what was read of it before.
type replayed struct {
	net.Conn
	first []byte
}

func (r *replayed) Read(p []byte) (int, error) {
	if len(r.first) == 0 {
		return r.Conn.Read(p)
	}
	n := copy(p, r.first)
	if r.first = r.first[n:]; len(r.first) == 0 {
		r.first = nil
	}
	return n, nil
}

// CloseWrite is asked for by an http.Server that ends a connection before it has read
// all of it.
func (r *replayed) CloseWrite() error {
	if c, ok := r.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}
