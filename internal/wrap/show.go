package wrap

import (
	"context"
	"encoding/json"
	"fmt"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// The discovery tools that show what is known.

var toolDetails = &discoveryTool{
	name:        "tool_details",
	description: "Show how to call tools of this server: parameters, output, an example call.",
	takes:       []string{"tools"}, requires: 1, also: []string{"tool"},
	output: "tools",
	do: func(_ context.Context, v *view, in *inputs) (any, *disclose.Problem) {
		names := in.tools
		if in.tool != "" {
			names = append(names, in.tool)
		}
		if len(names) == 0 {
			return nil, &disclose.Problem{Message: "no tool is named", Next: `Say which: {"tools":["..."]}, up to 10. ` + searchFinds}
		}
		ids := make([]string, len(names))
		for i, name := range names {
			ids[i] = v.id(name)
		}
		a, problem := v.browser.Details(ids)
		if problem != nil {
			if len(names) <= disclose.MaxDetails {
				problem.Next = searchFinds
			}
			return nil, problem
		}
		out := detailed{Metadata: a.Metadata}
		for _, d := range a.Details {
			out.Tools = append(out.Tools, v.detail(d))
		}
		out.Metadata.Ignored = in.ignored
		out.Next = fmt.Sprintf("Call %s by its name, with its arguments.", out.Tools[0].Name)
		return out, nil
	},
}

const searchFinds = `search_tools {"query":"..."} finds tools by what they do.`

// detailed is the answer of tool_details.
type detailed struct {
	Tools    []detail          `json:"tools"`
	Metadata disclose.Metadata `json:"metadata"`
	Next     string            `json:"next"`
}

// A detail is what the gateway tells of a tool, without a server, of which there
// is one, and with an example as an agent calls it here.
type detail struct {
	disclose.Detail
	Server  string   `json:"server,omitempty"`
	Example *example `json:"example,omitempty"`
}

type example struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func (v *view) detail(d disclose.Detail) detail {
	d.Name, d.Original = v.name(d.Name), ""
	v.renameAll(d.Related)
	out := detail{Detail: d}
	if d.Example != nil {
		out.Example = &example{d.Name, wire.Find(d.Example.JSON, "arguments")}
	}
	return out
}

var listCategories = &discoveryTool{
	name:        "list_categories",
	description: "List the categories of this server's tools, with counts.",
	output:      "categories",
	do: func(_ context.Context, v *view, in *inputs) (any, *disclose.Problem) {
		a := v.browser.Categories()
		a.Next = `list_tools {"category":"...","detail_level":"brief"} lists one.`
		return v.tell(a, in), nil
	},
}

var getRelatedTools = &discoveryTool{
	name:        "get_related_tools",
	description: "List the tools of this server that go with one: stated, alike.",
	takes:       []string{"tool", "max_results"}, requires: 1,
	output: "tools",
	do: func(_ context.Context, v *view, in *inputs) (any, *disclose.Problem) {
		a, problem := v.browser.Related("", v.id(in.tool), in.maxResults)
		if problem != nil {
			problem.Next = searchFinds
			return nil, problem
		}
		a.Next = `tool_details {"tools":["...","..."]} shows several at once.`
		if len(a.Tools) == 0 {
			a.Next = "Nothing is related to it. " + searchFinds
		}
		return v.tell(a, in), nil
	},
}
