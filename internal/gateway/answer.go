package gateway

import (
	"encoding/json"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// answer is what a Browser said, as the result of a tool: as text for models that
// read text, and as structured content.
func (g *Gateway) answer(in *wire.Incoming, args *arguments, a *disclose.Answer, p *disclose.Problem) ([]byte, error) {
	if args.wrong != nil {
		p = args.wrong
	}
	if p != nil {
		return g.problem(in, p), nil
	}
	a.Metadata.Ignored = args.ignored()
	return toolResult(in, a.JSON(), false), nil
}

// problem is why there is no answer, as the result of a tool.
func (g *Gateway) problem(in *wire.Incoming, p *disclose.Problem) []byte {
	return toolResult(in, p.JSON(), true)
}

// toolResult is one JSON value as the result of a tool.
func toolResult(in *wire.Incoming, value json.RawMessage, failed bool) []byte {
	out := make([]byte, 0, 2*len(value)+len(value)/4+128)
	out = append(out, `{"content":[{"type":"text","text":`...)
	out = append(out, wire.Quote(string(value))...)
	out = append(out, `}],"structuredContent":`...)
	out = append(out, value...)
	if failed {
		out = append(out, `,"isError":true`...)
	}
	if in.Era == wire.Modern {
		out = append(out, `,"resultType":"complete"`...)
	}
	return append(out, '}')
}
