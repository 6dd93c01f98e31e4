package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"toolcrib/internal/wire"
)

// A Resource is us, as the issuer's tokens name it.
type Resource struct {
	o        Options
	verifier verifier
	metadata []byte
	at       string // URL of metadata
}

// NewResource checks o. Nothing is fetched before the first token comes.
func NewResource(o Options) (*Resource, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Audience == "" {
		o.Audience = o.Resource
	}
	if o.Algorithms == nil {
		o.Algorithms = DefaultAlgorithms
	}
	if o.Client == nil {
		o.Client = newClient()
	}
	metadata, err := json.Marshal(&oauthex.ProtectedResourceMetadata{
		Resource:               o.Resource,
		AuthorizationServers:   []string{o.Issuer},
		ScopesSupported:        o.Scopes,
		BearerMethodsSupported: []string{"header"},
		ResourceName:           "Toolcrib",
	})
	if err != nil {
		return nil, fmt.Errorf("write the metadata of the listener: %w", err)
	}
	r := &Resource{o: o, metadata: metadata, at: metadataURL(o.Resource)}
	r.verifier = verifier{
		issuer: o.Issuer, audience: o.Audience, algorithms: signatures(o.Algorithms),
		keys: &keys{client: o.Client, issuer: o.Issuer, url: o.KeysURL, busy: make(chan struct{}, 1)},
	}
	return r, nil
}

// metadataURL puts the well-known path between host and path.
func metadataURL(resource string) string {
	u, _ := url.Parse(resource) // check has seen it
	return u.Scheme + "://" + u.Host + WellKnown + strings.TrimSuffix(u.EscapedPath(), "/")
}

// Metadata is what RFC 9728 has agents read, and MetadataPaths where.
func (r *Resource) Metadata() []byte { return r.metadata }

// MetadataPaths are the paths at which the metadata is: with the path of the
// resource, and without for agents that look there alone.
func (r *Resource) MetadataPaths() []string {
	u, _ := url.Parse(r.at)
	if u.Path == WellKnown {
		return []string{WellKnown}
	}
	return []string{WellKnown, u.Path}
}

// Check is the Authenticate of a listener.
func (r *Resource) Check(req *http.Request) (wire.Principal, error) {
	token, ok := Bearer(req)
	if !ok {
		return wire.Principal{}, &wire.AuthError{
			Status: http.StatusUnauthorized, Challenge: r.challenge(""),
			Message: "not authorized: get a token from " + r.o.Issuer + " and send it as Authorization: Bearer",
		}
	}
	who, err := r.verifier.verify(req.Context(), token)
	var keys *keysError
	switch {
	case errors.As(err, &keys), errors.Is(err, context.Canceled):
		return wire.Principal{}, &wire.AuthError{
			Status: http.StatusServiceUnavailable, Reason: err,
			Message: "tokens cannot be checked now, because the keys of " + r.o.Issuer + " cannot be read; try again later",
		}
	case err != nil:
		return wire.Principal{}, &wire.AuthError{
			Status: http.StatusUnauthorized, Challenge: r.challenge("invalid_token"), Reason: err,
			Message: "not authorized: the token is not valid here, or not any more; get a new one from " + r.o.Issuer,
		}
	}
	for _, scope := range r.o.Scopes {
		if !slices.Contains(who.Scopes, scope) {
			return wire.Principal{}, &wire.AuthError{
				Status: http.StatusForbidden, Challenge: r.challenge("insufficient_scope"), Reason: fmt.Errorf("no scope %s", scope),
				Message: "the token does not allow this: get one with the scopes " + strings.Join(r.o.Scopes, " "),
			}
		}
	}
	return who, nil
}

// challenge tells an agent what is wrong and where it learns how to get a token.
func (r *Resource) challenge(wrong string) string {
	parts := []string{}
	if wrong != "" {
		parts = append(parts, `error="`+wrong+`"`)
	}
	parts = append(parts, `resource_metadata="`+r.at+`"`)
	if len(r.o.Scopes) > 0 {
		parts = append(parts, `scope="`+strings.Join(r.o.Scopes, " ")+`"`)
	}
	return "Bearer " + strings.Join(parts, ", ")
}
