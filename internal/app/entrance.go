package app

import (
	"crypto/tls"
	"net"
	"net/http"
	"slices"

	"toolcrib/internal/auth"
	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// An entrance is how agents get in at the listener: what they have to show, and
// what they are told of it.
type entrance struct {
	check    func(*http.Request) (wire.Principal, error) // nil: nobody is asked
	resource *auth.Resource                              // of tokens that an issuer makes, else nil
	key      *secret                                     // of the page, nil where nobody decides there
	tls      *tls.Config                                 // nil: plain HTTP
	said     []any                                       // for the log
}

// entrance makes what the configuration says of the listener.
func (a *App) entrance(at net.Addr) (*entrance, error) {
	e := &entrance{}
	scheme := "http"
	if a.http.TLS.Cert != "" {
		c, err := openCertificate(a.http.TLS, a.o.Log)
		if err != nil {
			return nil, err
		}
		e.tls, scheme = &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}, "https"
	}
	e.said = []any{"url", scheme + "://" + at.String() + Endpoint}
	if a.http.Page != config.PageOff {
		e.said = append(e.said, "page", scheme+"://"+at.String()+"/")
	}
	switch a.http.Auth {
	case config.AuthNone:
		a.o.Log.Warn("every program on this machine can use every tool: http.auth is none")
	case config.AuthOAuth:
		r, err := auth.NewResource(auth.Options{
			Issuer: a.http.OAuth.Issuer, Resource: a.http.OAuth.Resource, Audience: a.http.OAuth.Audience,
			KeysURL: a.http.OAuth.KeysURL, Scopes: a.http.OAuth.Scopes, Algorithms: a.http.OAuth.Algorithms,
		})
		if err != nil {
			return nil, err
		}
		e.check, e.resource = r.Check, r
		e.said = append(e.said, "issuer", a.http.OAuth.Issuer, "resource", a.http.OAuth.Resource)
	default:
		t, err := openToken(a.o.StateDir)
		if err != nil {
			return nil, err
		}
		e.check = t.check
		e.said = append(e.said, "token_file", t.path)
	}
	var err error
	if e.key, err = a.openPageKey(); err != nil {
		return nil, err
	}
	if e.key != nil {
		e.said = append(e.said, "key_file", e.key.path)
	}
	if tcp, ok := at.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && e.tls == nil {
		a.o.Log.Warn("tokens go over the network unencrypted: set http.tls, unless a proxy in front of this gateway serves https")
	}
	return e, nil
}

// public answers what agents may read before they have a token: where they get one.
func (e *entrance) public(next http.Handler) http.Handler {
	if e.resource == nil {
		return next
	}
	paths := append(e.resource.MetadataPaths(), auth.WellKnown+Endpoint)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(paths, r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			writeJSON(w, http.StatusMethodNotAllowed, `{"error":"only GET is answered here"}`)
			return
		}
		writeJSON(w, http.StatusOK, string(e.resource.Metadata()))
	})
}
