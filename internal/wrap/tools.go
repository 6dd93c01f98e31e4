package wrap

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/disclose"
)

// A discoveryTool finds and shows the server's own tools. They are the ones of the
// gateway that make sense within one server, with the same answers.
type discoveryTool struct {
	name        string
	description string
	takes       []string // names of parameters
	also        []string // names that are taken and not told of
	requires    int      // how many of them, from the first
	output      string   // the member that has the answer
	do          func(ctx context.Context, v *view, in *inputs) (any, *disclose.Problem)
}

// discoveryTools are all of them, in the order in which they are listed.
func discoveryTools() []*discoveryTool {
	return []*discoveryTool{searchTools, toolDetails, listTools, listCategories, findByTags, getRelatedTools}
}

// parameters are the schemas of what discovery tools take.
var parameters = map[string]string{
	"query":        `{"type":"string"}`,
	"category":     `{"type":"string"}`,
	"tool":         `{"type":"string"}`,
	"tools":        `{"type":"array","items":{"type":"string"},"description":"names, up to 10"}`,
	"tags":         `{"type":"array","items":{"type":"string"}}`,
	"match_mode":   `{"enum":["any","all"]}`,
	"detail_level": `{"enum":["minimal","brief","full"]}`,
	"max_results":  `{"type":"integer"}`,
	"page":         `{"type":"integer"}`,
	"page_size":    `{"type":"integer"}`,
}

// definition is the tool as tools/list has it.
func (t *discoveryTool) definition() *mcp.Tool {
	var properties, required []string
	for i, name := range t.takes {
		properties = append(properties, `"`+name+`":`+parameters[name])
		if i < t.requires {
			required = append(required, `"`+name+`"`)
		}
	}
	input := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		input += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return &mcp.Tool{
		Name: t.name, Description: t.description,
		InputSchema:  json.RawMessage(input + "}"),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"` + t.output + `":{"type":"array"},"metadata":{"type":"object"},"next":{"type":"string"}}}`),
		Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: true},
	}
}

// isDiscovery tells whether a discovery tool has that name.
func isDiscovery(name string) bool {
	return slices.ContainsFunc(discoveryTools(), func(t *discoveryTool) bool { return t.name == name })
}

// additions are the discovery tools for a server with these tools: none if it
// has none to discover, and none that is called as one of its own.
func additions(own []*mcp.Tool) []*mcp.Tool {
	var more []*mcp.Tool
	for _, t := range discoveryTools() {
		if lacks(own, t.name) {
			more = append(more, t.definition())
		}
	}
	return more
}

// discoveryTool is the one that somebody means, nil if it is none. Hyphens and
// underscores are the same.
func (w *wrapping) discoveryTool(name string) *discoveryTool {
	if !w.o.Discovery {
		return nil
	}
	name = strings.ReplaceAll(name, "-", "_")
	for _, t := range discoveryTools() {
		if t.name == name {
			return t
		}
	}
	return nil
}

// answer is what the tool says: as text for models that read text, and as
// structured content.
func (t *discoveryTool) answer(ctx context.Context, v *view, arguments json.RawMessage) *mcp.CallToolResult {
	in, problem := readInputs(arguments, slices.Concat(t.takes, t.also))
	var answer any
	if problem == nil {
		answer, problem = t.do(ctx, v, in)
	}
	if problem != nil {
		v.renameAll(problem.Nearest)
		return toolResult(problem.JSON(), true)
	}
	return toolResult(disclose.JSON(answer), false)
}

func toolResult(value json.RawMessage, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(value)}},
		StructuredContent: value,
		IsError:           failed,
	}
}
