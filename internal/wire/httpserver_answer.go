package wire

import (
	"net/http"
	"strconv"
	"sync"
)

// Shared header values; net/http does not change them.
var (
	jsonHeader   = []string{"application/json"}
	streamHeader = []string{"text/event-stream"}
	noCache      = []string{"no-cache"}
	no           = []string{"no"}
)

// oneWrite is up to which size an answer is put together for a single write.
// Larger results are written from where they are.
const oneWrite = 32 << 10

// netHTTPCounts is up to which size net/http itself says how long a body is, without
// making anything for it.
const netHTTPCounts = 2 << 10

var answerBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// An answer is the response to one request.
type answer struct {
	id     ID
	result []byte
	fault  *Error
}

func answerOf(id ID, result []byte, err error) answer {
	if err != nil {
		return answer{id: id, fault: AsError(err)}
	}
	if len(result) == 0 {
		result = []byte("{}")
	}
	return answer{id: id, result: result}
}

// event is the answer as the last event of a stream.
func (a *answer) event() outEvent {
	if a.fault != nil {
		return outEvent{head: AppendFault(nil, a.id, a.fault)}
	}
	head := append(append([]byte(`{"jsonrpc":"2.0","id":`), a.id...), `,"result":`...)
	return outEvent{head: head, body: a.result, tail: closeBrace}
}

var closeBrace = []byte("}")

// writeAnswer sends an answer as one JSON document.
func (s *HTTPServer) writeAnswer(w http.ResponseWriter, status int, a *answer) {
	buf := answerBuffers.Get().(*[]byte)
	b := (*buf)[:0]
	var body []byte
	switch {
	case a.fault != nil:
		b = AppendFault(b, a.id, a.fault)
	case len(a.result) <= oneWrite:
		b = AppendResult(b, a.id, a.result)
	default:
		b = append(append(append(b, `{"jsonrpc":"2.0","id":`...), a.id...), `,"result":`...)
		body = a.result
	}
	length := len(b)
	if body != nil {
		length += len(body) + 1
	}
	h := w.Header()
	h["Content-Type"] = jsonHeader
	if length > netHTTPCounts {
		h["Content-Length"] = []string{strconv.Itoa(length)}
	}
	out := pacedWriter{w: w, rc: *http.NewResponseController(w), timeout: s.o.WriteTimeout}
	out.begin()
	w.WriteHeader(status)
	out.write(b)
	if body != nil {
		out.write(body)
		out.write(closeBrace)
	}
	if cap(b) <= 2*oneWrite {
		*buf = b
		answerBuffers.Put(buf)
	}
}

// refuse answers a request that goes no further.
func (s *HTTPServer) refuse(w http.ResponseWriter, status int, id ID, fault *Error) {
	s.writeAnswer(w, status, &answer{id: id, fault: fault})
}

func (s *HTTPServer) refuseStopping(w http.ResponseWriter, id ID) {
	h := w.Header()
	h.Set("Retry-After", "1")
	h.Set("Connection", "close")
	s.refuse(w, http.StatusServiceUnavailable, id, Errorf(CodeInternal, "the server is stopping: try again in a moment"))
}

// noSession is plain text: clients take a JSON-RPC error for the answer to
// their request, and a bare 404 for the sign to begin anew.
func noSession(w http.ResponseWriter) {
	http.Error(w, "no such session: it ended, or was never here; send initialize to open one", http.StatusNotFound)
}

// modernStatus is the HTTP status that goes with an error in the modern era.
func modernStatus(fault *Error) int {
	if fault == nil {
		return http.StatusOK
	}
	switch fault.Code {
	case CodeMethodNotFound:
		return http.StatusNotFound
	case CodeParse, CodeInvalidRequest, CodeInvalidParams,
		CodeHeaderMismatch, CodeMissingCapability, CodeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
