package config

import (
	"slices"
	"strings"
)

// goose calls them extensions, and most of those are its own.
var goose = client{
	name: "goose", title: "Goose",
	places: slices.Concat(
		on("linux", UserScope, "{config}/goose/config.yaml"),
		on("darwin", UserScope, "~/.config/goose/config.yaml"),
		on("windows", UserScope, "{config}/Block/goose/config/config.yaml"),
	),
	root: []string{"extensions"},
	unit: seconds,
	entry: func(f *foreign, s *draft) bool {
		switch s.word {
		case "stdio", "sse", "streamable_http":
		default:
			return false // a part of Goose itself
		}
		if keys := s.node.child("env_keys").texts(); len(keys) > 0 {
			f.warn(s.At, "server %s: the values of %s are in Goose's own keyring: set them in the environment, or in your own file", clip(s.Name), clip(strings.Join(keys, ", ")))
		}
		return true
	},
	write: shape{entry: func(command string, args []string) *node {
		return part(
			pair{"name", text(ownName)}, pair{"type", text("stdio")}, pair{"enabled", boolOf(true)},
			pair{"cmd", text(command)}, pair{"args", texts(args)}, pair{"envs", &node{kind: mapNode}}, pair{"timeout", numberOf("300")},
		)
	}, remote: func(r remote) *node {
		return part(
			pair{"name", text(ownName)}, pair{"type", text("streamable_http")}, pair{"enabled", boolOf(true)},
			pair{"uri", text(r.url)}, pair{"headers", r.headers}, pair{"timeout", numberOf("300")},
		)
	}},
}
