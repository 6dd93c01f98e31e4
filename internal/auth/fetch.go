package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const maxDocument = 1 << 20

// newClient reads documents of the issuer. It follows no redirects: what is
// configured is what is asked.
func newClient() *http.Client {
	return &http.Client{
		Timeout:       keysWait,
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, TLSHandshakeTimeout: keysWait, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// fetch reads the keys at k.url, or where the issuer says that they are.
func (k *keys) fetch(ctx context.Context) (*keySet, error) {
	at := k.url
	if at == "" {
		found, err := k.locate(ctx)
		if err != nil {
			return nil, err
		}
		at = found
	}
	var all struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := k.document(ctx, at, &all); err != nil {
		return nil, err
	}
	set := &keySet{at: time.Now()}
	for _, raw := range all.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil && usable(key) && len(set.keys) < maxKeys { // others may be of kinds to come
			set.keys = append(set.keys, key)
		}
	}
	if len(set.keys) == 0 {
		return nil, fmt.Errorf("%s has no key that can be used", at)
	}
	return set, nil
}

// locate asks the issuer's metadata where its keys are.
func (k *keys) locate(ctx context.Context) (string, error) {
	var failures []error
	for _, at := range metadataURLs(k.issuer) {
		var said struct {
			Issuer string `json:"issuer"`
			Keys   string `json:"jwks_uri"`
		}
		err := k.document(ctx, at, &said)
		switch {
		case err != nil:
		case strings.TrimSuffix(said.Issuer, "/") != strings.TrimSuffix(k.issuer, "/"):
			err = fmt.Errorf("%s is the metadata of another issuer", at)
		default:
			if err = CheckURL(said.Keys); err == nil {
				return said.Keys, nil
			}
			err = fmt.Errorf("%s: jwks_uri %w", at, err)
		}
		failures = append(failures, err)
	}
	return "", errors.Join(failures...)
}

// metadataURLs are where an issuer may have its metadata: RFC 8414, then OpenID Connect.
func metadataURLs(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	host, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	urls := []string{host + "/.well-known/oauth-authorization-server" + path, host + path + "/.well-known/openid-configuration"}
	return urls
}

// document reads a JSON document.
func (k *keys) document(ctx context.Context, at string, to any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := k.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers HTTP %d", at, resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", at, err)
	}
	if len(body) > maxDocument {
		return fmt.Errorf("%s is larger than %d bytes", at, maxDocument)
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("%s is no JSON document: %w", at, err)
	}
	return nil
}
