package gateway

import (
	"context"

	"toolcrib/internal/wire"
)

var getRelatedTools = &tool{
	name:        "get_related_tools",
	description: `List tools that go with one: stated, used together, alike.`,
	input:       toolIn + `,` + maxResultIn,
	required:    `"tool"`,
	output:      toolsOut,
	do:          (*Gateway).answerGetRelatedTools,
}

func (g *Gateway) answerGetRelatedTools(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	a, problem := g.sight(in).Browser.Related(args.text("server"), args.text("tool"), args.number("max_results"))
	return g.answer(in, args, a, problem)
}
