package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// keysAge is how long keys hold. An issuer that takes one back waits so long.
	keysAge = 15 * time.Minute
	// keysPause is the least time between two fetches: tokens with made-up key ids
	// must not make us ask for each of them.
	keysPause = 30 * time.Second
	// keysGrace is how long old keys hold while no new ones can be had.
	keysGrace = 24 * time.Hour
	// maxKeys bounds what is tried for a token that does not name its key.
	maxKeys   = 50
	keysWait  = 10 * time.Second
	leastBits = 2048
)

// keys are those of an issuer, fetched when they are needed.
type keys struct {
	client *http.Client
	issuer string
	url    string // "" until the issuer's metadata is asked
	busy   chan struct{}

	now   atomic.Pointer[keySet]
	tried atomic.Int64 // when the last fetch began, in Unix nanoseconds
}

type keySet struct {
	keys []jose.JSONWebKey
	at   time.Time
}

// A keysError says that the keys cannot be had, which says nothing of a token.
type keysError struct{ cause error }

func (e *keysError) Error() string { return fmt.Sprintf("read the issuer's keys: %v", e.cause) }
func (e *keysError) Unwrap() error { return e.cause }

// find returns the keys that can have signed a token with this header.
func (k *keys) find(ctx context.Context, h jose.Header) ([]jose.JSONWebKey, error) {
	set := k.now.Load()
	if set == nil || time.Since(set.at) > keysAge {
		if err := k.refresh(ctx, set); err != nil && (set == nil || time.Since(set.at) > keysGrace) {
			return nil, &keysError{err}
		}
		set = k.now.Load()
	}
	found := set.fitting(h)
	if len(found) == 0 && h.KeyID != "" { // perhaps a new one
		if err := k.refresh(ctx, set); err != nil {
			return nil, nil // the token is as unknown as before
		}
		found = k.now.Load().fitting(h)
	}
	return found, nil
}

// fitting are the keys for a header: those it names, or all if it names none.
func (s *keySet) fitting(h jose.Header) (out []jose.JSONWebKey) {
	for _, key := range s.keys {
		if (h.KeyID == "" || key.KeyID == h.KeyID) && (key.Algorithm == "" || key.Algorithm == h.Algorithm) && fits(key, h.Algorithm) {
			out = append(out, key)
		}
	}
	return out
}

// fits tells whether a key is of the kind that an algorithm takes.
func fits(key jose.JSONWebKey, algorithm string) bool {
	switch key.Key.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS")
	case *ecdsa.PublicKey:
		return strings.HasPrefix(algorithm, "ES")
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}

// refresh fetches the keys, unless somebody else did since old was seen, or it was
// tried a moment ago. One fetch serves all who wait, and outlives whoever began it.
func (k *keys) refresh(ctx context.Context, old *keySet) error {
	select {
	case k.busy <- struct{}{}:
		defer func() { <-k.busy }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if k.now.Load() != old {
		return nil
	}
	if last := k.tried.Load(); last != 0 && time.Since(time.Unix(0, last)) < keysPause {
		return fmt.Errorf("they were asked for less than %s ago", keysPause)
	}
	k.tried.Store(time.Now().UnixNano())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysWait)
	defer cancel()
	set, err := k.fetch(ctx)
	if err != nil {
		return err
	}
	k.now.Store(set)
	return nil
}

// usable leaves out keys that are not for signatures, secret ones and weak ones.
func usable(key jose.JSONWebKey) bool {
	if (key.Use != "" && key.Use != "sig") || !key.Valid() || !key.IsPublic() {
		return false
	}
	if public, ok := key.Key.(*rsa.PublicKey); ok {
		return public.N.BitLen() >= leastBits
	}
	return true
}
