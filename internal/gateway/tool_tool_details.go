package gateway

import (
	"context"

	"toolcrib/internal/wire"
)

var toolDetails = &tool{
	name:        "tool_details",
	description: `Show how to call tools: parameters, output, example calls in JSON and Lua.`,
	input:       `"tools":{"type":"array","items":{"type":"string"},"description":"server.tool, up to 10"}`,
	required:    `"tools"`,
	output:      toolsOut,
	lean:        true,
	do:          (*Gateway).answerToolDetails,
}

func (g *Gateway) answerToolDetails(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	names := args.words("tools")
	server, tool := args.text("server"), args.text("tool")
	if args.wrong != nil {
		return g.problem(in, args.wrong), nil
	}
	if tool != "" {
		t, problem := g.sight(in).Browser.Tool(server, tool)
		if problem != nil {
			return g.problem(in, problem), nil
		}
		names = append(names, string(t.ID()))
	}
	a, problem := g.sight(in).Browser.Details(names)
	if problem == nil {
		for _, d := range a.Details {
			g.asked(d.Server)
		}
	}
	return g.answer(in, args, a, problem)
}
