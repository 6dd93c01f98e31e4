package gateway

import (
	"context"
	"fmt"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

var inspectToolResponse = &tool{
	name:        "inspect_tool_response",
	description: "REALLY call a tool and show the structure of its answer. Only for read-only tools unless allow_side_effects.",
	input:       serverIn + `,` + toolIn + `,"sample_args":{"type":"object"},"allow_side_effects":{"type":"boolean"}`,
	required:    `"tool"`,
	writes:      true,
	do:          (*Gateway).answerInspect,
}

// An inspection is what inspect_tool_response answers.
type inspection struct {
	Tool      catalog.ToolID `json:"tool"`
	Known     string         `json:"known_before,omitempty"` // the structure, from calls that were made before
	Structure string         `json:"structure"`
	Failed    bool           `json:"is_error,omitempty"` // the tool says so
	Sample    string         `json:"sample,omitempty"`   // the beginning of the answer
	Next      string         `json:"next"`
}

// sampleLength is how many characters of an answer are shown with its structure.
const sampleLength = 1500

func (g *Gateway) answerInspect(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	server, name, sample, allowed := args.text("server"), args.text("tool"), args.raw("sample_args"), args.flag("allow_side_effects")
	if args.wrong != nil {
		return g.problem(in, args.wrong), nil
	}
	t, problem := g.find(ctx, g.sight(in), server, name)
	if problem != nil {
		return g.problem(in, problem), nil
	}
	known := ""
	if g.o.Outlines != nil {
		known, _ = g.o.Outlines.Seen(t.Fingerprint())
	}
	if t.Annotations().ReadOnly != catalog.Yes && !allowed {
		p := &disclose.Problem{
			Message: fmt.Sprintf("%s was not called: its server does not mark it read-only, so that calling it may change something", t.ID()),
			Next:    `Send it again with "allow_side_effects":true if that is wanted, or read tool_details.`,
		}
		if known != "" {
			p.Next = "The structure of its answers is known from calls made before: " + known + ". " + p.Next
		}
		return g.problem(in, p), nil
	}
	return g.callKnown(ctx, in, t, sample, func(result []byte) []byte { return inspected(in, t, known, result) })
}

// inspected is the structure of a tool's result in place of the result.
func inspected(in *wire.Incoming, t *catalog.Tool, known string, result []byte) []byte {
	value := disclose.JSON(inspection{
		Tool: t.ID(), Known: known, Structure: call.Outline(result),
		Failed: string(wire.Find(result, "isError")) == "true",
		Sample: disclose.Cut(disclose.Clean(firstText(result)), sampleLength),
		Next:   fmt.Sprintf(`call_tool {"tool":"%s","arguments":{...}}, or use the structure in execute.`, t.ID()),
	})
	return toolResult(in, value, false)
}

// firstText is the beginning of what a result says.
func firstText(result []byte) string {
	blocks, err := wire.Elements(wire.Find(result, "content"))
	if err != nil {
		return ""
	}
	for _, block := range blocks {
		if text, ok := wire.Text(wire.Find(block, "text")); ok {
			return text[:min(len(text), 4*sampleLength)]
		}
	}
	return ""
}
