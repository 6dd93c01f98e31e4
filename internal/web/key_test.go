package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// decision tries to decide something, as whoever has what is handed in.
func decision(h *Handler, cookies []*http.Cookie, headers ...string) *httptest.ResponseRecorder {
	return send(h, "POST", Root+"/trust/pins/no.such/approve", `{"fingerprint":"x"}`, cookies, headers...)
}

// What counts for all agents is decided by whoever shows the key, and by nobody else.
// What agents do anyhow needs none.
func TestDecisionsNeedTheKey(t *testing.T) {
	h := guardedHandler(Options{Actions: true, Key: isGoodKey})
	bearer := []string{"Authorization", "Bearer " + goodToken}
	session := logIn(t, h)
	w := send(h, "POST", Root+"/session", `{"token":"`+goodToken+`","key":"`+goodKey+`"}`, nil)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"decides":true`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	deciding := w.Result().Cookies()
	for name, c := range map[string]struct {
		cookies []*http.Cookie
		headers []string
		status  int
		code    string
	}{
		"the token":                        {nil, bearer, 403, CodeKeyNeeded},
		"the token and the key":            {nil, append(bearer, KeyHeader, goodKey), 404, CodeNotFound},
		"the token and a wrong key":        {nil, append(bearer, KeyHeader, goodToken), 403, CodeKeyNeeded},
		"the token and half of the key":    {nil, append(bearer, KeyHeader, goodKey[:18]), 403, CodeKeyNeeded},
		"the key alone":                    {nil, []string{KeyHeader, goodKey}, 401, CodeUnauthorized},
		"the key for the token":            {nil, []string{"Authorization", "Bearer " + goodKey}, 401, CodeUnauthorized},
		"a session of the token":           {session, nil, 403, CodeKeyNeeded},
		"a session and the key":            {session, []string{KeyHeader, goodKey}, 404, CodeNotFound},
		"a session of the key":             {deciding, nil, 404, CodeNotFound},
		"a session of the key, wrong key":  {deciding, []string{KeyHeader, "wrong"}, 403, CodeKeyNeeded},
		"a token beside another's session": {deciding, bearer, 403, CodeKeyNeeded},
		"a session of the key, elsewhere":  {deciding, []string{"Sec-Fetch-Site", "same-site"}, 403, CodeForbidden},
		"the key from another site":        {nil, append(bearer, KeyHeader, goodKey, "Sec-Fetch-Site", "cross-site"), 403, CodeForbidden},
	} {
		if w := decision(h, c.cookies, c.headers...); w.Code != c.status || !strings.Contains(w.Body.String(), `"code":"`+c.code+`"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	w = decision(h, nil, bearer...)
	for _, want := range []string{"agents are not given", "toolcrib trust", "toolcrib page", "page-key", KeyHeader} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is not in %s", want, w.Body)
		}
	}
	for _, r := range routes {
		if path := strings.NewReplacer("{id}", "no.such", "{name}", "no").Replace(r.path); r.decides != (r.action && send(h, r.method, path, "{}", nil, bearer...).Code == 403) {
			t.Errorf("%s: the key counts, or does not", r.name)
		}
		if r.decides && !r.action {
			t.Errorf("%s decides where nothing can be done", r.name)
		}
	}
	off := guardedHandler(Options{Key: isGoodKey})
	if w := decision(off, nil, append(bearer, KeyHeader, goodKey)...); w.Code != 403 || !strings.Contains(w.Body.String(), CodeActionsOff) {
		t.Errorf("where pages are for reading: %d %s", w.Code, w.Body)
	}
	none := guardedHandler(Options{Actions: true})
	for _, key := range []string{"", goodKey} {
		if w := decision(none, nil, append(bearer, KeyHeader, key)...); w.Code != 403 || !strings.Contains(w.Body.String(), CodeKeyNeeded) {
			t.Errorf("without a key, %q: %d %s", key, w.Code, w.Body)
		}
	}
}

