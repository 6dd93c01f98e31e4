package gateway

import (
	"context"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

var listTools = &tool{
	name:        "list_tools",
	description: `List tools by page: minimal (names), brief or full (schemas).`,
	input:       `"detail_level":{"enum":["minimal","brief","full"]},` + categoryIn + `,` + tagsIn + `,` + serverIn + `,` + pageIn,
	output:      toolsOut,
	do:          (*Gateway).answerListTools,
}

func (g *Gateway) answerListTools(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	a, problem := g.sight(in).Browser.List(disclose.Filter{
		Level:  disclose.Level(args.choice("detail_level", "minimal", "brief", "full")),
		Server: args.text("server"), Category: args.text("category"), Tags: args.words("tags"),
		Page: args.number("page"), PageSize: args.number("page_size"),
	})
	if problem == nil && a.Pagination.Page == 1 && args.unfiltered() {
		a.Scripts = g.storedEntries()
	}
	return g.answer(in, args, a, problem)
}

// unfiltered tells that all tools are asked for.
func (a *arguments) unfiltered() bool {
	return a.members["server"] == nil && a.members["category"] == nil && a.members["tags"] == nil
}
