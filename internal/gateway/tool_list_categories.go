package gateway

import (
	"context"

	"toolcrib/internal/wire"
)

var listCategories = &tool{
	name:        "list_categories",
	description: `List the categories of tools, with counts.`,
	output:      `"categories":{"type":"array"},"metadata":{"type":"object"},"next":{"type":"string"}`,
	do:          (*Gateway).answerListCategories,
}

func (g *Gateway) answerListCategories(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	return g.answer(in, args, g.sight(in).Browser.Categories(), nil)
}
