package wire

import (
	"context"
	"errors"
	"net/http"
)

// postModern answers a request that says everything about itself.
func (s *HTTPServer) postModern(p *posted, m Message, meta Meta) {
	if err := s.checkModern(p.r, &m, &meta); err != nil {
		fault := AsError(err)
		s.refuse(p.w, modernStatus(fault), m.ID, fault)
		return
	}
	if m.Kind == Notification {
		p.w.WriteHeader(http.StatusAccepted) // none is defined that says anything without a session
		return
	}
	ctx, cancel := context.WithCancelCause(p.r.Context())
	defer cancel(nil)
	if m.Method == MethodListen {
		defer context.AfterFunc(s.draining, func() { cancel(ErrDraining) })()
	}
	x := &agentExchange{s: s, w: p.w, r: p.r, accept: p.accept, cancel: cancel}
	s.active.add(x, cancel)
	defer s.active.remove(x)
	x.watch()
	x.in = Incoming{
		Era: Modern, Version: meta.Version, ID: m.ID, Method: m.Method, Params: m.Params, Meta: meta,
		Back: x, Header: p.r.Header, Subject: p.who.Subject, Scopes: p.who.Scopes,
	}
	result, err := s.call(ctx, &x.in)
	if err != nil && m.Method == MethodListen && errors.Is(context.Cause(ctx), ErrDraining) {
		result, err = listenEnd(m.ID), nil
	}
	a := answerOf(m.ID, result, err)
	x.finish(func() { s.writeAnswer(p.w, modernStatus(a.fault), &a) }, &a)
}

// checkModern holds a modern message against the rules of the transport.
func (s *HTTPServer) checkModern(r *http.Request, m *Message, meta *Meta) error {
	switch {
	case m.Kind == Response:
		return Errorf(CodeInvalidRequest, "protocol version %s has no requests to agents, so there is nothing to respond to", VersionModern)
	case m.Kind == Request && meta.Version == "":
		return Errorf(CodeInvalidParams, "params._meta lacks %q: every request needs it in protocol version %s", MetaVersion, VersionModern)
	case m.Kind == Request:
		if err := CheckModern(meta); err != nil {
			return err
		}
	}
	if err := s.checkHeaders(r, m, meta); err != nil {
		return err
	}
	if m.Method == MethodInitialize || m.Method == MethodPing {
		return Errorf(CodeMethodNotFound, "there is no method %s in protocol version %s", m.Method, VersionModern)
	}
	return nil
}

// checkHeaders compares the headers that repeat the body with the body:
// whoever routes by them must not be told something else than we are.
func (s *HTTPServer) checkHeaders(r *http.Request, m *Message, meta *Meta) error {
	if version, _ := oneHeader(r.Header, headerVersion); version == "" {
		return Errorf(CodeHeaderMismatch, "the header MCP-Protocol-Version is missing: it must repeat the version in params._meta")
	}
	if method, many := oneHeader(r.Header, headerMethod); many || method != m.Method {
		return Errorf(CodeHeaderMismatch, "the header Mcp-Method must repeat the method %s, once", clip(m.Method))
	}
	member := namedMember(m.Method)
	if member == "" || m.Kind != Request {
		return nil
	}
	header, many := oneHeader(r.Header, headerName)
	decoded, ok := decodeHeader(header)
	if _, sent := r.Header[headerName]; many || !ok || sent != meta.named || decoded != meta.about {
		return Errorf(CodeHeaderMismatch, "the header Mcp-Name must repeat params.%s, once", member)
	}
	if m.Method == MethodToolsCall && s.o.ParamHeaders != nil {
		return CheckParamHeaders(r.Header, s.o.ParamHeaders(r.Context(), meta.about), m.Params)
	}
	return nil
}

// listenEnd ends a subscription whose handler had no last word.
func listenEnd(id ID) []byte {
	b := append([]byte(`{"resultType":"complete","_meta":{"`+MetaSubscription+`":`), id...)
	return append(b, "}}"...)
}
