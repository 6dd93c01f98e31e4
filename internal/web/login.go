package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A LoginRequest is what somebody shows who wants in.
type LoginRequest struct {
	Token string `json:"token,omitempty"` // as agents send it in a header; the session's own if it is left out
	Key   string `json:"key,omitempty"`   // of the page: what counts for all agents can be decided with it
}

// maxToken bounds what is taken for one, and for a key.
const maxToken = 16 << 10

// login begins a session with a token, and has the browser keep it. With the key it can
// decide, too; whoever is logged in can show the key later.
func (h *Handler) login(w http.ResponseWriter, r *http.Request, in LoginRequest) (Me, *Problem) {
	if h.o.Authenticate == nil && in.Key == "" {
		return h.nobody(), nil // nobody has to
	}
	from := addressOf(r)
	if wait := h.tries.wait(from); wait > 0 {
		seconds := strconv.Itoa(int(wait.Seconds()) + 1)
		w.Header().Set("Retry-After", seconds)
		return h.nobody(), &Problem{Status: http.StatusTooManyRequests, Code: CodeTooMany, Message: "too many wrong tokens came from this address", Next: "wait " + seconds + " s and try again"}
	}
	s, _ := h.sessions.of(sessionOf(r)) // what it has is kept
	me := h.nobody()
	if h.o.Authenticate != nil {
		if token := strings.TrimSpace(in.Token); token != "" {
			s.token = token
		}
		if s.token == "" || len(s.token) > maxToken || strings.ContainsAny(s.token, " \t\r\n") {
			return me, badRequest("token", "this is no token", "paste the gateway's token; the log of its start says in which file it is")
		}
		who, p := h.prove(r, s.token)
		if p != nil {
			return me, p
		}
		me.Subject = who.Subject
	}
	if key := strings.TrimSpace(in.Key); key != "" {
		if !h.showsKey(key) {
			h.tries.failed(from)
			h.log.Warn("a login was refused", "from", from, "reason", "this is not the key of the page")
			return h.nobody(), keyProblem("this is not the key of the page")
		}
		s.key = true
	}
	h.begin(w, r, s)
	me.Login, me.Decides = true, s.key && me.Actions
	return me, nil
}

// prove says whose token somebody logs in with.
func (h *Handler) prove(r *http.Request, token string) (Caller, *Problem) {
	who, err := h.o.Authenticate(withToken(r, token))
	if err != nil {
		h.tries.failed(addressOf(r))
		h.log.Warn("a login was refused", "from", addressOf(r), "reason", err)
		return who, refusal(err)
	}
	return who, nil
}

// begin begins a session in place of the one of before, if there is one.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request, s session) {
	h.sessions.end(sessionOf(r))
	h.setCookie(w, r, h.sessions.begin(s))
}

// codeLogin begins a session for a browser that its user sent here with a code. A link on
// a page of somebody else's is not followed: it could log its reader in as another. Where a
// code stands for no token, the session has the one of before, or waits for one.
func (h *Handler) codeLogin(w http.ResponseWriter, r *http.Request, code string) *Problem {
	from := r.Header.Get("Sec-Fetch-Site")
	if h.o.Code == nil || from != "" && from != "none" && from != "same-origin" || h.tries.wait(addressOf(r)) > 0 {
		return refusal(nil)
	}
	token, ok := h.o.Code(code)
	if !ok {
		h.tries.failed(addressOf(r))
		return refusal(nil)
	}
	if token == "" {
		before, _ := h.sessions.of(sessionOf(r))
		token = before.token
	} else if _, p := h.prove(r, token); p != nil {
		return p
	}
	h.begin(w, r, session{token: token, key: true})
	return nil
}

func (h *Handler) logout(w http.ResponseWriter, r *http.Request) {
	h.sessions.end(sessionOf(r))
	h.setCookie(w, r, "")
}

// formLogin is login for a form without a script. It goes on to the page that the form
// came from, or back to it with what was wrong.
func (h *Handler) formLogin(w http.ResponseWriter, r *http.Request) {
	guarded(w)
	if p := h.foreign(r); p != nil {
		h.fail(w, p)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 2*maxToken)
	next := localPath(r.PostFormValue("next"))
	if _, p := h.login(w, r, LoginRequest{Token: r.PostFormValue("token"), Key: r.PostFormValue("key")}); p != nil {
		again := url.Values{"problem": {p.Code}, "next": {next}}
		if r.PostFormValue("token") == "" {
			again.Set("decide", "1")
		}
		http.Redirect(w, r, "/login?"+again.Encode(), http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (h *Handler) formLogout(w http.ResponseWriter, r *http.Request) {
	guarded(w)
	if p := h.foreign(r); p != nil {
		h.fail(w, p)
		return
	}
	h.logout(w, r)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// localPath is a path of this gateway, / for anything else: a link must not lead away.
func localPath(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return "/"
	}
	return path
}
