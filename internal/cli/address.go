package cli

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// defaultTokenEnv is the variable of a token in files that others read.
const defaultTokenEnv = "TOOLCRIB_TOKEN"

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// address is how a client reaches the gateway that --http is about. Our own token goes
// only into entries of this machine: elsewhere another gateway has another one.
func (s *streams) address(f installFlags) (config.Address, error) {
	c, err := s.listenerOf(f.config)
	if err != nil {
		return config.Address{}, err
	}
	if f.env != "" && !variableName.MatchString(f.env) {
		return config.Address{}, usageError{fmt.Errorf("--token-env must be the name of a variable, such as %s", defaultTokenEnv)}
	}
	a := config.Address{URL: f.http, Env: f.env}
	local := false
	if isURL(f.http) {
		u, err := url.Parse(f.http)
		if err != nil || u.Host == "" {
			return a, usageError{fmt.Errorf("--http: %q is no address", clean(f.http))}
		}
		local = app.IsLoopback(u.Host) || app.IsLoopback(net.JoinHostPort(u.Hostname(), "80"))
		if strings.Trim(u.Path, "/") == "" {
			u.Path = app.Endpoint
			a.URL = u.String()
		}
	} else {
		if !app.IsLoopback(f.http) {
			return a, usageError{fmt.Errorf("--http: %q is no loopback address with a port, such as %s; for a gateway elsewhere write its URL", clean(f.http), defaultAddress)}
		}
		scheme := "http"
		if c.TLS.Cert != "" {
			scheme = "https"
		}
		a.URL, local = scheme+"://"+f.http+app.Endpoint, true
	}
	if a.Env == "" && f.project {
		a.Env = defaultTokenEnv
	}
	if !local || a.Env != "" || c.Auth != "" && c.Auth != config.AuthToken {
		if c.Auth == config.AuthNone && local {
			a.Env = "" // nothing is asked for
		}
		return a, nil
	}
	a.Token, err = app.Token(stateDir(s.getenv))
	return a, err
}

// listenerOf is what a configuration says of the listener; without one the defaults hold.
func (s *streams) listenerOf(file string) (config.HTTP, error) {
	if s.named(file) == "" {
		if _, _, err := s.reader().Files(); err != nil {
			return config.HTTP{}, nil
		}
	}
	c, err := s.load(file)
	return c.HTTP, err
}
