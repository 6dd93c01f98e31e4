package mcptest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// fault notes what a client did wrong and refuses it.
func (i *Issuer) fault(w http.ResponseWriter, code, format string, args ...any) {
	i.faults = append(i.faults, fmt.Sprintf(format, args...))
	reply(w, http.StatusBadRequest, map[string]string{"error": code, "error_description": fmt.Sprintf(format, args...)})
}

func (i *Issuer) register(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		RedirectURIs    []string `json:"redirect_uris"`
		GrantTypes      []string `json:"grant_types"`
		AuthMethod      string   `json:"token_endpoint_auth_method"`
		ApplicationType string   `json:"application_type"`
	}
	switch err := json.NewDecoder(r.Body).Decode(&asked); {
	case i.set.NoRegistration:
		http.NotFound(w, r)
	case err != nil || len(asked.RedirectURIs) == 0:
		i.fault(w, "invalid_redirect_uri", "a registration without an address to come back to")
	case asked.ApplicationType != "native" || asked.AuthMethod != "none":
		i.fault(w, "invalid_client_metadata", "a program on a desktop registers as %q with %q", asked.ApplicationType, asked.AuthMethod)
	default:
		i.number++
		id := fmt.Sprintf("client-%d", i.number)
		i.clients[id] = &oauthClient{asked.RedirectURIs}
		reply(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": asked.RedirectURIs, "token_endpoint_auth_method": "none"})
	}
}

// authorize sends the person straight back with a code.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	id, back := q.Get("client_id"), q.Get("redirect_uri")
	client := i.clients[id]
	if client == nil && i.set.Documents && strings.HasPrefix(id, "https://") {
		client = &oauthClient{[]string{back}}
	}
	switch {
	case client == nil:
		i.fault(w, "invalid_client", "an unknown client %q", id)
	case !slices.Contains(client.redirects, back):
		i.fault(w, "invalid_request", "another address to come back to than was registered: %q", back)
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43:
		i.fault(w, "invalid_request", "no PKCE with S256")
	case len(q.Get("state")) < 16:
		i.fault(w, "invalid_request", "a state that can be guessed")
	case q.Get("resource") == "":
		i.fault(w, "invalid_target", "no resource")
	default:
		code := rand.Text()
		i.codes[code] = &oauthCode{id, back, q.Get("code_challenge"), q.Get("resource"), strings.Fields(q.Get("scope"))}
		to, _ := url.Parse(back)
		iss := i.URL
		if i.set.Iss != nil {
			iss = *i.set.Iss
		}
		answer := url.Values{"code": {code}, "state": {q.Get("state")}}
		if iss != "" {
			answer.Set("iss", iss)
		}
		to.RawQuery = answer.Encode()
		w.Header().Set("Location", to.String())
		w.WriteHeader(http.StatusFound)
	}
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	form := r.PostForm
	if i.set.Token != nil && i.set.Token(w, form) {
		return
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		code := i.codes[form.Get("code")]
		delete(i.codes, form.Get("code"))
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		switch {
		case code == nil:
			i.fault(w, "invalid_grant", "a code that does not exist, or was used")
		case base64.RawURLEncoding.EncodeToString(sum[:]) != code.challenge:
			i.fault(w, "invalid_grant", "another verifier than was announced")
		case form.Get("redirect_uri") != code.redirect || form.Get("client_id") != code.client || form.Get("resource") != code.resource:
			i.fault(w, "invalid_grant", "a code for another client, address or resource")
		default:
			i.grant(w, &oauthGrant{client: code.client, resource: code.resource, scopes: code.scopes})
		}
	case "refresh_token":
		old := i.refresh[form.Get("refresh_token")]
		delete(i.refresh, form.Get("refresh_token")) // each is good once
		switch {
		case i.set.RefuseRefresh || old == nil:
			reply(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
		case form.Get("client_id") != old.client:
			i.fault(w, "invalid_client", "a refresh token of another client")
		case form.Get("resource") != old.resource:
			i.fault(w, "invalid_target", "a refresh for another resource")
		default:
			i.grant(w, &oauthGrant{client: old.client, resource: old.resource, scopes: old.scopes})
		}
	default:
		i.fault(w, "unsupported_grant_type", "the grant %q", form.Get("grant_type"))
	}
}

func (i *Issuer) grant(w http.ResponseWriter, g *oauthGrant) {
	life := i.set.Life
	if life == 0 {
		life = time.Hour
	}
	g.expires = time.Now().Add(life)
	access, refresh := "access-"+rand.Text(), "refresh-"+rand.Text()
	if i.set.JWT {
		access = i.JWT(map[string]any{"alg": "ES256", "typ": "at+jwt", "kid": "one"}, map[string]any{
			"iss": i.URL, "aud": g.resource, "sub": "person", "client_id": g.client, "scope": strings.Join(g.scopes, " "), "jti": rand.Text(),
			"iat": time.Now().Unix(), "exp": g.expires.Unix(),
		})
	}
	i.access[access] = g
	answer := map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": int(life / time.Second), "scope": strings.Join(g.scopes, " ")}
	if !i.set.NoRefresh {
		i.refresh[refresh] = g
		answer["refresh_token"] = refresh
	}
	reply(w, http.StatusOK, answer)
}
