package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"toolcrib/internal/wire"
)

const (
	maxToken = 16 << 10
	// leeway is how far the issuer's clock may be from ours.
	leeway = 30 * time.Second
)

// A verifier reads tokens that an issuer signed for an audience.
type verifier struct {
	issuer, audience string
	algorithms       []jose.SignatureAlgorithm
	keys             *keys
}

func checkAlgorithms(names []string) error {
	for _, name := range names {
		if !slices.Contains(DefaultAlgorithms, name) {
			return fmt.Errorf("http.oauth.algorithms: %q cannot be allowed; use some of %s", name, strings.Join(DefaultAlgorithms, ", "))
		}
	}
	return nil
}

func signatures(names []string) []jose.SignatureAlgorithm {
	out := make([]jose.SignatureAlgorithm, len(names))
	for i, name := range names {
		out[i] = jose.SignatureAlgorithm(name)
	}
	return out
}

// claims are those of RFC 9068, and what issuers write instead of its scope.
type claims struct {
	jwt.Claims
	Scope    string `json:"scope"`
	Scp      any    `json:"scp"`
	ClientID string `json:"client_id"`
}

// verify says who has a token. Its errors repeat nothing of the token.
func (v *verifier) verify(ctx context.Context, token string) (wire.Principal, error) {
	if len(token) > maxToken {
		return wire.Principal{}, errors.New("the token is too long")
	}
	parsed, err := jwt.ParseSigned(token, v.algorithms)
	if err != nil {
		return wire.Principal{}, errors.New("it is no token that is signed with an allowed algorithm")
	}
	header := parsed.Headers[0]
	if !accessToken(header) {
		return wire.Principal{}, errors.New("it is of another type than access tokens are")
	}
	var c claims
	if err := v.signed(ctx, parsed, header, &c); err != nil {
		return wire.Principal{}, err
	}
	if err := v.valid(&c); err != nil {
		return wire.Principal{}, err
	}
	who := wire.Principal{Subject: c.Subject, Scopes: c.scopes()}
	if who.Subject == "" {
		who.Subject = c.ClientID // a program's own token
	}
	switch strings.ToLower(who.Subject) {
	case "":
		return wire.Principal{}, errors.New("it does not say whose it is")
	case "local", "token":
		// What rules of a policy call those who have no such token.
		return wire.Principal{}, fmt.Errorf("its subject is %q, which is the name of somebody else here", who.Subject)
	}
	return who, nil
}

// accessToken tells whether a token may be one by its type, if it has one.
func accessToken(h jose.Header) bool {
	typ, _ := h.ExtraHeaders[jose.HeaderType].(string)
	switch strings.TrimPrefix(strings.ToLower(typ), "application/") {
	case "", "jwt", "at+jwt":
		return true
	}
	return false
}

// signed reads the claims, if a key of the issuer has signed them.
func (v *verifier) signed(ctx context.Context, token *jwt.JSONWebToken, header jose.Header, c *claims) error {
	candidates, err := v.keys.find(ctx, header)
	if err != nil {
		return err
	}
	for _, key := range candidates {
		if token.Claims(key.Key, c) == nil {
			return nil
		}
		*c = claims{}
	}
	return errors.New("none of the issuer's keys has signed it")
}

func (v *verifier) valid(c *claims) error {
	now := time.Now()
	switch {
	case c.Issuer != v.issuer:
		return errors.New("another issuer made it")
	case !slices.Contains(c.Audience, v.audience):
		return errors.New("it is for another audience")
	case c.Expiry == nil:
		return errors.New("it does not say until when it holds")
	case now.After(c.Expiry.Time().Add(leeway)):
		return errors.New("it has expired")
	case c.NotBefore != nil && now.Before(c.NotBefore.Time().Add(-leeway)):
		return errors.New("it does not hold yet")
	case c.IssuedAt != nil && now.Before(c.IssuedAt.Time().Add(-leeway)):
		return errors.New("it was made in the future")
	}
	return nil
}

func (c *claims) scopes() []string {
	out := strings.Fields(c.Scope)
	switch scp := c.Scp.(type) {
	case string:
		out = append(out, strings.Fields(scp)...)
	case []any:
		for _, one := range scp {
			if text, ok := one.(string); ok && isScope(text) {
				out = append(out, text)
			}
		}
	}
	return out
}
