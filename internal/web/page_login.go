package web

import "net/http"

// loginBody is the page by which somebody gets in.
type loginBody struct {
	Error string // of the last try
	Next  string // the path to go on to
	Known bool   // they are in already, and can show the key
	Key   bool   // there is something to decide with it
}

// login answers with the form.
func (p *pages) login(w http.ResponseWriter, status int, b loginBody) {
	p.write(w, status, "login", frame{Title: "Log in", Body: b})
}
