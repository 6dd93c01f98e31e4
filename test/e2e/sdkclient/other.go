//lint:file-ignore SA1019 deprecated, and still has to pass the gateway.

package sdkclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const document = "demo://resource/static/document/startup.md"

func (s *session) prompts(ctx context.Context) error {
	list, err := s.cs.ListPrompts(ctx, nil)
	if err != nil {
		return err
	}
	name := s.t.Prompt("args-prompt")
	if !slices.ContainsFunc(list.Prompts, func(p *mcp.Prompt) bool { return p.Name == name }) {
		return fmt.Errorf("no %s in the list", name)
	}
	r, err := s.cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: map[string]string{"city": "Paris"}})
	if err != nil {
		return err
	}
	if len(r.Messages) != 1 {
		return fmt.Errorf("%d messages", len(r.Messages))
	}
	text, ok := r.Messages[0].Content.(*mcp.TextContent)
	if !ok {
		return errors.New("the message is no text")
	}
	return expect(text.Text, nil, "Paris")
}

func (s *session) resources(ctx context.Context) error {
	uri := s.t.URI(document)
	listed := false
	for r, err := range s.cs.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		listed = listed || r.URI == uri
	}
	if !listed {
		return fmt.Errorf("no %s in the list", uri)
	}
	r, err := s.cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return err
	}
	if len(r.Contents) != 1 || r.Contents[0].URI != uri || !strings.Contains(r.Contents[0].Text, "Startup Process") {
		return fmt.Errorf("read %+v", r.Contents)
	}
	// A resource that only a template tells of.
	dynamic := s.t.URI("demo://resource/dynamic/text/7")
	if r, err = s.cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: dynamic}); err != nil {
		return err
	}
	return expect(r.Contents[0].Text, nil, "Resource 7")
}

func (s *session) completion(ctx context.Context) error {
	r, err := s.cs.Complete(ctx, &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: s.t.Prompt("completable-prompt")},
		Argument: mcp.CompleteParamsArgument{Name: "department", Value: "E"},
	})
	if err != nil {
		return err
	}
	return expect(strings.Join(r.Completion.Values, " "), nil, "Engineering")
}

// logging: the tool makes the server write at once, and every few seconds
// until it is called again.
func (s *session) logging(ctx context.Context) error {
	if err := s.cs.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		return err
	}
	if _, err := s.do(ctx, "toggle-simulated-logging", nil); err != nil {
		return err
	}
	_, err := wait(ctx, "log message", s.logs, func(p *mcp.LoggingMessageParams) bool { return strings.Contains(fmt.Sprint(p.Data), "message") })
	_, off := s.do(ctx, "toggle-simulated-logging", nil)
	return errors.Join(err, off)
}

// listChanged: the tool adds a resource.
func (s *session) listChanged(ctx context.Context) error {
	for len(s.changed) > 0 {
		<-s.changed
	}
	// The name is new in every run, because the server keeps the old ones.
	s.added++
	name := fmt.Sprintf("added-%s-%d.txt.gz", s.t.Version, s.added)
	if _, err := s.do(ctx, "gzip-file-as-resource", map[string]any{"name": name, "data": "data:text/plain,hello", "outputType": "resourceLink"}); err != nil {
		return err
	}
	if _, err := wait(ctx, "notice of a changed list", s.changed, func(struct{}) bool { return true }); err != nil {
		return err
	}
	uri := s.t.URI("demo://resource/session/" + name)
	for r, err := range s.cs.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		if r.URI == uri {
			return nil
		}
	}
	return fmt.Errorf("%s is not in the new list", uri)
}

// subscription: the tool makes the server report updates at once, and every few
// seconds until it is called again.
func (s *session) subscription(ctx context.Context) error {
	uri := s.t.URI(document)
	if err := s.cs.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}); err != nil {
		return err
	}
	if _, err := s.do(ctx, "toggle-subscriber-updates", nil); err != nil {
		return err
	}
	_, err := wait(ctx, "update of "+uri, s.updated, func(got string) bool { return got == uri })
	_, off := s.do(ctx, "toggle-subscriber-updates", nil)
	return errors.Join(err, off, s.cs.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: uri}))
}
