package wire

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
)

// legacyCall is a request of a session that is being answered.
type legacyCall struct {
	id     ID
	x      *agentExchange
	cancel context.CancelCauseFunc
	in     Incoming
}

// postLegacy takes a message of a session, or the one that opens a session.
func (s *HTTPServer) postLegacy(p *posted, m Message, meta Meta) {
	if m.Kind == Request && m.Method == MethodInitialize {
		s.initialize(p, m, meta)
		return
	}
	hs := s.enter(p.w, p.r, p.who.Subject, m.ID)
	if hs == nil {
		return
	}
	defer hs.leave()
	if m.Kind != Request {
		hs.take(m)
		p.w.WriteHeader(http.StatusAccepted)
		return
	}
	x, ctx := s.exchangeFor(hs, p)
	defer x.done()
	x.watch()
	a := hs.answer(ctx, x.cancel, x, p, m, meta)
	x.finish(func() { s.writeAnswer(p.w, http.StatusOK, &a) }, &a)
}

func (s *HTTPServer) initialize(p *posted, m Message, meta Meta) {
	sess := NewSession(s.closing, newSessionID())
	sess.Subject = p.who.Subject
	if err := OpenLegacy(sess, m.Params); err != nil {
		sess.cancel()
		s.refuse(p.w, http.StatusBadRequest, m.ID, AsError(err))
		return
	}
	hs := s.open(sess)
	if hs == nil {
		sess.cancel()
		s.refuse(p.w, http.StatusServiceUnavailable, m.ID, Errorf(CodeInternal, "%d sessions are in use, which is the most there can be: end one with DELETE, or wait until one is idle for a minute", s.o.MaxSessions))
		return
	}
	defer hs.leave()
	p.w.Header()[headerSession] = []string{sess.ID}
	x, ctx := s.exchangeFor(hs, p)
	defer x.done()
	x.watch()
	a := hs.answer(ctx, x.cancel, x, p, m, meta)
	if a.fault != nil || p.r.Context().Err() != nil {
		s.end(hs) // nobody got to know of it
	}
	x.finish(func() {
		if a.fault != nil {
			p.w.Header().Del(headerSession)
		}
		s.writeAnswer(p.w, http.StatusOK, &a)
	}, &a)
}

// exchangeFor prepares the answer to a POST of a session. Its context outlives
// the connection, for as long as the agent may come back to a stream.
func (s *HTTPServer) exchangeFor(hs *httpSession, p *posted) (*agentExchange, context.Context) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(p.r.Context()))
	x := &agentExchange{s: s, w: p.w, r: p.r, accept: p.accept, session: hs, cancel: cancel}
	hs.active.add(x, cancel)
	x.settled = context.AfterFunc(p.r.Context(), x.disconnected)
	return x, ctx
}

// done ends what exchangeFor began.
func (x *agentExchange) done() {
	x.session.active.remove(x)
	x.settled()
	x.cancel(nil)
}

// answer answers one request of a session. cancel ends ctx when the agent
// takes the request back.
func (hs *httpSession) answer(ctx context.Context, cancel context.CancelCauseFunc, x *agentExchange, p *posted, m Message, meta Meta) answer {
	if m.Method == MethodPing {
		return answerOf(m.ID, nil, nil)
	}
	c := &legacyCall{id: m.ID, x: x, cancel: cancel, in: Incoming{
		Era: Legacy, Version: hs.Version, Session: hs.Session, ID: m.ID, Method: m.Method, Params: m.Params, Meta: meta,
		Back: x, Header: p.r.Header, Subject: p.who.Subject, Scopes: p.who.Scopes,
	}}
	hs.mu.Lock()
	hs.calls[c] = struct{}{}
	hs.mu.Unlock()
	defer func() {
		hs.mu.Lock()
		delete(hs.calls, c)
		hs.mu.Unlock()
	}()
	result, err := hs.s.call(ctx, &c.in)
	return answerOf(m.ID, result, err)
}