// Whoever is in can show the key later, and gets a session of another name for it.
func TestShowingTheKeyLater(t *testing.T) {
	h := guardedHandler(Options{Actions: true, Key: isGoodKey})
	before := logIn(t, h)
	if w := send(h, "POST", Root+"/session", `{"key":"wrong"}`, before); w.Code != 403 || len(w.Result().Cookies()) != 0 || !strings.Contains(w.Body.String(), CodeKeyNeeded) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w := send(h, "POST", Root+"/session", `{"key":"`+goodKey+`"}`, before)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"subject":"token"`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	after := w.Result().Cookies()
	if after[0].Value == before[0].Value || send(h, "GET", Root+"/me", "", before).Code != 401 {
		t.Error("the session of before goes on")
	}
	if w := decision(h, after); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	// The key alone is nobody.
	if w := send(h, "POST", Root+"/session", `{"key":"`+goodKey+`"}`, nil); w.Code != 400 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	send(h, "DELETE", Root+"/session", "", after)
	if w := decision(h, after); w.Code != 401 {
		t.Errorf("after the logout: %d %s", w.Code, w.Body)
	}
}

// Where nobody has to say who they are, what counts for all needs the key all the same.
func TestOpenEntranceNeedsTheKey(t *testing.T) {
	h := New(Options{Source: small(), Actions: true, Key: isGoodKey, Code: func(code string) (string, bool) { return "", code == "good" }})
	if w := decision(h, nil); w.Code != 403 || !strings.Contains(w.Body.String(), CodeKeyNeeded) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := decision(h, nil, KeyHeader, goodKey); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := send(h, "POST", Root+"/session", `{"token":"x"}`, nil); w.Code != 200 || len(w.Result().Cookies()) != 0 {
		t.Errorf("a login that nobody needs: %d", w.Code)
	}
	w := send(h, "GET", "/login?code=good&next=/trust", "", nil, "Sec-Fetch-Site", "none")
	if w.Code != 303 || w.Header().Get("Location") != "/trust" || len(w.Result().Cookies()) != 1 {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	cookies := w.Result().Cookies()
	if w := decision(h, cookies, "Sec-Fetch-Site", "same-origin"); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if me := send(h, "GET", Root+"/me", "", cookies, "Sec-Fetch-Site", "same-site").Body.String(); strings.Contains(me, `"decides":true`) {
		t.Errorf("a page of another port uses the session: %s", me)
	}
	if w := send(h, "GET", "/login?code=good&next=/trust", "", nil, "Sec-Fetch-Site", "cross-site"); len(w.Result().Cookies()) != 0 {
		t.Error("a link of another site logs somebody in")
	}
}

// A code says nothing of who somebody is where an issuer does: it counts with the token
// of a login before, or after.
func TestCodeBesideATokenOfAnIssuer(t *testing.T) {
	valid := true
	h := New(Options{
		Source: small(), Actions: true, Key: isGoodKey, Code: func(code string) (string, bool) { return "", code == "good" },
		Authenticate: func(r *http.Request) (Caller, error) {
			if !valid || r.Header.Get("Authorization") != "Bearer "+goodToken {
				return Caller{}, errors.New("no")
			}
			return Caller{Subject: "ann"}, nil
		},
	})
	come := func(cookies []*http.Cookie) []*http.Cookie {
		t.Helper()
		w := send(h, "GET", "/login?code=good", "", cookies)
		if w.Code != 303 || w.Header().Get("Location") != "/" || len(w.Result().Cookies()) != 1 {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		return w.Result().Cookies()
	}
	first := come(nil)
	if w := decision(h, first); w.Code != 401 {
		t.Errorf("a code alone: %d %s", w.Code, w.Body)
	}
	if w := send(h, "GET", "/trust", "", first); w.Code != 303 || w.Header().Get("Location") != "/login?next=%2Ftrust" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	w := send(h, "POST", Root+"/session", `{"token":"`+goodToken+`"}`, first)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"decides":true`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := decision(h, w.Result().Cookies()); w.Code != 404 {
		t.Errorf("first the code: %d %s", w.Code, w.Body)
	}
	later := come(logIn(t, h))
	if w := decision(h, later); w.Code != 404 {
		t.Errorf("then the code: %d %s", w.Code, w.Body)
	}
	valid = false
	if w := decision(h, later); w.Code != 401 {
		t.Errorf("after the token's end: %d %s", w.Code, w.Body)
	}
}

// The form asks for the key where there is something to decide, and for nothing else of
// whoever is in.
func TestKeyForm(t *testing.T) {
	h := guardedHandler(Options{Actions: true, Key: isGoodKey, Code: func(string) (string, bool) { return "", false }})
	session := logIn(t, h)
	post := func(form url.Values) *httptest.ResponseRecorder {
		return send(h, "POST", "/login", form.Encode(), session, "Content-Type", "application/x-www-form-urlencoded")
	}
	for _, path := range []string{"/login", "/login?decide=1"} {
		page := send(h, "GET", path, "", nil).Body.String()
		if !strings.Contains(page, `name="token"`) || !strings.Contains(page, `name="key"`) {
			t.Errorf("%s: %s", path, page)
		}
	}
	for _, path := range []string{"/login?decide=1&next=/trust", "/login?code=old&next=/trust"} {
		page := send(h, "GET", path, "", session).Body.String()
		skeleton(t, page)
		if strings.Contains(page, `name="token"`) || !strings.Contains(page, `name="key"`) || !strings.Contains(page, `href="/trust"`) || strings.Contains(page, "used before") != strings.Contains(path, "code") {
			t.Errorf("%s: %s", path, page)
		}
	}
	if w := send(h, "GET", "/login?next=/trust", "", session); w.Header().Get("Location") != "/trust" {
		t.Errorf("whoever is in: %d %v", w.Code, w.Header())
	}
	w := post(url.Values{"key": {"wrong"}, "next": {"/trust"}})
	if to := w.Header().Get("Location"); to != "/login?decide=1&next=%2Ftrust&problem=key_needed" || len(w.Result().Cookies()) != 0 {
		t.Errorf("%d to %q", w.Code, to)
	}
	if page := send(h, "GET", w.Header().Get("Location"), "", session).Body.String(); !strings.Contains(page, "not the key of the page") {
		t.Errorf("%s", page)
	}
	w = post(url.Values{"key": {" " + goodKey + "\n"}, "next": {"/trust"}})
	if w.Code != 303 || w.Header().Get("Location") != "/trust" || len(w.Result().Cookies()) != 1 {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	deciding := w.Result().Cookies()
	if w := send(h, "GET", "/login?decide=1&next=/trust", "", deciding); w.Header().Get("Location") != "/trust" {
		t.Errorf("whoever decides already: %d", w.Code)
	}
	reading := guardedHandler(Options{Key: isGoodKey})
	if page := send(reading, "GET", "/login", "", nil).Body.String(); strings.Contains(page, `name="key"`) {
		t.Error("a key is asked for where nothing can be decided")
	}
	if w := send(reading, "GET", "/login?decide=1", "", logIn(t, reading)); w.Code != 303 {
		t.Errorf("%d", w.Code)
	}
}

// Wrong keys are slowed down as wrong tokens are.
func TestWrongKeys(t *testing.T) {
	h := New(Options{Source: small(), Actions: true, Key: isGoodKey})
	for range mostTries {
		if w := send(h, "POST", Root+"/session", `{"key":"wrong"}`, nil); w.Code != 403 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if w := send(h, "POST", Root+"/session", `{"key":"`+goodKey+`"}`, nil); w.Code != 429 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
