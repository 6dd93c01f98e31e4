package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	goodToken = "the-token-of-this-gateway-0123456789"
	goodKey   = "the-key-of-this-page-0123456789-0123"
)

func isGoodKey(shown string) bool { return shown == goodKey }

// guardedHandler wants a token, and takes requests to example.com.
func guardedHandler(o Options) *Handler {
	o.Source, o.Version = small(), "1"
	o.Allowed = func(r *http.Request) bool { return r.Host == "example.com" }
	o.Authenticate = func(r *http.Request) (Caller, error) {
		if r.Header.Get("Authorization") == "Bearer "+goodToken {
			return Caller{Subject: "token"}, nil
		}
		return Caller{}, errors.New("no")
	}
	return New(o)
}

// send sends a request with headers, by pairs, and cookies.
func send(h *Handler, method, path, body string, cookies []*http.Cookie, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func logIn(t *testing.T, h *Handler) []*http.Cookie {
	t.Helper()
	w := send(h, "POST", Root+"/session", `{"token":"`+goodToken+`"}`, nil)
	if w.Code != http.StatusOK || len(w.Result().Cookies()) != 1 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Result().Cookies()
}

// Who gets in, by which way, from where.
func TestEntrance(t *testing.T) {
	h := guardedHandler(Options{Actions: true})
	cookie := logIn(t, h)
	bearer := []string{"Authorization", "Bearer " + goodToken}
	wrong := []string{"Authorization", "Bearer wrong"}
	for name, c := range map[string]struct {
		cookies []*http.Cookie
		headers []string
		read    int
		write   int
	}{
		"nobody":                         {nil, nil, 401, 401},
		"a token":                        {nil, bearer, 200, 404},
		"a wrong token":                  {nil, wrong, 401, 401},
		"a wrong token beside a session": {cookie, wrong, 401, 401},
		"another scheme":                 {nil, []string{"Authorization", "Basic " + goodToken}, 401, 401},
		"a session":                      {cookie, nil, 200, 404},
		"a session of our page":          {cookie, []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://example.com"}, 200, 404},
		"a session typed in":             {cookie, []string{"Sec-Fetch-Site", "none"}, 200, 404},
		"a session of another port":      {cookie, []string{"Sec-Fetch-Site", "same-site", "Origin", "http://example.com:8080"}, 403, 403},
		"a session of another site":      {cookie, []string{"Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"}, 403, 403},
		"a session, an old browser":      {cookie, []string{"Origin", "http://evil.example"}, 200, 403},
		"a token of another site":        {nil, append(bearer, "Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"), 200, 403},
		"another host":                   {cookie, []string{"Host", "evil.example"}, 403, 403},
		"another host with a token":      {nil, append(bearer, "Host", "evil.example"), 403, 403},
		"another's session":              {[]*http.Cookie{{Name: cookie[0].Name, Value: "AAAA"}}, nil, 401, 401},
		"an empty session":               {[]*http.Cookie{{Name: cookie[0].Name}}, nil, 401, 401},
	} {
		if w := send(h, "GET", Root+"/overview", "", c.cookies, c.headers...); w.Code != c.read {
			t.Errorf("%s reads: %d %s", name, w.Code, w.Body)
		}
		w := send(h, "POST", Root+"/tools/no.such/call", `{"arguments":{}}`, c.cookies, c.headers...)
		if w.Code != c.write {
			t.Errorf("%s writes: %d %s", name, w.Code, w.Body)
		}
		var p Problem
		if json.Unmarshal(w.Body.Bytes(), &p) != nil || p.Status != w.Code || p.Message == "" || p.Next == "" || strings.Contains(w.Body.String(), goodToken) {
			t.Errorf("%s: %s", name, w.Body)
		}
	}
}

// Whatever is answered has the headers that keep a browser safe.
func TestHeadersOfEverything(t *testing.T) {
	h := guardedHandler(Options{})
	cookie := logIn(t, h)
	for _, path := range []string{
		Root + "/overview", Root + "/openapi.json", Root + "/nothing", Root, "/", "/login", "/servers", "/static/page.css", "/static/none", "/tools/no.such",
	} {
		for _, cookies := range [][]*http.Cookie{nil, cookie} {
			header := send(h, "GET", path, "", cookies, "Accept", "text/html").Header()
			for name, want := range map[string]string{
				"Content-Security-Policy": contentPolicy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY",
				"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
			} {
				if got := header.Get(name); got != want {
					t.Errorf("%s: %s is %q", path, name, got)
				}
			}
			if cache := header.Get("Cache-Control"); !strings.HasPrefix(path, "/static/") && cache != "no-store" {
				t.Errorf("%s: it may be kept: %q", path, cache)
			}
		}
	}
}

func TestCookie(t *testing.T) {
	for secure, want := range map[bool]string{false: "HttpOnly; SameSite=Strict", true: "HttpOnly; Secure; SameSite=Strict"} {
		h := guardedHandler(Options{Secure: secure})
		c := logIn(t, h)[0]
		if line := c.String(); !strings.HasSuffix(line, want) || c.Path != "/" || c.MaxAge != int((12*time.Hour).Seconds()) || len(c.Value) < 40 || strings.Contains(line, goodToken) {
			t.Errorf("%s", line)
		}
		if other := logIn(t, h)[0]; other.Value == c.Value {
			t.Error("two sessions have one name")
		}
		w := send(h, "DELETE", Root+"/session", "", []*http.Cookie{c})
		if gone := w.Result().Cookies(); len(gone) != 1 || gone[0].MaxAge >= 0 {
			t.Errorf("%v", gone)
		}
		if w := send(h, "GET", Root+"/me", "", []*http.Cookie{c}); w.Code != 401 {
			t.Errorf("after the logout: %d", w.Code)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := guardedHandler(Options{})
		cookie := logIn(t, h)
		for range 3 {
			time.Sleep(sessionIdle - time.Minute)
			if w := send(h, "GET", Root+"/me", "", cookie); w.Code != 200 {
				t.Fatalf("a session in use is over: %d", w.Code)
			}
		}
		time.Sleep(sessionIdle + time.Second)
		if w := send(h, "GET", Root+"/me", "", cookie); w.Code != 401 {
			t.Errorf("an idle session goes on: %d", w.Code)
		}
		for i := range 2 * maxSessions {
			cookie = logIn(t, h)
			if n := len(h.sessions.all); n > maxSessions {
				t.Fatalf("%d sessions after %d logins", n, i)
			}
			time.Sleep(time.Second)
		}
		if w := send(h, "GET", Root+"/me", "", cookie); w.Code != 200 {
			t.Errorf("the last session: %d", w.Code)
		}
	})
}

// A session is worth what its token is worth.
func TestSessionEndsWithItsToken(t *testing.T) {
	valid := true
	h := New(Options{Source: small(), Authenticate: func(r *http.Request) (Caller, error) {
		if !valid || r.Header.Get("Authorization") != "Bearer "+goodToken {
			return Caller{}, errors.New("no")
		}
		return Caller{Subject: "ann"}, nil
	}})
	cookie := logIn(t, h)
	if w := send(h, "GET", Root+"/me", "", cookie); w.Code != 200 || !strings.Contains(w.Body.String(), `"subject":"ann"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	valid = false
	if w := send(h, "GET", Root+"/me", "", cookie); w.Code != 401 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Guessing is slow, and takes no memory.
func TestWrongTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := guardedHandler(Options{})
		try := func(token string) int {
			return send(h, "POST", Root+"/session", `{"token":"`+token+`"}`, nil).Code
		}
		for i := range mostTries {
			if code := try(fmt.Sprint("wrong", i)); code != 401 {
				t.Fatalf("try %d: %d", i, code)
			}
		}
		if code := try(goodToken); code != 429 {
			t.Errorf("after %d wrong ones: %d", mostTries, code)
		}
		time.Sleep(triesTime + time.Second)
		if code := try(goodToken); code != 200 {
			t.Errorf("after a while: %d", code)
		}
		for i := range 3 * maxTriers {
			h.tries.failed(fmt.Sprint("address ", i))
		}
		if n := len(h.tries.by); n > maxTriers+1 {
			t.Errorf("%d addresses are kept", n)
		}
		if h.tries.wait("a new one") == 0 {
			t.Error("an address that there is no room for may try for ever")
		}
	})
}

func TestFormLogin(t *testing.T) {
	h := guardedHandler(Options{})
	post := func(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for next, want := range map[string]string{
		"/servers?a=b": "/servers?a=b", "": "/", "//evil.example": "/", "https://evil.example": "/", `/\evil.example`: "/", "javascript:alert(1)": "/", "servers": "/",
	} {
		w := post("/login", url.Values{"token": {" " + goodToken + "\n"}, "next": {next}})
		if w.Code != 303 || w.Header().Get("Location") != want || len(w.Result().Cookies()) != 1 {
			t.Errorf("%q: %d to %q", next, w.Code, w.Header().Get("Location"))
		}
	}
	w := post("/login", url.Values{"token": {"wrong"}, "next": {"/trust"}})
	if w.Code != 303 || w.Header().Get("Location") != "/login?next=%2Ftrust&problem=unauthorized" || len(w.Result().Cookies()) != 0 {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	for _, path := range []string{"/login", "/logout"} {
		if w := post(path, url.Values{"token": {goodToken}}, "Sec-Fetch-Site", "cross-site"); w.Code != 403 || len(w.Result().Cookies()) != 0 {
			t.Errorf("%s from another site: %d", path, w.Code)
		}
	}
	if w := post("/logout", nil); w.Code != 303 || w.Result().Cookies()[0].MaxAge >= 0 {
		t.Errorf("%d", w.Code)
	}
}

// Where nobody has to say who they are, pages of others still cannot do anything.
func TestOpenEntrance(t *testing.T) {
	h := New(Options{Source: small(), Actions: true, Key: isGoodKey})
	for site, want := range map[string]int{"": 404, "same-origin": 404, "none": 404, "same-site": 403, "cross-site": 403} {
		if w := send(h, "POST", Root+"/trust/pins/no.such/approve", `{"fingerprint":"x"}`, nil, "Sec-Fetch-Site", site, KeyHeader, goodKey); w.Code != want {
			t.Errorf("%q: %d %s", site, w.Code, w.Body)
		}
	}
	for kind, want := range map[string]int{"application/json": 404, "text/plain": 415, "application/x-www-form-urlencoded": 415, "": 415} {
		if w := send(h, "POST", Root+"/trust/pins/no.such/approve", `{"fingerprint":"x"}`, nil, "Content-Type", kind, KeyHeader, goodKey); w.Code != want {
			t.Errorf("a body of %q: %d", kind, w.Code)
		}
	}
	if w := send(h, "POST", Root+"/tools/x/call", `{"arguments":{"a":"`+strings.Repeat("x", maxBody)+`"}}`, nil); w.Code != 413 {
		t.Errorf("a long body: %d", w.Code)
	}
}
