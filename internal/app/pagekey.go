package app

import (
	"path/filepath"

	"toolcrib/internal/config"
)

// The key of the page is what people have and agents do not. Agents are given the token,
// or get one of an issuer's, or need none; none of that shows that a person decides. So
// what counts for all agents is decided at the listener by whoever shows this key, or
// comes with a login code: both are in files of the state directory.

// pageKeyFile is where the key is kept, below the state directory.
const pageKeyFile = "page-key"

// openPageKey reads the key, or makes one, where there is something to decide. It is nil
// where there is not, and where nothing can be kept: then nobody decides at the listener.
func (a *App) openPageKey() (*secret, error) {
	if a.http.Page != config.PageActions || a.o.StateDir == "" {
		return nil, nil
	}
	return openSecret(filepath.Join(a.o.StateDir, pageKeyFile))
}
