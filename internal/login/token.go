package login

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// errGrantEnded says that an issuer gives nothing more for a grant.
var errGrantEnded = errors.New("the issuer does not renew the login")

// An answer is what a token endpoint says.
type answer struct {
	Access  string  `json:"access_token"`
	Type    string  `json:"token_type"`
	Refresh string  `json:"refresh_token"`
	Scope   string  `json:"scope"`
	Expires seconds `json:"expires_in"`
	Error   string  `json:"error"`
}

// seconds are a number, which some write as text.
type seconds int64

func (s *seconds) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		n = 0 // it does not say, then
	}
	*s = seconds(min(max(n, 0), int64(10*365*24*time.Hour/time.Second)))
	return nil
}

// with is g with the tokens of an answer.
func (g *Grant) with(a *answer, now time.Time) (*Grant, error) {
	if !sayable(a.Access) || !strings.EqualFold(a.Type, "Bearer") || (a.Refresh != "" && !sayable(a.Refresh)) {
		return nil, errors.New("the issuer gave no bearer token")
	}
	out := *g
	out.Access, out.Made, out.Expires = a.Access, now, time.Time{}
	if a.Expires > 0 {
		out.Expires = now.Add(time.Duration(a.Expires) * time.Second)
	}
	if a.Refresh != "" {
		out.Refresh = a.Refresh
	}
	if a.Scope != "" {
		out.Scopes = strings.Fields(a.Scope)
	}
	return &out, nil
}

// renew asks the issuer of g, and nobody else, for new tokens.
func (g *Grant) renew(ctx context.Context, client *http.Client) (*Grant, error) {
	now := time.Now()
	a, err := g.ask(ctx, client, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.Refresh}, "resource": {g.Resource}})
	if err != nil {
		return nil, fmt.Errorf("renew the login: %w", err)
	}
	return g.with(a, now)
}

// ask posts a form to the token endpoint.
func (g *Grant) ask(ctx context.Context, client *http.Client, form url.Values) (*answer, error) {
	resp, err := g.post(ctx, client, g.TokenURL, form)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxGrant))
	if err != nil {
		return nil, err
	}
	a := new(answer)
	broken := json.Unmarshal(body, a)
	switch {
	case slices.Contains([]string{"invalid_grant", "invalid_client", "unauthorized_client", "invalid_target"}, a.Error):
		return nil, fmt.Errorf("%w (%s)", errGrantEnded, a.Error)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the issuer answers HTTP %d %s", resp.StatusCode, clip(a.Error))
	case broken != nil:
		return nil, errors.New("the issuer's answer is no JSON")
	}
	return a, nil
}

// post sends a form, with what the client says of itself.
func (g *Grant) post(ctx context.Context, client *http.Client, to string, form url.Values) (*http.Response, error) {
	basic := g.ClientSecret != "" && !g.SecretInBody
	if !basic {
		form.Set("client_id", g.ClientID)
	}
	if g.ClientSecret != "" && g.SecretInBody {
		form.Set("client_secret", g.ClientSecret)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	if basic {
		req.SetBasicAuth(url.QueryEscape(g.ClientID), url.QueryEscape(g.ClientSecret))
	}
	resp, err := client.Do(req)
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // its address may hold more than a log should
	}
	return resp, err
}

// revoke tells the issuer that a grant is not needed any more.
func (g *Grant) revoke(ctx context.Context, client *http.Client) error {
	token, kind := g.Refresh, "refresh_token"
	if token == "" {
		token, kind = g.Access, "access_token"
	}
	resp, err := g.post(ctx, client, g.RevokeURL, url.Values{"token": {token}, "token_type_hint": {kind}})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	if resp.StatusCode >= 300 {
		return fmt.Errorf("the issuer answers HTTP %d", resp.StatusCode)
	}
	return nil
}

// clip keeps what others say short, and printable.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	return text[:min(len(text), 200)]
}
