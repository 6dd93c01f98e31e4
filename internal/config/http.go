package config

import (
	"fmt"
	"net/url"
	"strings"
)

// HTTP is about the listener, if there is one.
type HTTP struct {
	Auth           Auth
	OAuth          OAuth // of AuthOAuth
	TLS            TLS
	AllowedHosts   []string
	AllowedOrigins []string
	Page           Page
}

// Auth is how agents prove that they may use the listener.
type Auth string

// The kinds of Auth. The empty value is AuthToken.
const (
	AuthToken Auth = "token"
	AuthOAuth Auth = "oauth"
	AuthNone  Auth = "none" // loopback alone
)

// Page is what people and programs can do at the listener besides MCP.
type Page string

// The kinds of Page. The empty value is PageRead.
const (
	PageOff     Page = "off"
	PageRead    Page = "read-only"
	PageActions Page = "actions" // tools can be called, servers listed anew, definitions approved with the page's key
)

// OAuth says whose tokens the listener takes. What its parts may be is checked by
// whoever uses them; that they are there is checked here.
type OAuth struct {
	Issuer     string
	Resource   string // the address at which agents reach the listener
	Audience   string // "" is Resource
	KeysURL    string // "" asks the issuer
	Scopes     []string
	Algorithms []string
}

// TLS names the files of the listener's certificate, both or none.
type TLS struct{ Cert, Key string }

func (d *decoder) http(n *node) HTTP {
	var h HTTP
	var authNode, oauthNode *node
	d.fields(n, "http", []field{
		{"auth", func(n *node) { authNode, h.Auth = n, Auth(d.oneOf(n, "http.auth", "token", "oauth", "none")) }},
		{"oauth", func(n *node) { oauthNode, h.OAuth = n, d.oauth(n) }},
		{"tls", func(n *node) { h.TLS = d.tls(n) }},
		{"allowed_hosts", func(n *node) { h.AllowedHosts = d.hosts(n) }},
		{"allowed_origins", func(n *node) { h.AllowedOrigins = d.origins(n) }},
		{"page", func(n *node) { h.Page = Page(d.oneOf(n, "http.page", "off", "read-only", "actions")) }},
	})
	switch {
	case n.about != nil:
	case h.Auth == AuthOAuth && (h.OAuth.Issuer == "" || h.OAuth.Resource == ""):
		d.problem(authNode.at, "http.auth: oauth needs http.oauth.issuer, who makes the tokens, and http.oauth.resource, the address at which agents reach this gateway")
	case h.Auth != AuthOAuth && oauthNode != nil:
		d.warn(oauthNode.at, "http.oauth is not used: add http.auth: oauth")
	}
	return h
}

func (d *decoder) oauth(n *node) OAuth {
	var o OAuth
	d.fields(n, "http.oauth", []field{
		{"issuer", func(n *node) { o.Issuer = d.value(n, "http.oauth.issuer") }},
		{"resource", func(n *node) { o.Resource = d.value(n, "http.oauth.resource") }},
		{"audience", func(n *node) { o.Audience = d.value(n, "http.oauth.audience") }},
		{"jwks_url", func(n *node) { o.KeysURL = d.value(n, "http.oauth.jwks_url") }},
		{"scopes", func(n *node) { o.Scopes = d.texts(n, "http.oauth.scopes") }},
		{"algorithms", func(n *node) { o.Algorithms = d.texts(n, "http.oauth.algorithms") }},
	})
	return o
}

func (d *decoder) tls(n *node) TLS {
	var t TLS
	d.fields(n, "http.tls", []field{
		{"cert", func(n *node) { t.Cert = d.filePath(n, "http.tls.cert") }},
		{"key", func(n *node) { t.Key = d.filePath(n, "http.tls.key") }},
	})
	if n.about == nil && (t.Cert == "") != (t.Key == "") {
		d.problem(n.at, "http.tls needs both cert and key, the files of a certificate and of its private key")
	}
	return t
}

// filePath reads a path, which starts at the configuration's directory.
func (d *decoder) filePath(n *node, what string) string {
	path := d.value(n, what)
	if path == "" {
		return ""
	}
	return d.path(path, d.variables.dir)
}

// hosts are names as they stand in a Host header, without a port or with one.
func (d *decoder) hosts(n *node) []string {
	list := d.texts(n, "http.allowed_hosts")
	for i, host := range list {
		if host == "" || strings.ContainsAny(host, "/ *") {
			d.problem(n.items[i].at, "%q is no host: write a name such as tools.example.com or tools.example.com:8443", clip(host))
		}
	}
	return list
}

func (d *decoder) origins(n *node) []string {
	list := d.texts(n, "http.allowed_origins")
	for i, origin := range list {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || fmt.Sprintf("%s://%s", u.Scheme, u.Host) != origin {
			d.problem(n.items[i].at, "%q is no origin: write it as https://app.example.com, with nothing after the host", clip(origin))
		}
	}
	return list
}
