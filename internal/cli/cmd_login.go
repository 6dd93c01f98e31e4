package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type loginFlags struct {
	config    string
	noBrowser bool
	timeout   time.Duration
	json      bool
}

func newLogin(s *streams) *cobra.Command {
	var f loginFlags
	cmd := &cobra.Command{
		Use:   "login SERVER",
		Short: "Log in to a server that wants OAuth",
		Long: `Log in to a server of the configuration that is reached by its url and wants OAuth.

The server is asked who signs people in for it, and the address to do that at is
printed, and opened in the browser of this machine where there is one. The login is
kept, readable for its owner alone, below the state directory, and renewed by itself
while the server allows that. A gateway that runs uses it at once.

With --no-browser, or on a machine without a screen, open the address where there is
one. The browser comes back to a port of this machine: over ssh, forward that port, as in
ssh -L 8085:127.0.0.1:8085, and set it as oauth.redirect_port in the server's entry.

Exit codes: 0 logged in, or no login is needed, 1 nobody logged in, or the server cannot
be logged in to, 2 wrong usage, 3 the configuration is missing or invalid.`,
		Example: `  toolcrib login github
  toolcrib login github --no-browser`,
		Args: oneServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			server, kept, err := s.remote(f.config, args[0])
			if err != nil {
				return err
			}
			return s.inspect(cmd, f.json, func(i *inspection) error {
				i.app.Logins = kept
				return i.login(server, f)
			})
		},
	}
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	cmd.Flags().BoolVar(&f.noBrowser, "no-browser", false, "print the address and open no browser")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 5*time.Minute, "how long the login may take")
	return cmd
}

// remote is a server of the configuration, which has to be one that runs, and where
// its login is kept.
func (s *streams) remote(file, name string) (config.Server, config.LoginStore, error) {
	c, err := s.load(file)
	if err != nil {
		return config.Server{}, "", err
	}
	if err := checkServers(c, []string{name}); err != nil {
		return config.Server{}, "", err
	}
	server, _ := c.Server(name)
	return server, cmp.Or(c.Logins.Store, config.StoreAuto), nil
}

func (i *inspection) login(server config.Server, f loginFlags) error {
	ctx, cancel := context.WithTimeoutCause(i.ctx, f.timeout, fmt.Errorf("nobody logged in within %s", f.timeout))
	defer cancel()
	got, err := app.Login(ctx, server, i.app, func(address string) {
		fmt.Fprintf(i.err, "Open this address to log in to %s:\n\n  %s\n\n", server.Name, address)
		if f.noBrowser {
			return
		}
		if err := app.OpenBrowser(address, i.getenv); err != nil {
			fmt.Fprintf(i.err, "No browser was opened: %v.\n", err)
		}
	})
	if errors.Is(err, app.ErrNoLoginNeeded) {
		if i.json {
			return i.printJSON(loginOutput{Version: jsonVersion, Server: server.Name})
		}
		_, err = fmt.Fprintf(i.out, "%s needs no login.\n", server.Name)
		return err
	}
	if err != nil {
		return err
	}
	if i.json {
		out := loginOutput{Version: jsonVersion, Server: server.Name, LoggedIn: true, Issuer: got.Issuer, Scopes: got.Scopes, Renews: got.Renews}
		if !got.Expires.IsZero() {
			out.Expires = &got.Expires
		}
		return i.printJSON(out)
	}
	how := "It is renewed by itself."
	switch {
	case got.Renews:
	case got.Expires.IsZero():
		how = "It does not say for how long."
	default:
		how = fmt.Sprintf("It ends in %s and cannot be renewed.", ago(time.Until(got.Expires)))
	}
	_, err = fmt.Fprintf(i.out, "Logged in to %s at %s. %s\n", server.Name, clean(got.Issuer), how)
	return err
}

type loginOutput struct {
	Version  int        `json:"version"`
	Server   string     `json:"server"`
	LoggedIn bool       `json:"logged_in"` // false: it needs no login
	Issuer   string     `json:"issuer,omitempty"`
	Scopes   []string   `json:"scopes,omitempty"`
	Expires  *time.Time `json:"expires,omitempty"` // of the first token
	Renews   bool       `json:"renews"`
}
