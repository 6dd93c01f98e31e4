package gateway

import (
	"context"
	"strings"

	"toolcrib/internal/wire"
)

var callTool = &tool{
	name:        "call_tool",
	description: "Call one tool. Arguments that do not fit are answered with its schema.",
	input:       toolIn + `,"arguments":{"type":"object"}`,
	required:    `"tool","arguments"`,
	writes:      true,
	lean:        true,
	do:          (*Gateway).answerCallTool,
}

func (g *Gateway) answerCallTool(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	server, name, arguments := args.text("server"), args.text("tool"), args.raw("arguments")
	if args.wrong != nil {
		return g.problem(in, args.wrong), nil
	}
	if strings.HasPrefix(name, resultsURI) {
		return g.resultPage(in, name), nil
	}
	t, problem := g.find(ctx, g.sight(in), server, name)
	if problem != nil {
		return g.problem(in, problem), nil
	}
	return g.callKnown(ctx, in, t, arguments, nil)
}
