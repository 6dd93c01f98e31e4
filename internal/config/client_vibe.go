package config

import "strings"

// mistralVibe has a TOML list of tables with names, and says transport for type.
var mistralVibe = client{
	name: "mistral-vibe", title: "Mistral Vibe",
	places: append(user("{VIBE_HOME}/config.toml", "~/.vibe/config.toml"), project("{project}/.vibe/config.toml")...),
	root:   []string{"mcp_servers"},
	entry: func(f *foreign, s *draft) bool {
		if n := s.node.child("api_key_env"); n != nil {
			header, prefix := "Authorization", "Bearer "
			if h := s.node.child("api_key_header"); h != nil {
				header, prefix = f.text(h, "api_key_header"), ""
			}
			if format := s.node.child("api_key_format"); format != nil {
				prefix = strings.TrimSuffix(f.text(format, "api_key_format"), "{token}")
			}
			f.fromEnv(s, header, prefix, n)
		}
		return true
	},
	write: shape{list: true, entry: func(command string, args []string) *node {
		return part(pair{"transport", text("stdio")}, pair{"command", text(command)}, pair{"args", texts(args)})
	}, namesEnv: true, remote: func(r remote) *node {
		return part(pair{"transport", text("streamable-http")}, pair{"url", text(r.url)}, pair{"api_key_env", text(r.env)}, pair{"headers", r.headers})
	}},
}
