//lint:file-ignore SA1019 deprecated, and still has to pass the gateway.

package sdkclient

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the server asks of its client.

func (s *session) elicitation(ctx context.Context) error {
	got, err := s.do(ctx, "trigger-elicitation-request", nil)
	if err := expect(got, err, elicitedName); err != nil {
		return err
	}
	_, err = wait(ctx, "elicitation", s.elicited, func(p *mcp.ElicitParams) bool { return p.Message != "" && p.RequestedSchema != nil })
	return err
}

func (s *session) sampling(ctx context.Context) error {
	got, err := s.do(ctx, "trigger-sampling-request", map[string]any{"prompt": "say something", "maxTokens": 17})
	if err := expect(got, err, sampledText); err != nil {
		return err
	}
	_, err = wait(ctx, "sampling", s.sampled, func(p *mcp.CreateMessageParams) bool { return p.MaxTokens == 17 })
	return err
}

func (s *session) roots(ctx context.Context) error {
	got, err := s.do(ctx, "get-roots-list", nil)
	if err := expect(got, err, rootName); err != nil {
		return err
	}
	return expect(got, nil, rootURI)
}