// take handles a message that has no answer.
func (hs *httpSession) take(m Message) {
	switch {
	case m.Kind == Response:
		hs.settle(m)
	case m.Method == MethodCancelled:
		hs.cancelCall(m.Params)
	default:
		defer hs.s.recovered(m.Method)
		hs.s.h.Notified(hs.Context(), hs.Session, m.Method, m.Params)
	}
}

func (s *HTTPServer) recovered(what string) {
	if p := recover(); p != nil {
		s.o.Log.Error("panic", "in", what, "panic", p, "stack", string(debug.Stack()))
	}
}

func (hs *httpSession) cancelCall(params []byte) {
	var o Object
	if params == nil || o.parse(params) != nil {
		return
	}
	id := ID(o.Get("requestId"))
	hs.mu.Lock()
	defer hs.mu.Unlock()
	for c := range hs.calls {
		if c.id == id {
			c.cancel(errCancelled)
		}
	}
}

// malformed ends the wait for an answer that came and cannot be read.
func (s *HTTPServer) malformed(p *posted, bad *MalformedError) {
	if bad.Answer && bad.ID != "" {
		if hs := s.find(p.r.Header.Get(headerSession), p.who.Subject); hs != nil {
			hs.settle(Message{Kind: Response, ID: bad.ID, Fault: Errorf(CodeAgentRefused, "the agent sent a malformed answer: %s", bad.Fault.Message)})
			hs.leave()
		}
	}
	s.refuse(p.w, http.StatusBadRequest, bad.ID, bad.Fault)
}

func (s *HTTPServer) deleteSession(w http.ResponseWriter, r *http.Request, subject string) {
	hs := s.enter(w, r, subject, "")
	if hs == nil {
		return
	}
	s.end(hs)
	hs.leave()
	w.WriteHeader(http.StatusNoContent)
}

// getStream opens a session's own stream, or goes on with one that broke off.
func (s *HTTPServer) getStream(w http.ResponseWriter, r *http.Request, subject string) {
	if !readAccept(r.Header["Accept"]).stream {
		s.refuse(w, http.StatusNotAcceptable, "", Errorf(CodeInvalidRequest, "send Accept: text/event-stream"))
		return
	}
	hs := s.enter(w, r, subject, "")
	if hs == nil {
		return
	}
	defer hs.leave()
	if s.draining.Err() != nil {
		s.refuseStopping(w, "")
		return
	}
	if last := r.Header.Get(headerLastEvent); last != "" {
		s.resume(w, r, hs, last)
		return
	}
	rd := hs.own.attach(false)
	if rd == nil {
		s.refuse(w, http.StatusConflict, "", Errorf(CodeInvalidRequest, "the stream of this session is open already"))
		return
	}
	s.followed(s.follow(w, r, hs.own, rd, hs.own.unsent(), hs.own.primed, hs.Context(), s.draining))
}

func (s *HTTPServer) resume(w http.ResponseWriter, r *http.Request, hs *httpSession, last string) {
	st, next, err := hs.place(last)
	if err != nil {
		s.refuse(w, http.StatusBadRequest, "", Errorf(CodeInvalidParams, "Last-Event-ID %q: %v", clip(last), err))
		return
	}
	rd := st.attach(true)
	if st == hs.own {
		s.followed(s.follow(w, r, st, rd, next, false, hs.Context(), s.draining))
		return
	}
	s.followed(s.follow(w, r, st, rd, next, false))
}

func (s *HTTPServer) followed(err error) {
	if err != nil {
		s.o.Log.Debug("stream to an agent broke off", "error", err)
	}
}

// place finds the event after the one that an agent saw last.
func (hs *httpSession) place(last string) (*outStream, uint64, error) {
	name, number, ok := strings.Cut(last, "-")
	seen, err := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil {
		return nil, 0, errors.New("no event of this server has such an id")
	}
	st := hs.stream(name)
	if st == nil {
		return nil, 0, errors.New("that stream is over and no longer kept: send the request again if it is safe to repeat")
	}
	next, ok := st.seek(seen)
	if !ok {
		return nil, 0, errors.New("that event was never sent")
	}
	return st, next, nil
}
