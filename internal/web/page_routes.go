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
	CodeTooMany:      "Too many wrong tokens came from this address. Wait a little, then try again.",
	"code":           "This address was used before, or is too old. Ask for a new one with toolcrib page, or log in with the token.",
	CodeInternal:     "The token cannot be checked now. The gateway's log says why.",
}

// loginPage shows the form, to whoever has not logged in yet.
func (h *Handler) loginPage(w http.ResponseWriter, r *http.Request) {
	guarded(w)
	next := localPath(r.URL.Query().Get("next"))
	_, _, problem := h.admit(r)
	tried := r.URL.Query().Get("problem")
	if code := r.URL.Query().Get("code"); code != "" && problem != nil && problem.Code == CodeUnauthorized {
		if problem = h.codeLogin(w, r, code); problem != nil {
			problem, tried = refusal(nil), "code"
		}
	}
	switch {
	case problem == nil:
		http.Redirect(w, r, next, http.StatusSeeOther)
	case problem.Code != CodeUnauthorized:
		h.refuse(w, problem)
	default:
		h.pages.login(w, http.StatusOK, loginBody{Error: loginProblems[tried], Next: next})
	}
}
