package login

import (
	"context"
	"fmt"
	"time"
)

// revokeTime is how long an issuer may take to hear that a login is over.
const revokeTime = 10 * time.Second

// Logout forgets the grant for a server, and tells its issuer where that wants to
// know. told is why that could not be done: the grant is forgotten all the same.
func Logout(ctx context.Context, server Server, store *Store) (was bool, told, err error) {
	g, err := store.Load(server.URL)
	if err == nil && g == nil {
		return false, nil, nil
	}
	// One that cannot be read is deleted, too.
	if g != nil && g.RevokeURL != "" {
		ctx, cancel := context.WithTimeout(ctx, revokeTime)
		defer cancel()
		server.Private = g.Private
		if err := g.revoke(ctx, server.client()); err != nil {
			told = fmt.Errorf("tell %s that the login is over: %w", g.Issuer, err)
		}
	}
	return true, told, store.Delete(server.URL)
}
