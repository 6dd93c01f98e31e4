package wire

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Who was found out, and what they may, comes with every request of both eras.
func TestPrincipalReachesTheHandler(t *testing.T) {
	var got []Principal
	h := &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		got = append(got, Principal{in.Subject, in.Scopes})
		return []byte(`{}`), nil
	}}
	e := serveHTTP(t, h, HTTPOptions{Authenticate: func(r *http.Request) (Principal, error) {
		return Principal{Subject: "ann", Scopes: []string{"read", r.Header.Get("X-Scope")}}, nil
	}})
	c := modernCall("tools/list", "", "")
	c.headers["X-Scope"] = "modern"
	e.do(c)
	resp, _ := e.do(call{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, headers: map[string]string{}})
	for _, scope := range []string{"first", "second"} { // each request has a token of its own
		e.do(call{
			body:    `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			headers: map[string]string{"Mcp-Session-Id": resp.Header.Get(headerSession), "X-Scope": scope},
		})
	}
	want := []string{"modern", "first", "second"}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, who := range got {
		if who.Subject != "ann" || !slices.Equal(who.Scopes, []string{"read", want[i]}) {
			t.Errorf("request %d: %+v", i, who)
		}
	}
}

// An AuthError decides how a request is refused, and its reason stays here.
func TestAuthErrorDecides(t *testing.T) {
	secret := errors.New("for the log alone")
	for _, no := range []*AuthError{
		{Status: 401, Challenge: `Bearer error="invalid_token"`, Message: "no", Reason: secret},
		{Status: 403, Challenge: `Bearer error="insufficient_scope"`, Message: "too little", Reason: secret},
		{Status: 503, Message: "later", Reason: secret},
	} {
		e := serveHTTP(t, &scripted{}, HTTPOptions{Authenticate: func(*http.Request) (Principal, error) { return Principal{}, no }})
		resp, body := e.do(modernCall("tools/list", "", ""))
		if resp.StatusCode != no.Status || resp.Header.Get("WWW-Authenticate") != no.Challenge || !strings.Contains(body, no.Message) || strings.Contains(body, "log alone") {
			t.Errorf("%+v: %d %v %s", no, resp.StatusCode, resp.Header, body)
		}
	}
}
