package wire

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
)

// postBatch takes an array of messages, which one version of the protocol had.
// The requests in it are answered at the same time.
func (s *HTTPServer) postBatch(p *posted, body []byte) {
	refuse := func(code int, format string, args ...any) {
		s.refuse(p.w, http.StatusBadRequest, "", Errorf(code, format, args...))
	}
	if err := CheckJSON(body); err != nil {
		refuse(CodeParse, "not a JSON-RPC message: %v", err)
		return
	}
	if p.r.Header.Get(headerSession) == "" {
		refuse(CodeInvalidRequest, "a batch needs a session of protocol version %s: send one message at a time", Version202503)
		return
	}
	hs := s.enter(p.w, p.r, p.who.Subject, "")
	if hs == nil {
		return
	}
	defer hs.leave()
	if hs.Version != Version202503 {
		refuse(CodeInvalidRequest, "protocol version %s has no batches: send one message at a time", hs.Version)
		return
	}
	elements, err := Elements(body)
	switch {
	case err != nil:
		refuse(CodeParse, "not a JSON-RPC message: %v", err)
		return
	case len(elements) == 0:
		refuse(CodeInvalidRequest, "the batch is empty")
		return
	case len(elements) > maxBatch:
		refuse(CodeInvalidRequest, "more than %d messages in one batch", maxBatch)
		return
	}
	s.answerBatch(hs, p, elements)
}

func (s *HTTPServer) answerBatch(hs *httpSession, of *posted, elements [][]byte) {
	p := *of // of is on the stack of every request
	x, ctx := s.exchangeFor(hs, &p)
	defer x.done()
	var answers []*answer
	var running sync.WaitGroup
	for _, element := range elements {
		m, meta, err := hs.inBatch(element)
		if err == nil && m.Kind != Request {
			hs.take(m)
			continue
		}
		a := new(answer)
		answers = append(answers, a)
		if err != nil {
			*a = answerOf(m.ID, nil, err)
			continue
		}
		running.Go(func() {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			*a = hs.answer(ctx, cancel, x, &p, m, meta)
		})
	}
	if len(answers) == 0 {
		p.w.WriteHeader(http.StatusAccepted)
		return
	}
	x.watch()
	running.Wait()
	x.finish(func() { s.writeAnswers(p.w, answers) }, answers...)
}

// inBatch reads one message of a batch. On an error the message has the id to
// answer, if there is one.
func (hs *httpSession) inBatch(element []byte) (Message, Meta, error) {
	m, err := Parse(element)
	if err != nil {
		var bad *MalformedError
		errors.As(err, &bad)
		return Message{ID: bad.ID}, Meta{}, bad.Fault
	}
	if m.Kind == Request && hs.s.draining.Err() != nil {
		return m, Meta{}, Errorf(CodeInternal, "the server is stopping: try again in a moment")
	}
	if m.Method == MethodInitialize {
		return m, Meta{}, Errorf(CodeInvalidRequest, "initialize cannot be part of a batch")
	}
	meta, err := readMeta(m.Method, m.Params)
	if err != nil {
		return m, Meta{}, Errorf(CodeInvalidParams, "%v", err)
	}
	return m, meta, nil
}

// writeAnswers sends the answers of a batch as one JSON array.
func (s *HTTPServer) writeAnswers(w http.ResponseWriter, answers []*answer) {
	events := make([]outEvent, len(answers))
	length := len(answers) + 1 // brackets and commas
	for i, a := range answers {
		events[i] = a.event()
		length += events[i].size()
	}
	h := w.Header()
	h["Content-Type"] = jsonHeader
	h["Content-Length"] = []string{strconv.Itoa(length)}
	out := pacedWriter{w: w, rc: *http.NewResponseController(w), timeout: s.o.WriteTimeout}
	out.begin()
	w.WriteHeader(http.StatusOK)
	before := byte('[')
	for _, e := range events {
		for _, part := range [][]byte{{before}, e.head, e.body, e.tail} {
			if out.write(part) != nil {
				return
			}
		}
		before = ','
	}
	out.write([]byte("]"))
}
