package toolcrib_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib"
)

// A weather server is a server with two tools, as one writes it with the SDK.
func newWeather() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	type place struct {
		City string `json:"city"`
	}
	forecast := func(_ context.Context, _ *mcp.CallToolRequest, in place) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.City + ": sun"}}}, nil, nil
	}
	mcp.AddTool(server, &mcp.Tool{Name: "get_forecast", Description: "Tell tomorrow's weather in a city."}, forecast)
	mcp.AddTool(server, &mcp.Tool{Name: "send_alert", Description: "Send an email when it will rain in a city."}, forecast)
	return server
}

// meet connects an agent to a server, both in this program.
func meet(ctx context.Context, server *mcp.Server) (agent *mcp.ClientSession, leave func()) {
	there, here := mcp.NewInMemoryTransports()
	serving, err := server.Connect(ctx, there, nil)
	if err != nil {
		log.Fatal(err)
	}
	agent, err = mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	return agent, func() {
		agent.Close()
		serving.Wait()
	}
}

// The first result that an agent gets has a reference of all tools in front.
func ExampleWrap() {
	ctx := context.Background()
	server := newWeather()
	if err := toolcrib.Wrap(server, nil); err != nil {
		log.Fatal(err)
	}

	agent, leave := meet(ctx, server)
	defer leave()
	for _, city := range []string{"Paris", "Oslo"} {
		result, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_forecast", Arguments: map[string]any{"city": city}})
		if err != nil {
			log.Fatal(err)
		}
		for _, block := range result.Content {
			fmt.Println(block.(*mcp.TextContent).Text)
		}
	}

	// Output:
	// [reference of the tools of this server, sent once. The result of this call follows it.]
	// 2 tools in 2 categories:
	// - email (1): send_alert
	// - maps (1): get_forecast
	// How to go on: each tool is called by its name; the list of tools has their parameters.
	// [end of reference]
	// Paris: sun
	// Oslo: sun
}

// With DiscoveryTools the server can be searched, behind its own tools.
func ExampleWrap_discoveryTools() {
	ctx := context.Background()
	server := newWeather()
	if err := toolcrib.Wrap(server, &toolcrib.Options{Name: "Weather", DiscoveryTools: true}); err != nil {
		log.Fatal(err)
	}

	agent, leave := meet(ctx, server)
	defer leave()
	for tool, err := range agent.Tools(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tool.Name)
	}

	// Output:
	// get_forecast
	// send_alert
	// search_tools
	// tool_details
	// list_tools
	// list_categories
	// find_by_tags
	// get_related_tools
}

// A gateway in front of one server, as a handler of a program's own listener.
// Agents see the tools by which they reach all others.
func ExampleNew() {
	ctx := context.Background()
	server := newWeather()
	weather := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	defer weather.Close()

	gateway, err := toolcrib.New(ctx, &toolcrib.GatewayOptions{
		Servers: []toolcrib.Server{{Name: "weather", URL: weather.URL}},
		Surface: toolcrib.SurfaceLean,
	})
	if err != nil {
		log.Fatal(err)
	}
	listener := httptest.NewServer(gateway.Handler())
	defer listener.Close()
	defer gateway.Close(ctx)

	agent, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: listener.URL}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer agent.Close()
	for tool, err := range agent.Tools(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tool.Name)
	}
	result, err := agent.CallTool(ctx, &mcp.CallToolParams{
		Name:      "call_tool",
		Arguments: map[string]any{"tool": "weather.get_forecast", "arguments": map[string]any{"city": "Paris"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	reference := result.Content[0].(*mcp.TextContent).Text
	fmt.Println(strings.Contains(reference, "weather.get_forecast"))
	fmt.Println(result.Content[1].(*mcp.TextContent).Text)

	// Output:
	// search_tools
	// tool_details
	// call_tool
	// execute
	// true
	// Paris: sun
}
