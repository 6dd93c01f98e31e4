package auth

import (
	"net/http"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
)

// Whatever is sent, only what the issuer has signed gets in: the token itself, or
// another way to write it.
func FuzzCheck(f *testing.F) {
	i := mcptest.NewIssuer(f)
	r, err := NewResource(Options{Issuer: i.URL, Resource: resource})
	if err != nil {
		f.Fatal(err)
	}
	valid := i.JWT(header, good(i, claimsOf{"exp": 1 << 40}))
	signed := valid[:strings.LastIndex(valid, ".")]
	for _, seed := range []string{"Bearer " + valid, "bearer " + valid, "Bearer " + valid[:40], "Bearer a.b.c", "Bearer ", "", "Basic " + valid, "Bearer " + signed + ".", "Bearer e30.e30."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		who, err := r.Check(&http.Request{Header: http.Header{"Authorization": {value}}})
		if (err == nil) != (who.Subject != "") {
			t.Errorf("%q: %+v %v", value, who, err)
		}
		if err == nil && !strings.Contains(value, signed) {
			t.Errorf("%q got in as %s", value, who.Subject)
		}
	})
}
