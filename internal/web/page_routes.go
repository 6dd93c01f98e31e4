package web

import (
	"net/http"
	"net/url"
)

// addPages adds the pages to the paths of the Handler.
func (h *Handler) addPages() {
	h.pages = newPages(h.o.Source, h.log)
	for pattern, v := range h.pages.table() {
		h.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { h.page(w, r, v) })
	}
	h.mux.HandleFunc("GET /login", h.loginPage)
	h.mux.HandleFunc("GET /static/", func(w http.ResponseWriter, r *http.Request) {
		guarded(w)
		h.pages.asset(w, r)
	})
}

// page lets in whoever may see a page; others are shown the way in.
func (h *Handler) page(w http.ResponseWriter, r *http.Request, v view) {
	guarded(w)
	who, me, problem := h.admit(r)
	switch {
	case problem == nil:
		h.pages.serve(w, r, v, who, me)
	case problem.Code == CodeUnauthorized && r.Header.Get("Authorization") == "":
		http.Redirect(w, r, "/login?"+url.Values{"next": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
	default:
		h.refuse(w, problem)
	}
}

// loginProblems are what is said of a login that failed.
var loginProblems = map[string]string{
	CodeUnauthorized: "This is not the gateway's token.",
	CodeForbidden:    "This token does not allow to look at the gateway.",
	CodeBadRequest:   "This is no token: it is one word, without spaces.",
	CodeKeyNeeded:    "This is not the key of the page.",
	CodeTooMany:      "Too many wrong tokens came from this address. Wait a little, then try again.",
	"code":           "This address was used before, or is too old. Ask for a new one with toolcrib page, or log in with the token.",
	CodeInternal:     "The token cannot be checked now. The gateway's log says why.",
}

// loginPage shows the form, to whoever has not logged in yet, and to whoever has and
// wants to show the key.
func (h *Handler) loginPage(w http.ResponseWriter, r *http.Request) {
	guarded(w)
	asked := r.URL.Query()
	next := localPath(asked.Get("next"))
	_, me, problem := h.admit(r)
	if problem != nil && problem.Code != CodeUnauthorized {
		h.refuse(w, problem)
		return
	}
	known := problem == nil
	tried, more := asked.Get("problem"), asked.Has("decide") || asked.Has("code")
	if code := asked.Get("code"); code != "" && (!known || me.Actions && !me.Decides) {
		if h.codeLogin(w, r, code) == nil {
			http.Redirect(w, r, next, http.StatusSeeOther)
			return
		}
		tried = "code"
	}
	if known && !(me.Actions && !me.Decides && more) {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	h.pages.login(w, http.StatusOK, loginBody{Error: loginProblems[tried], Next: next, Known: known, Key: me.Actions})
}
