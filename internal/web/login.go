package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A LoginRequest is a token, as agents send it in a header.
type LoginRequest struct {
	Token string `json:"token"`
}

// maxToken bounds what is taken for one.
const maxToken = 16 << 10

// login begins a session with a token, and has the browser keep it.
func (h *Handler) login(w http.ResponseWriter, r *http.Request, token string) (Me, *Problem) {
	me := Me{Actions: h.o.Actions, Version: h.o.Version}
	if h.o.Authenticate == nil {
		return me, nil // nobody has to
	}
	from := addressOf(r)
	if wait := h.tries.wait(from); wait > 0 {
		seconds := strconv.Itoa(int(wait.Seconds()) + 1)
		w.Header().Set("Retry-After", seconds)
		return me, &Problem{Status: http.StatusTooManyRequests, Code: CodeTooMany, Message: "too many wrong tokens came from this address", Next: "wait " + seconds + " s and try again"}
	}
	token = strings.TrimSpace(token)
	if token == "" || len(token) > maxToken || strings.ContainsAny(token, " \t\r\n") {
		return me, badRequest("token", "this is no token", "paste the gateway's token; the log of its start says in which file it is")
	}
	who, err := h.o.Authenticate(withToken(r, token))
	if err != nil {
		h.tries.failed(from)
		h.log.Warn("a login was refused", "from", from, "reason", err)
		return me, refusal(err)
	}
	h.sessions.end(sessionOf(r)) // the one of before, if there is one
	h.setCookie(w, r, h.sessions.begin(token))
	me.Subject, me.Login = who.Subject, true
	return me, nil
}

// codeLogin begins a session for a browser that its user sent here with a code. A link on a page of somebody else's is not followed: it could log its
// reader in as another.
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
	_, p := h.login(w, r, token)
	return p
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
	if _, p := h.login(w, r, r.PostFormValue("token")); p != nil {
		http.Redirect(w, r, "/login?"+url.Values{"problem": {p.Code}, "next": {next}}.Encode(), http.StatusSeeOther)
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
