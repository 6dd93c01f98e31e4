package gateway

import (
	"context"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

var findByTags = &tool{
	name:        "find_by_tags",
	description: `List tools that have any or all of some tags.`,
	input:       tagsIn + `,"match_mode":{"enum":["any","all"]},` + briefIn,
	required:    `"tags"`,
	output:      toolsOut,
	do:          (*Gateway).answerFindByTags,
}

func (g *Gateway) answerFindByTags(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	a, problem := g.sight(in).Browser.Tagged(args.words("tags"), args.choice("match_mode", "any", "all") == "all",
		disclose.Level(args.choice("detail_level", "brief", "full", "minimal")), args.number("page"), args.number("page_size"))
	return g.answer(in, args, a, problem)
}
