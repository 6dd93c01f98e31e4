package gateway

import (
	"context"

	"toolcrib/internal/wire"
)

var listServers = &tool{
	name:        "list_servers",
	description: `List the servers behind this gateway: identifier, what each is for, state, number of tools.`,
	output:      `"servers":{"type":"array"},"metadata":{"type":"object"},"next":{"type":"string"}`,
	do:          (*Gateway).answerListServers,
}

func (g *Gateway) answerListServers(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	return g.answer(in, args, g.sight(in).Browser.Servers(), nil)
}
