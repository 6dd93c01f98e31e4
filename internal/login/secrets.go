package login

import (
	"encoding/json"
	"errors"
	"fmt"
)

// secrets are what a keyring keeps of a grant.
type secrets struct {
	Access       string `json:"access_token"`
	Refresh      string `json:"refresh_token,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// inKeyring is what the file of a grant says whose secrets are there.
const inKeyring = "keyring"

// put has the keyring keep what is secret in a grant, if it is to and can, and returns
// what is left for the file.
func (s *Store) put(g *Grant) (*Grant, error) {
	rest := *g
	rest.In = ""
	if s.files || s.keyring == nil && !s.must {
		return &rest, nil
	}
	err := errors.New("there is none")
	if s.keyring != nil {
		b, _ := json.Marshal(secrets{g.Access, g.Refresh, g.ClientSecret}) // texts always marshal
		err = s.keyring.Set(s.name(g.Server), string(b))
	}
	switch {
	case err == nil:
		rest.In, rest.Access, rest.Refresh, rest.ClientSecret = inKeyring, "", "", ""
	case s.must && !errors.Is(err, errTooBig):
		return nil, fmt.Errorf("keep a login in the keyring: %w; unlock it, or set login.store to auto or file", err)
	}
	return &rest, nil
}

// fetch puts into a grant what the keyring keeps of it.
func (s *Store) fetch(g *Grant) error {
	if s.keyring == nil {
		return errors.New("there is none here")
	}
	text, err := s.keyring.Get(s.name(g.Server))
	if err != nil {
		return err
	}
	var kept secrets
	if err := json.Unmarshal([]byte(text), &kept); err != nil || !sayable(kept.Access) {
		return errors.New("what it has is no login")
	}
	g.Access, g.Refresh, g.ClientSecret, g.In = kept.Access, kept.Refresh, kept.ClientSecret, ""
	return nil
}
