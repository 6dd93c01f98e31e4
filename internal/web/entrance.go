package web

import (
	"errors"
	"net/http"

	"toolcrib/internal/wire"
)

// A request is one to a route, of somebody who is known.
type request struct {
	*http.Request
	w     http.ResponseWriter
	route *route
	who   Caller
	me    Me
}

// entrance lets in whoever may use a route.
func (h *Handler) entrance(route *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		guarded(w)
		who, me, p := h.admit(r)
		switch {
		case p != nil && !(route.public && p.Code == CodeUnauthorized):
			h.refuse(w, p)
			return
		case route.action && !h.o.Actions:
			h.fail(w, &Problem{Status: http.StatusForbidden, Code: CodeActionsOff, Message: "nothing can be done here, only read", Next: "set http.page: actions in the configuration and restart the gateway"})
			return
		case route.decides && !me.Decides:
			h.fail(w, keyProblem("a person decides this, with the key of the page, which agents are not given"))
			return
		}
		q := &request{Request: r, w: w, route: route, who: who, me: me}
		if route.stream != nil {
			route.stream(h, q)
			return
		}
		value, problem := route.do(h, q)
		if problem != nil {
			h.fail(w, problem)
			return
		}
		h.answer(w, http.StatusOK, value)
	})
}

// foreign is why a request is not answered, whoever sends it, nil if it may be. The host
// and the origin are looked at as at the endpoint for MCP; besides, what changes
// something is not taken from pages of others, whatever they are let read.
func (h *Handler) foreign(r *http.Request) *Problem {
	if h.o.Allowed != nil && !h.o.Allowed(r) {
		return &Problem{Status: http.StatusForbidden, Code: CodeForbidden, Where: "Host or Origin", Message: "this host or origin may not ask", Next: "use a loopback name, or add it to http.allowed_hosts or http.allowed_origins"}
	}
	if h.cross.Check(r) != nil {
		return crossProblem()
	}
	return nil
}

// admit says who sends a request and what they may, or why it is not answered.
func (h *Handler) admit(r *http.Request) (Caller, Me, *Problem) {
	me := h.nobody()
	if p := h.foreign(r); p != nil {
		return Caller{}, me, p
	}
	var s session
	if r.Header.Get("Authorization") == "" {
		s, me.Login = h.sessions.of(sessionOf(r))
	}
	var who Caller
	switch {
	case h.o.Authenticate != nil:
		var p *Problem
		if who, p = h.identify(r, s); p != nil {
			return Caller{}, h.nobody(), p
		}
		me.Subject = who.Subject
	case !sameOrigin(r):
		s, me.Login = session{}, false // they may what everybody may
	}
	switch shown := r.Header.Get(KeyHeader); {
	case shown == "":
		me.Decides = s.key && h.o.Actions
	case h.showsKey(shown):
		me.Decides = h.o.Actions
	default:
		return Caller{}, me, keyProblem("this is not the key of the page")
	}
	return who, me, nil
}

// identify says who sends a request, by its header or its session.
func (h *Handler) identify(r *http.Request, s session) (Caller, *Problem) {
	asked := r
	if r.Header.Get("Authorization") == "" {
		if s.token == "" {
			return Caller{}, &Problem{Status: http.StatusUnauthorized, Code: CodeUnauthorized, Message: "whoever asks is not known", Next: "send the gateway's token as Authorization: Bearer, or log in with it at /login"}
		}
		if !sameOrigin(r) {
			return Caller{}, crossProblem()
		}
		asked = withToken(r, s.token)
	}
	who, err := h.o.Authenticate(asked)
	if err != nil {
		h.log.Debug("request refused", "path", r.URL.Path, "reason", err)
		return Caller{}, refusal(err)
	}
	return who, nil
}

// KeyHeader is how programs show the key.
const KeyHeader = "Toolcrib-Key"

func (h *Handler) showsKey(text string) bool { return h.o.Key != nil && h.o.Key(text) }

// nobody is who asks before anything is known of them.
func (h *Handler) nobody() Me { return Me{Actions: h.o.Actions, Version: h.o.Version} }

func keyProblem(what string) *Problem {
	return &Problem{
		Status: http.StatusForbidden, Code: CodeKeyNeeded, Where: KeyHeader, Message: what,
		Next: "decide in a terminal with toolcrib trust, or in a browser at the address that toolcrib page prints; a program of yours sends what is in page-key in the gateway's state directory as " + KeyHeader,
	}
}

func crossProblem() *Problem {
	return &Problem{Status: http.StatusForbidden, Code: CodeForbidden, Where: "Origin", Message: "a page of another origin may not ask this", Next: "use the gateway's own pages, or a program that sends the token"}
}

// sameOrigin tells whether a browser says that a request comes from a page of ours, or
// from its user. Other ports of this machine are the same site, and get our cookie, but
// they are another origin.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	// A link that somebody follows shows a page and changes nothing.
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// withToken is r as a program would send it that has a token.
func withToken(r *http.Request, token string) *http.Request {
	out := *r
	out.Header = r.Header.Clone()
	out.Header.Set("Authorization", "Bearer "+token)
	return &out
}

// refusal is why Authenticate does not let somebody in. Nothing of what was sent is in it.
func refusal(err error) *Problem {
	p := &Problem{Status: http.StatusUnauthorized, Code: CodeUnauthorized, Message: "the token is not valid", Next: "send a valid one as Authorization: Bearer, or log in again at /login"}
	var no *wire.AuthError
	if errors.As(err, &no) {
		switch no.Status {
		case http.StatusForbidden:
			p.Status, p.Code, p.Message, p.Next = no.Status, CodeForbidden, "the token does not allow this", "get one with the scopes of http.oauth.scopes"
		case http.StatusServiceUnavailable:
			p.Status, p.Code, p.Message, p.Next = no.Status, CodeInternal, "the token cannot be checked now", "try again; the gateway's log says why"
		}
	}
	return p
}

// refuse answers with a problem of admit.
func (h *Handler) refuse(w http.ResponseWriter, p *Problem) {
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	h.fail(w, p)
}
