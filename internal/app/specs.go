package app

import (
	"toolcrib/internal/config"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// specs translates what the file says into what upstream runs.
func specs(c config.Config) []upstream.Spec {
	var out []upstream.Spec
	for _, s := range c.Servers {
		if !s.Runs() {
			continue
		}
		out = append(out, upstream.Spec{
			Name:      s.Name,
			Transport: transports[s.Type],
			Command:   s.Command,
			Args:      s.Args,
			Env:       s.Env,
			Dir:       s.Dir,
			URL:       s.URL,
			Header:    s.Headers,

			Era:         eras[s.Era],
			Sharing:     sharing[s.Sessions],
			MaxInFlight: s.MaxInFlight,

			StartTimeout: s.StartTimeout,
			ProbeTimeout: s.ProbeTimeout,
			CallTimeout:  s.CallTimeout,
			QueueTimeout: s.QueueTimeout,
			IdleTimeout:  s.IdleTimeout,
		})
	}
	return out
}

// What is missing in a table stands for the zero value, which upstream decides on.
var (
	transports = map[config.Type]upstream.Transport{
		config.Stdio:      upstream.Stdio,
		config.Streamable: upstream.HTTP,
		config.SSE:        upstream.SSE,
	}
	eras = map[config.Era]wire.Era{
		config.EraModern: wire.Modern,
		config.EraLegacy: wire.Legacy,
	}
	sharing = map[config.Sessions]upstream.Sharing{
		config.SessionsShared:   upstream.Shared,
		config.SessionsPerAgent: upstream.PerAgent,
	}
)
