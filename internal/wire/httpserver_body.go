package wire

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// firstRead is what is set aside for a body before any of it has come: its
// announced length is only a claim.
const firstRead = 16 << 10

// readBody reads a POST's body within the limits, or says with which status it
// is refused.
func (s *HTTPServer) readBody(w http.ResponseWriter, r *http.Request) ([]byte, int, error) {
	if !isMediaType(r.Header.Get("Content-Type"), "application/json") {
		return nil, http.StatusUnsupportedMediaType, Errorf(CodeInvalidRequest, "send Content-Type: application/json")
	}
	limit := s.o.MaxBody
	if r.ContentLength > limit {
		return nil, http.StatusRequestEntityTooLarge, tooLarge(limit)
	}
	// net/http lifts the deadline when the body has been read.
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.o.ReadTimeout))
	size := int64(firstRead)
	if r.ContentLength >= 0 {
		size = min(size, r.ContentLength+1)
	}
	body := make([]byte, 0, size)
	for {
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, http.StatusRequestEntityTooLarge, tooLarge(limit)
		case err == io.EOF:
			return body, 0, nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, http.StatusRequestTimeout, Errorf(CodeInvalidRequest, "the request did not arrive within %s", s.o.ReadTimeout)
		case err != nil:
			return nil, http.StatusBadRequest, Errorf(CodeInvalidRequest, "the request could not be read to its end")
		}
		if len(body) == cap(body) {
			body = grow(body, limit+1, r.ContentLength)
		}
	}
}

func tooLarge(limit int64) error {
	return Errorf(CodeInvalidRequest, "the request is longer than %d bytes", limit)
}

// grow doubles the room, up to what is needed at most.
func grow(body []byte, limit, announced int64) []byte {
	size := min(2*int64(cap(body)), limit)
	if announced >= 0 {
		size = min(size, announced+1) // one more, to meet the end without growing again
	}
	bigger := make([]byte, len(body), max(size, int64(cap(body))+1))
	copy(bigger, body)
	return bigger
}

func isMediaType(header, want string) bool {
	value, _, _ := strings.Cut(header, ";")
	return strings.EqualFold(strings.TrimSpace(value), want)
}

// accepts is what an agent can read.
type accepts struct{ json, stream bool }

// readAccept reads Accept headers. None at all accepts everything.
func readAccept(headers []string) accepts {
	if len(headers) == 0 {
		return accepts{true, true}
	}
	var a accepts
	for _, rest := range headers {
		for rest != "" {
			var part string
			part, rest, _ = strings.Cut(rest, ",")
			value, params, _ := strings.Cut(part, ";")
			if refusesByWeight(params) {
				continue
			}
			switch value = strings.TrimSpace(value); {
			case value == "*/*":
				a = accepts{true, true}
			case strings.EqualFold(value, "application/json"), strings.EqualFold(value, "application/*"):
				a.json = true
			case strings.EqualFold(value, "text/event-stream"), strings.EqualFold(value, "text/*"):
				a.stream = true
			}
		}
	}
	return a
}

// refusesByWeight finds q=0 among the parameters of a media range.
func refusesByWeight(params string) bool {
	for params != "" {
		var p string
		p, params, _ = strings.Cut(params, ";")
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			return strings.Trim(value, "0.") == "" && value != ""
		}
	}
	return false
}
