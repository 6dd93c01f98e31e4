package upstream

import (
	"errors"

	"toolcrib/internal/wire"
)

// loginWanted says how a person can log in, if that is what err is about.
func loginWanted(err error) string {
	var login *wire.LoginError
	if errors.As(err, &login) {
		return login.Error()
	}
	return ""
}
