package config

// Login is how the gateway signs in to a server that wants OAuth. The zero value
// works with servers at which anybody may register.
type Login struct {
	ClientID     string // one that was registered before, or the https address of a client's metadata
	ClientSecret string
	Scopes       []string // to ask for; nil asks for what the server names
	RedirectPort int      // of the loopback address to come back to; 0 is any
	AllowPrivate bool     // who signs in for the server may be in a private network
}

func (d *decoder) login(n *node) Login {
	var l Login
	d.fields(n, "oauth", []field{
		{"client_id", func(n *node) { l.ClientID = d.value(n, "client_id") }},
		{"client_secret", func(n *node) { d.quietly(func() { l.ClientSecret = d.value(n, "client_secret") }) }},
		{"scopes", func(n *node) { l.Scopes = d.texts(n, "scopes") }},
		{"redirect_port", func(n *node) { l.RedirectPort = d.integer(n, "redirect_port", 1, 65535) }},
		{"allow_private", func(n *node) { l.AllowPrivate = d.boolean(n, "allow_private") }},
	})
	if n.about == nil && l.ClientSecret != "" && l.ClientID == "" {
		d.problem(n.at, "oauth has a client_secret and no client_id: a secret belongs to a client")
	}
	return l
}

func (l Login) node() *node {
	secret := ""
	if l.ClientSecret != "" {
		secret = Masked
	}
	return part(
		pair{"client_id", text(l.ClientID)}, pair{"client_secret", text(secret)}, pair{"scopes", texts(l.Scopes)}, pair{"redirect_port", number(l.RedirectPort)},
		pair{"allow_private", truly(l.AllowPrivate)},
	)
}

func (h HTTP) node() *node {
	return part(
		pair{"auth", text(string(h.Auth))},
		pair{"oauth", part(
			pair{"issuer", text(maskURL(h.OAuth.Issuer))}, pair{"resource", text(maskURL(h.OAuth.Resource))}, pair{"audience", text(h.OAuth.Audience)},
			pair{"jwks_url", text(maskURL(h.OAuth.KeysURL))}, pair{"scopes", texts(h.OAuth.Scopes)}, pair{"algorithms", texts(h.OAuth.Algorithms)},
		)},
		pair{"tls", part(pair{"cert", text(h.TLS.Cert)}, pair{"key", text(h.TLS.Key)})},
		pair{"allowed_hosts", texts(h.AllowedHosts)}, pair{"allowed_origins", texts(h.AllowedOrigins)}, pair{"page", text(string(h.Page))},
	)
}
