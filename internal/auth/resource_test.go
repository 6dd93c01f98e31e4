package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
)

const resource = "https://tools.example.com/mcp"

type claimsOf = map[string]any

// good are the claims of a token that is accepted.
func good(i *mcptest.Issuer, change claimsOf) claimsOf {
	c := claimsOf{
		"iss": i.URL, "aud": resource, "sub": "ann", "exp": time.Now().Add(time.Minute).Unix(), "iat": time.Now().Unix(),
		"scope": "tools other",
	}
	maps.Copy(c, change)
	for name, value := range c {
		if value == nil {
			delete(c, name)
		}
	}
	return c
}

var header = claimsOf{"alg": "ES256", "typ": "at+jwt", "kid": "one"}

func newResource(t *testing.T, i *mcptest.Issuer, change func(*Options)) *Resource {
	t.Helper()
	o := Options{Issuer: i.URL, Resource: resource, Scopes: []string{"tools"}}
	if change != nil {
		change(&o)
	}
	r, err := NewResource(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ask(r *Resource, values ...string) (wire.Principal, *wire.AuthError) {
	req, _ := http.NewRequest("POST", resource, nil)
	req.Header["Authorization"] = values
	who, err := r.Check(req)
	var no *wire.AuthError
	errors.As(err, &no)
	return who, no
}

func TestTokensThatAreGood(t *testing.T) {
	i := mcptest.NewIssuer(t)
	r := newResource(t, i, nil)
	for name, c := range map[string]struct{ header, claims claimsOf }{
		"as RFC 9068 has it": {header, nil},
		"one of several":     {header, claimsOf{"aud": []string{"other", resource}}},
		"no key named":       {claimsOf{"alg": "ES256"}, nil},
		"plain type":         {claimsOf{"alg": "ES256", "typ": "JWT", "kid": "one"}, nil},
		"scp as a list":      {header, claimsOf{"scope": nil, "scp": []string{"tools", "other"}}},
		"scp as text":        {header, claimsOf{"scope": nil, "scp": "tools other"}},
		"a clock behind":     {header, claimsOf{"iat": time.Now().Add(10 * time.Second).Unix(), "nbf": time.Now().Add(10 * time.Second).Unix()}},
	} {
		who, no := ask(r, "Bearer "+i.JWT(c.header, good(i, c.claims)))
		if no != nil || who.Subject != "ann" || !slices.Equal(who.Scopes, []string{"tools", "other"}) {
			t.Errorf("%s: %+v, %v", name, who, no)
		}
	}
	if who, no := ask(r, "Bearer "+i.JWT(header, good(i, claimsOf{"sub": nil, "client_id": "robot"}))); no != nil || who.Subject != "robot" {
		t.Errorf("a program's own token: %+v, %v", who, no)
	}
	if n := i.Asked("/jwks"); n != 1 {
		t.Errorf("the keys were fetched %d times", n)
	}
}

// S11: none of these is let in, and what is said repeats nothing of them.
func TestS11BadTokens(t *testing.T) {
	i, other := mcptest.NewIssuer(t), mcptest.NewIssuer(t)
	r := newResource(t, i, nil)
	valid := i.JWT(header, good(i, nil))
	parts := strings.Split(valid, ".")
	jwk, _ := json.Marshal(i.JWK("one"))
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	in := func(change claimsOf) string { return i.JWT(header, good(i, change)) }
	with := func(change claimsOf) string {
		h := maps.Clone(header)
		maps.Copy(h, change)
		return i.JWT(h, good(i, nil))
	}
	bad := map[string]string{
		"another issuer's key":          other.JWT(header, good(i, nil)),
		"another issuer":                in(claimsOf{"iss": other.URL}),
		"the issuer with a slash":       in(claimsOf{"iss": i.URL + "/"}),
		"no issuer":                     in(claimsOf{"iss": nil}),
		"another audience":              in(claimsOf{"aud": "https://other.example.com/mcp"}),
		"an audience that begins so":    in(claimsOf{"aud": resource + ".evil.example.com"}),
		"the host alone as audience":    in(claimsOf{"aud": "https://tools.example.com"}),
		"no audience":                   in(claimsOf{"aud": nil}),
		"expired":                       in(claimsOf{"exp": time.Now().Add(-time.Minute).Unix()}),
		"no expiry":                     in(claimsOf{"exp": nil}),
		"expiry as text":                in(claimsOf{"exp": "tomorrow"}),
		"not yet":                       in(claimsOf{"nbf": time.Now().Add(time.Hour).Unix()}),
		"made in the future":            in(claimsOf{"iat": time.Now().Add(time.Hour).Unix()}),
		"nobody's":                      in(claimsOf{"sub": nil}),
		"an identity token by its type": with(claimsOf{"typ": "id+jwt"}),
		"a DPoP proof":                  with(claimsOf{"typ": "dpop+jwt"}),
		"an unknown key":                with(claimsOf{"kid": "two"}),
		"another algorithm's name":      with(claimsOf{"alg": "RS256"}),
		"a curve of another size":       with(claimsOf{"alg": "ES384"}),
		"crit that nobody knows":        with(claimsOf{"crit": []string{"x"}, "x": 1}),
		"alg none, no signature":        mcptest.Part(claimsOf{"alg": "none"}) + "." + parts[1] + ".",
		"alg None, with a signature":    mcptest.Part(claimsOf{"alg": "None"}) + "." + parts[1] + "." + parts[2],
		"the public key as secret":      hs256(jwk, good(i, nil)),
		"an empty secret":               hs256(nil, good(i, nil)),
		"a key of its own":              ownKey(t, good(i, nil)),
		"an RSA key of its own":         ownRSA(t, rsaKey, good(i, nil)),
		"claims changed":                parts[0] + "." + mcptest.Part(good(i, claimsOf{"sub": "admin"})) + "." + parts[2],
		"signature cut":                 valid[:len(valid)-4],
		"signature of zeros":            parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(make([]byte, 64)),
		"four parts":                    valid + "." + parts[2],
		"two parts":                     parts[0] + "." + parts[1],
		"no JWT at all":                 strings.Repeat("x", 43),
		"larger than any token":         valid + strings.Repeat("x", maxToken),
		"padding":                       parts[0] + "==." + parts[1] + "." + parts[2],
	}
	if len(bad) < 25 {
		t.Fatalf("%d tokens", len(bad))
	}
	for name, token := range bad {
		who, no := ask(r, "Bearer "+token)
		if no == nil || who.Subject != "" {
			t.Errorf("%s: let in as %+v", name, who)
			continue
		}
		if no.Status != 401 || !strings.Contains(no.Challenge, `error="invalid_token"`) || !strings.Contains(no.Challenge, "resource_metadata=") {
			t.Errorf("%s: %+v", name, no)
		}
		if strings.Contains(no.Error(), token) || strings.Contains(no.Error(), parts[1]) {
			t.Errorf("%s: the error repeats the token: %v", name, no)
		}
	}
	for name, values := range map[string][]string{
		"nothing": nil, "empty": {""}, "no scheme": {valid}, "another scheme": {"DPoP " + valid}, "two": {"Bearer " + valid, "Bearer " + valid},
		"two in one": {"Bearer " + valid + ", Bearer " + valid}, "bearer alone": {"Bearer "},
		"JSON serialisation": {`Bearer {"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`},
	} {
		if _, no := ask(r, values...); no == nil || no.Status != 401 || strings.Contains(no.Challenge, "error=") {
			t.Errorf("%s: %+v", name, no)
		}
	}
	if who, no := ask(r, "Bearer "+valid); no != nil {
		t.Errorf("and the good one: %+v %v", who, no)
	}
}

// S11: a token for too little is told what it lacks.
func TestS11Scopes(t *testing.T) {
	i := mcptest.NewIssuer(t)
	r := newResource(t, i, func(o *Options) { o.Scopes = []string{"tools", "admin"} })
	for _, scope := range []any{"tools", "admin", "", nil, "Tools admin", "tools,admin", "toolsadmin", 7} {
		_, no := ask(r, "Bearer "+i.JWT(header, good(i, claimsOf{"scope": scope})))
		if scope == 7 { // no token of ours
			if no == nil || no.Status != 401 {
				t.Errorf("%v: %+v", scope, no)
			}
			continue
		}
		want := `Bearer error="insufficient_scope", resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp", scope="tools admin"`
		if no == nil || no.Status != 403 || no.Challenge != want {
			t.Errorf("%v: %+v", scope, no)
		}
	}
	if _, no := ask(r, "Bearer "+i.JWT(header, good(i, claimsOf{"scope": "admin tools"}))); no != nil {
		t.Error(no)
	}
}

func TestAlgorithmsCanBeFewer(t *testing.T) {
	i := mcptest.NewIssuer(t)
	r := newResource(t, i, func(o *Options) { o.Algorithms = []string{"RS256"} })
	if who, no := ask(r, "Bearer "+i.JWT(header, good(i, nil))); no == nil {
		t.Errorf("ES256 was taken: %+v", who)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	fine := Options{Issuer: "https://login.example.com", Resource: resource}
	for name, change := range map[string]func(*Options){
		"no issuer":         func(o *Options) { o.Issuer = "" },
		"no resource":       func(o *Options) { o.Resource = "" },
		"plain http":        func(o *Options) { o.Issuer = "http://login.example.com" },
		"keys by http":      func(o *Options) { o.KeysURL = "http://login.example.com/keys" },
		"a file":            func(o *Options) { o.KeysURL = "file:///etc/passwd" },
		"none":              func(o *Options) { o.Algorithms = []string{"none"} },
		"a shared secret":   func(o *Options) { o.Algorithms = []string{"RS256", "HS256"} },
		"two scopes in one": func(o *Options) { o.Scopes = []string{"a b"} },
		"a quote":           func(o *Options) { o.Scopes = []string{`a"b`} },
	} {
		o := fine
		change(&o)
		if _, err := NewResource(o); err == nil || !strings.Contains(err.Error(), "http.oauth.") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewResource(fine); err != nil {
		t.Error(err)
	}
}

func hs256(secret []byte, claims claimsOf) string {
	signed := mcptest.Part(claimsOf{"alg": "HS256", "typ": "at+jwt", "kid": "one"}) + "." + mcptest.Part(claims)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// ownKey is a token that brings the key it is signed with.
func ownKey(t *testing.T, claims claimsOf) string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	h := claimsOf{"alg": "ES256", "kid": "one", "jku": "https://evil.example.com/keys", "jwk": claimsOf{
		"kty": "EC", "crv": "P-256", "x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:]),
	}}
	signed := mcptest.Part(h) + "." + mcptest.Part(claims)
	sum := sha256.Sum256([]byte(signed))
	a, b, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(append(a.FillBytes(make([]byte, 32)), b.FillBytes(make([]byte, 32))...))
}

func ownRSA(t *testing.T, key *rsa.PrivateKey, claims claimsOf) string {
	signed := mcptest.Part(claimsOf{"alg": "RS256", "kid": "one"}) + "." + mcptest.Part(claims)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}
