package toolcrib_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib"
)

// told tells whether a result has the reference, and only once.
func told(t testing.TB, result *mcp.CallToolResult) bool {
	t.Helper()
	n := 0
	for i := range result.Content {
		if strings.HasPrefix(text(t, result, i), mark) {
			n++
		}
	}
	if n > 1 || n == 1 && !strings.HasPrefix(text(t, result, 0), mark) {
		t.Errorf("the reference is there %d times: %s", n, marshal(t, result))
	}
	return n > 0
}

// Fifty agents at the same time, each with several first calls at the same
// time: each gets the reference exactly once.
func TestManyAgentsAtOnce(t *testing.T) {
	const agents, calls = 50, 8
	for _, way := range ways {
		if way.name == "stateless" && way.era == "legacy" {
			continue // there nothing tells them apart
		}
		t.Run(way.name+" "+way.era, func(t *testing.T) {
			s := wrapped(t, nil)
			to := func() mcp.Transport { return way.to(t, s) }
			if strings.HasPrefix(way.name, "state") { // one listener for all
				url := listen(t, s, way.name == "stateless", nil)
				to = func() mcp.Transport {
					return &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}
				}
			}
			var all sync.WaitGroup
			var told [agents]atomic.Int32
			begin := make(chan struct{})
			for i := range agents {
				session := connect(t, to(), fmt.Sprintf("agent %d", i), way.era)
				for range calls {
					all.Go(func() {
						<-begin
						result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "send_mail"})
						switch {
						case err != nil:
							t.Error(err)
						case len(result.Content) == 2:
							told[i].Add(1)
						case len(result.Content) != 1:
							t.Errorf("a result has %d blocks", len(result.Content))
						}
					})
				}
			}
			close(begin)
			all.Wait()
			for i := range told {
				if n := told[i].Load(); n != 1 {
					t.Errorf("agent %d was told %d times", i, n)
				}
			}
		})
	}
}

// A conversation that an agent names is a caller of its own, within a session
// and across sessions.
func TestConversations(t *testing.T) {
	s := wrapped(t, nil)
	sessions := []*mcp.ClientSession{connect(t, inMemory(t, s), "agent", "legacy"), connect(t, inMemory(t, s), "agent", "legacy")}
	for i, step := range []struct {
		session int
		meta    mcp.Meta
		want    bool
	}{
		{0, nil, true},
		{0, mcp.Meta{"threadId": "a"}, true},
		{0, mcp.Meta{"threadId": "b"}, true},
		{0, mcp.Meta{"threadId": "a"}, false},
		{1, mcp.Meta{"threadId": "a"}, false},
		{1, mcp.Meta{"vscode.conversationId": "a"}, true},
		{1, mcp.Meta{"progressToken": "a"}, true},
		{0, nil, false},
	} {
		result, err := sessions[step.session].CallTool(t.Context(), &mcp.CallToolParams{Name: "send_mail", Meta: step.meta})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(t, result); got != step.want {
			t.Errorf("step %d: told %v", i, got)
		}
	}
}

// Without sessions, a header that is named in the options tells conversations
// apart, and whoever is authenticated is told for himself.
func TestHeaderAndSubject(t *testing.T) {
	s := wrapped(t, &toolcrib.Options{CallerHeader: "X-Conversation"})
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		if token == "" {
			return nil, errors.New("no token")
		}
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	url := listen(t, s, true, auth.RequireBearerToken(verify, nil))
	for i, step := range []struct {
		user, conversation string
		want               bool
	}{
		{"alice", "", true},
		{"alice", "", false},
		{"bob", "", true},
		{"alice", "one", true},
		{"alice", "two", true},
		{"alice", "one", false},
		{"bob", "one", true},
	} {
		header := http.Header{"Authorization": {"Bearer " + step.user}}
		if step.conversation != "" {
			header.Set("X-Conversation", step.conversation)
		}
		agent := connect(t, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: sending(header)}}, "agent", "modern")
		if got := told(t, callTool(t, agent, "send_mail", nil)); got != step.want {
			t.Errorf("step %d: told %v", i, got)
		}
	}
}

// Servers that are made for each request share what they remember of callers.
func TestSharedCallers(t *testing.T) {
	var callers toolcrib.Callers
	for i, want := range []bool{true, false, false} {
		s := wrapped(t, &toolcrib.Options{Callers: &callers})
		agent := connect(t, overHTTP(true, nil)(t, s), "agent", "modern")
		if got := told(t, callTool(t, agent, "send_mail", nil)); got != want {
			t.Errorf("server %d: told %v", i, got)
		}
	}
}

// A question to the user is no result: the reference comes with the answer that
// the tool gives in the end.
func TestQuestionsBeforeTheResult(t *testing.T) {
	for era := range eras {
		t.Run(era, func(t *testing.T) {
			s := newOffice()
			s.AddTool(&mcp.Tool{Name: "book_room", InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if r.Params.InputResponses == nil {
					return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"which": &mcp.ElicitParams{Message: "Which room?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}}}, nil
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "booked"}}}, nil
			})
			if err := toolcrib.Wrap(s, nil); err != nil {
				t.Fatal(err)
			}
			asked := 0
			c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked++
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
				},
			})
			agent, err := c.Connect(t.Context(), inMemory(t, s), &mcp.ClientSessionOptions{ProtocolVersion: eras[era]})
			if err != nil {
				t.Fatal(err)
			}
			defer agent.Close()
			result := callTool(t, agent, "book_room", nil)
			if asked != 1 || !told(t, result) || text(t, result, 1) != "booked" {
				t.Errorf("asked %d times, then %s", asked, marshal(t, result))
			}
		})
	}
}

// A caller is told of the tools that a middleware lets it see, and no others.
func TestHiddenToolsStayHidden(t *testing.T) {
	s := newOffice()
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, r)
			list, ok := result.(*mcp.ListToolsResult)
			if ok && r.(*mcp.ListToolsRequest).ClientInfo().Name != "chief" {
				seen := []*mcp.Tool{}
				for _, tool := range list.Tools {
					if !strings.Contains(tool.Name, "mail") {
						seen = append(seen, tool)
					}
				}
				list.Tools = seen
			}
			return result, err
		}
	})
	if err := toolcrib.Wrap(s, &toolcrib.Options{DiscoveryTools: true}); err != nil {
		t.Fatal(err)
	}
	for name, sees := range map[string]bool{"clerk": false, "chief": true} {
		agent := connect(t, inMemory(t, s), name, "modern")
		for what, said := range map[string]string{
			"reference": text(t, callTool(t, agent, "list_issues", nil), 0),
			"search":    text(t, callTool(t, agent, "search_tools", map[string]any{"query": "send an email"}), 0),
			"list":      text(t, callTool(t, agent, "list_tools", nil), 0),
		} {
			if got := strings.Contains(said, "send_mail"); got != sees {
				t.Errorf("%s of the %s: %s", what, name, said)
			}
		}
	}
}

// sending adds headers to every request.
type sending http.Header

func (header sending) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range header {
		r.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(r)
}
