package cli

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

type pageFlags struct {
	config, http string
	json         bool
}

func newPage(s *streams) *cobra.Command {
	var f pageFlags
	cmd := &cobra.Command{
		Use:   "page",
		Short: "Print the address of a gateway's page, with a login that is good once",
		Long: `Print the address at which a browser shows what a gateway on this machine does. It
carries a code that logs in once, within a minute, so that nobody has to copy the
token: open the address, and ask for another one the next time.

The code is left in a file that only you can read, for the gateway that runs with the
same state directory; nothing is sent to it. With "http.page: actions" it also lets that
browser decide about changed definitions, which the token of agents does not: that takes a
person, who comes by this address or shows the page's key.

With "http.auth: none" nobody has to log in, and with "http.auth: oauth" the page asks for
a token of the issuer: then the address has a code only if there is something to decide.

Exit codes: 0 printed, 1 failure, 2 wrong usage, 3 the configuration is missing or invalid,
or says that there is no page.`,
		Example: `  toolcrib page
  xdg-open "$(toolcrib page --http 127.0.0.1:8000)"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !app.IsLoopback(f.http) {
				return usageError{fmt.Errorf("--http must be a loopback address and a port, such as %s", defaultAddress)}
			}
			c, err := s.load(f.config)
			if err != nil {
				return err
			}
			return s.inspect(cmd, f.json, func(i *inspection) error { return i.printPage(c, f.http) })
		},
	}
	cmd.Flags().StringVar(&f.http, "http", defaultAddress, "the `ADDR` that the gateway serves")
	configFlag(cmd, &f.config)
	jsonFlag(cmd, &f.json)
	return cmd
}

type pageOutput struct {
	Version int    `json:"version"`
	URL     string `json:"url"`
	Code    bool   `json:"code"`    // the address has a code, which is good once
	Decides bool   `json:"decides"` // and whoever comes by it can decide about definitions
}

func (i *inspection) printPage(c config.Config, addr string) error {
	if c.HTTP.Page == config.PageOff {
		return failure{exitConfig, fmt.Errorf("the configuration says http.page: off; set it to %s and restart the gateway", config.PageRead)}
	}
	at := url.URL{Scheme: "http", Host: addr, Path: "/"}
	if c.HTTP.TLS.Cert != "" {
		at.Scheme = "https"
	}
	out := pageOutput{Version: jsonVersion}
	out.Decides = c.HTTP.Page == config.PageActions
	if out.Decides || c.HTTP.Auth == "" || c.HTTP.Auth == config.AuthToken {
		code, err := app.NewLoginCode(i.app.StateDir)
		if err != nil {
			return err
		}
		at.Path, at.RawQuery, out.Code = "/login", url.Values{"code": {code}}.Encode(), true
	}
	out.URL = at.String()
	if port := app.LookAtPort(i.ctx, addr, at.Scheme == "https"); !port.Gateway {
		fmt.Fprintf(i.err, "toolcrib: no gateway answers at %s; toolcrib serve --http %s starts one\n", addr, addr)
	}
	if i.json {
		return i.printJSON(out)
	}
	_, err := fmt.Fprintln(i.out, out.URL)
	return err
}
