package gateway

import (
	"context"

	"toolcrib/internal/wire"
)

var listServerTools = &tool{
	name:        "list_server_tools",
	description: `List the tools of one server.`,
	input:       serverIn + `,` + pageIn,
	required:    `"server"`,
	output:      toolsOut,
	do:          (*Gateway).answerListServerTools,
}

func (g *Gateway) answerListServerTools(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	a, problem := g.sight(in).Browser.ServerTools(args.text("server"), args.number("page"), args.number("page_size"))
	return g.answer(in, args, a, problem)
}
