package gateway

import (
	"context"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

var searchTools = &tool{
	name:        "search_tools",
	description: `Find tools by what they do, best first, with signatures. query: plain words, a tool's name, or select:a,b.`,
	input:       `"query":{"type":"string"},` + categoryIn + `,` + serverIn + `,` + briefIn + `,` + maxResultIn,
	required:    `"query"`,
	output:      toolsOut,
	lean:        true,
	do:          (*Gateway).answerSearchTools,
}

func (g *Gateway) answerSearchTools(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	a, problem := g.sight(in).Browser.Search(ctx, disclose.Search{
		Query: args.text("query"), Category: args.text("category"), Server: args.text("server"),
		Level: disclose.Level(args.choice("detail_level", "brief", "full", "minimal")), Most: args.number("max_results"),
	})
	if problem == nil {
		g.found(in, a)
	}
	return g.answer(in, args, a, problem)
}
