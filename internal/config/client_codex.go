package config

// codex has TOML tables, and headers and variables that come from the environment.
var codex = client{
	name: "codex", title: "Codex",
	places: append(user("{CODEX_HOME}/config.toml", "~/.codex/config.toml"), project("{project}/.codex/config.toml")...),
	root:   []string{"mcp_servers"},
	write: shape{namesEnv: true, remote: func(r remote) *node {
		return part(pair{"url", text(r.url)}, pair{"bearer_token_env_var", text(r.env)}, pair{"http_headers", r.headers})
	}},
	entry: func(f *foreign, s *draft) bool {
		if n := s.node.child("bearer_token_env_var"); n != nil {
			f.fromEnv(s, "Authorization", "Bearer ", n)
		}
		for _, e := range s.node.child("env_http_headers").each() {
			f.fromEnv(s, e.key, "", e.value)
		}
		for _, name := range s.node.child("env_vars").texts() {
			switch {
			case f.variables.translate:
				s.Env = f.merged(map[string]string{name: "${" + name + ":-}"}, s.Env)
			case f.held: // as it would be written
				s.Env = f.merged(map[string]string{name: "${env:" + name + "}"}, s.Env)
			case f.getenv(name) != "":
				s.Env = f.merged(map[string]string{name: f.getenv(name)}, s.Env)
			}
		}
		return true
	},
}

// fromEnv sets a header to what a variable holds; a project's file does not get at
// it before it is approved.
func (f *foreign) fromEnv(s *draft, header, prefix string, name *node) {
	if !f.held {
		forms := f.variables.forms
		f.variables.forms |= envForm
		defer func() { f.variables.forms = forms }()
	}
	value := f.value(&node{kind: textNode, at: name.at, text: prefix + "${env:" + f.text(name, header) + "}"}, "header "+header)
	s.Headers = f.merged(map[string]string{header: value}, s.Headers)
}
