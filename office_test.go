package toolcrib_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The office is a server as its author wrote it, with tools of several kinds.
func newOffice() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "office", Version: "1.0.0"}, &mcp.ServerOptions{PageSize: 4})
	yes := true
	type page struct {
		Title string `json:"title" jsonschema:"title of the page"`
	}
	type found struct {
		Pages []string `json:"pages"`
		Count int64    `json:"count"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "search_wiki", Description: "Search the pages of the wiki. Gives titles.", Meta: mcp.Meta{"category": "wiki"}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			Query string `json:"query"`
			Limit int    `json:"limit,omitempty"`
		},
		) (*mcp.CallToolResult, found, error) {
			return nil, found{Pages: []string{in.Query}, Count: 9007199254740993}, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "read_wiki_page", Description: "Read a page of the wiki.", Meta: mcp.Meta{"category": "wiki", "related": []string{"search_wiki"}}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in page) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New("there is no page " + in.Title)
		})
	for name, description := range map[string]string{
		"send_mail":           "Send an email to somebody.",
		"list_mails":          "List the mails of the inbox.",
		"create_issue":        "Create an issue in the tracker.",
		"close-issue":         "Close an issue of the tracker.",
		"list_issues":         "List issues of the tracker.",
		"convert_temperature": "Convert between °C and °F.",
	} {
		s.AddTool(&mcp.Tool{
			Name: name, Description: description, InputSchema: map[string]any{"type": "object", "properties": map[string]any{"subject": map[string]any{"type": "string"}}},
			Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes},
		}, officeAnswer)
	}
	return s
}

func officeAnswer(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}, Meta: mcp.Meta{"cost": 3.0}}, nil
}

// An era is a generation of the protocol, by a version of it.
var eras = map[string]string{"modern": "2026-07-28", "legacy": "2025-11-25"}

// A transport connects a client to a server.
type transport func(t testing.TB, s *mcp.Server) mcp.Transport

// inMemory is one connection.
func inMemory(t testing.TB, s *mcp.Server) mcp.Transport {
	t.Helper()
	there, here := mcp.NewInMemoryTransports()
	session, err := s.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Wait() })
	return here
}

// overPipes is a pair of streams, as standard input and output are.
func overPipes(t testing.TB, s *mcp.Server) mcp.Transport {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	session, err := s.Connect(t.Context(), &mcp.IOTransport{Reader: in, Writer: out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Wait() })
	return &mcp.IOTransport{Reader: fromServer, Writer: toServer}
}

// overSSE is the transport that came before Streamable HTTP.
func overSSE(t testing.TB, s *mcp.Server) mcp.Transport {
	t.Helper()
	l := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(l.Close)
	return &mcp.SSEClientTransport{Endpoint: l.URL}
}

// overHTTP is a listener of the server's own. around may be nil.
func overHTTP(stateless bool, around func(http.Handler) http.Handler) transport {
	return func(t testing.TB, s *mcp.Server) mcp.Transport {
		t.Helper()
		return &mcp.StreamableClientTransport{Endpoint: listen(t, s, stateless, around), DisableStandaloneSSE: true}
	}
}

// listen serves a server over HTTP until the test ends.
func listen(t testing.TB, s *mcp.Server, stateless bool, around func(http.Handler) http.Handler) string {
	t.Helper()
	var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
	if around != nil {
		h = around(h)
	}
	l := httptest.NewServer(h)
	t.Cleanup(l.Close)
	return l.URL
}

// connect opens a session as an agent of that name.
func connect(t testing.TB, to mcp.Transport, agent, era string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: agent, Version: "1"}, nil)
	session, err := c.Connect(t.Context(), to, &mcp.ClientSessionOptions{ProtocolVersion: eras[era]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != eras[era] {
		t.Fatalf("the agent speaks %s, not %s", got, eras[era])
	}
	return session
}

func callTool(t testing.TB, session *mcp.ClientSession, name string, arguments any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	return result
}

// text is the text of one of a result's blocks.
func text(t testing.TB, result *mcp.CallToolResult, block int) string {
	t.Helper()
	if block >= len(result.Content) {
		t.Fatalf("the result has %d blocks, not %d", len(result.Content), block+1)
	}
	content, ok := result.Content[block].(*mcp.TextContent)
	if !ok {
		t.Fatalf("block %d is a %T", block, result.Content[block])
	}
	return content.Text
}
