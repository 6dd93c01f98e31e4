package demo

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// add adds a tool whose answer is a text for people and a value for programs.
// An error becomes a result that says what was wrong, which is what a model can
// act on.
func add[In, Out any](s *mcp.Server, t *mcp.Tool, run func(ctx context.Context, in In) (text string, out Out, err error)) {
	mcp.AddTool(s, t, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		text, out, err := run(ctx, in)
		if err != nil {
			return nil, out, err
		}
		return said(text), out, nil
	})
}

// said is a result that is one text.
func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// readOnly annotates a tool that changes nothing and reaches nothing outside.
func readOnly() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false)}
}

// changing annotates a tool that adds something, or destroys it.
func changing(destroys, idempotent bool) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{DestructiveHint: new(destroys), IdempotentHint: idempotent, OpenWorldHint: new(false)}
}

// object is a piece of JSON schema.
type object = map[string]any

// schemaOf is the schema of an object with these properties.
func schemaOf(properties object, required ...string) object {
	return object{
		"type": "object", "properties": properties,
		"required": append([]string{}, required...), "additionalProperties": false,
	}
}
