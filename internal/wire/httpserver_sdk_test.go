package wire

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// small is a server as small as the SDK's client can be shown: three tools and
// a subscription.
type small struct {
	scripted
	changed chan struct{} // a message on it tells subscribers that the tools changed
}

func (h *small) Serve(ctx context.Context, in *Incoming) ([]byte, error) {
	const caps = `"capabilities":{"tools":{"listChanged":true}}`
	switch in.Method {
	case MethodInitialize:
		return []byte(`{"protocolVersion":"` + in.Version + `",` + caps + `,"serverInfo":{"name":"small","version":"1"}}`), nil
	case MethodDiscover:
		return []byte(`{"resultType":"complete","supportedVersions":["2026-07-28"],` + caps + `,"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"small","version":"1"}}}`), nil
	case MethodToolsList:
		return []byte(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`), nil
	case MethodToolsCall:
		return h.tool(ctx, in)
	case MethodListen:
		return h.listen(ctx, in)
	}
	return nil, Errorf(CodeMethodNotFound, "no method %s", in.Method)
}

func (h *small) tool(ctx context.Context, in *Incoming) ([]byte, error) {
	name := in.About()
	text := "hello"
	switch name {
	case "progress":
		for i := 1; i <= 3; i++ {
			in.Back.Notify(MethodProgress, fmt.Appendf(nil, `{"progressToken":%s,"progress":%d}`, in.Meta.ProgressToken, i))
		}
	case "ask":
		answer, err := in.Back.Request(ctx, MethodElicit, []byte(`{"message":"who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`))
		if err != nil {
			return nil, err
		}
		text = string(answer)
	case "none":
		return nil, Errorf(CodeInvalidParams, "no tool %s", name)
	}
	return append(append([]byte(`{"resultType":"complete","content":[{"type":"text","text":`), Quote(text)...), `}]}`...), nil
}

func (h *small) listen(ctx context.Context, in *Incoming) ([]byte, error) {
	meta := `{"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(in.ID) + `},"notifications":{"toolsListChanged":true}}`
	in.Back.Notify(MethodAcknowledged, []byte(meta))
	for {
		select {
		case <-h.changed:
			in.Back.Notify(MethodToolsChanged, []byte(`{"_meta":{"io.modelcontextprotocol/subscriptionId":`+string(in.ID)+`}}`))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (h *small) Notified(_ context.Context, s *Session, method string, _ []byte) {
	if method == MethodInitialized {
		s.Back.Notify(MethodToolsChanged, nil)
	}
}

// TestGoSDKClient lets another implementation of the protocol judge ours.
func TestGoSDKClient(t *testing.T) {
	for _, version := range []string{VersionModern, Version202511, Version202506, Version202503} {
		t.Run(version, func(t *testing.T) {
			h := &small{changed: make(chan struct{}, 1)}
			e := serveHTTP(t, h, HTTPOptions{})
			ctx, cancel := context.WithTimeout(context.Background(), testPatience)
			defer cancel()
			progress, changes := make(chan float64, 10), make(chan struct{}, 10)
			client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "ann"}}, nil
				},
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
					progress <- r.Params.Progress
				},
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- struct{}{} },
			})
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: e.url, HTTPClient: &http.Client{Transport: transport}}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Fatalf("speaks %s", got)
			}
			tools, err := session.ListTools(ctx, nil)
			if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "echo" {
				t.Fatalf("tools = %+v, %v", tools, err)
			}
			callTool := func(name string, meta mcp.Meta) (string, error) {
				result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{}, Meta: meta})
				if err != nil {
					return "", err
				}
				return result.Content[0].(*mcp.TextContent).Text, nil
			}
			if text, err := callTool("echo", nil); err != nil || text != "hello" {
				t.Errorf("echo: %q, %v", text, err)
			}
			if _, err := callTool("progress", mcp.Meta{"progressToken": "p"}); err != nil {
				t.Error(err)
			}
			for want := 1.0; want <= 3; want++ {
				if got := <-progress; got != want {
					t.Errorf("progress %v, want %v", got, want)
				}
			}
			if _, err := callTool("none", nil); err == nil {
				t.Error("a tool that is not there was called")
			}
			text, err := callTool("ask", nil)
			if version == VersionModern {
				if err == nil {
					t.Error("a modern agent was asked")
				}
				h.changed <- struct{}{}
			} else if err != nil || text != `{"action":"accept","content":{"name":"ann"}}` {
				t.Errorf("ask: %q, %v", text, err)
			}
			wantDone(t, "the change notice", changes)
		})
	}
}
