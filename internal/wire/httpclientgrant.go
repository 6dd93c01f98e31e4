package wire

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/oauth2"
)

// An OAuthHandler gets tokens for a server. It is what the official SDK's
// package auth calls by the same name, so that its handlers fit.
type OAuthHandler interface {
	// TokenSource is where the token of a request comes from; nil: there is none yet.
	TokenSource(ctx context.Context) (oauth2.TokenSource, error)
	// Authorize gets a token after a request was refused, and closes the
	// response's body.
	Authorize(ctx context.Context, req *http.Request, resp *http.Response) error
}

// A LoginError says that a server wants a person to log in first.
type LoginError struct {
	Server string
	Why    string // "" if nobody ever did
}

// LoginWanted is how the text of a LoginError begins.
const LoginWanted = "wants a login"

func (e *LoginError) Error() string {
	text := LoginWanted
	if e.Why != "" {
		text += " (" + e.Why + ")"
	}
	name := e.Server
	if strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("-_.", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return text + ": run toolcrib login " + name
}

// maxGrants is how often one request asks for authorization: once for a token,
// once more for a wider one.
const maxGrants = 2

// grants puts tokens on requests and gets new ones.
type grants struct {
	handler OAuthHandler
	mu      sync.Mutex // one authorization at a time
}

// apply sets the request's token and returns it.
func (g *grants) apply(ctx context.Context, req *http.Request) (string, error) {
	token, err := g.token(ctx)
	if err == nil && token != "" {
		req.Header["Authorization"] = []string{token}
	}
	return token, err
}

func (g *grants) token(ctx context.Context) (string, error) {
	if g.handler == nil {
		return "", nil
	}
	source, err := g.handler.TokenSource(ctx)
	if err != nil || source == nil {
		return "", err
	}
	t, err := source.Token()
	if err != nil {
		return "", err
	}
	return t.Type() + " " + t.AccessToken, nil
}

// wanted tells whether authorization can help: there is no token, or it says
// too little. Any other 403 is a final word.
func (g *grants) wanted(resp *http.Response) bool {
	if g.handler == nil {
		return false
	}
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		return true
	case http.StatusForbidden:
		for _, c := range resp.Header.Values("WWW-Authenticate") {
			if strings.Contains(c, "insufficient_scope") {
				return true
			}
		}
	}
	return false
}

// ask gets a new token, unless another request got one meanwhile.
func (g *grants) ask(ctx context.Context, used string, req *http.Request, resp *http.Response) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now, err := g.token(ctx); err == nil && now != used {
		discard(resp.Body)
		return nil
	}
	return g.handler.Authorize(ctx, req, resp)
}
