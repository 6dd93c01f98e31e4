package demo

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eras are the protocol versions that the servers are tried in: "" is the newest.
func eras() map[string]string { return map[string]string{"modern": "", "legacy": "2025-11-25"} }

// connect runs a server and connects the SDK's client to it.
func connect(t *testing.T, version string, o *mcp.ClientOptions, name string, args ...string) *mcp.ClientSession {
	t.Helper()
	serverIn, toServer := io.Pipe()
	fromServer, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, name, args, serverIn, serverOut) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	s, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		cancel()
		t.Fatalf("connect to %s: %v, %v", name, err, <-ended)
	}
	t.Cleanup(func() {
		s.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("server %s: %v", name, err)
		}
	})
	return s
}

func call(t *testing.T, s *mcp.ClientSession, tool string, arguments any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("call %s: %v", tool, err)
	}
	return res
}

func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) == 0 {
		t.Fatal("no content")
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content is %T", res.Content[0])
	}
	return text.Text
}

// structured is the structured content of a result that is no error.
func structured[T any](t *testing.T, res *mcp.CallToolResult) T {
	t.Helper()
	if res.IsError {
		t.Fatalf("failed: %s", textOf(t, res))
	}
	b, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// refused checks that a call fails as a tool, with a text that helps.
func refused(t *testing.T, s *mcp.ClientSession, tool string, arguments any, want string) {
	t.Helper()
	res := call(t, s, tool, arguments)
	if got := textOf(t, res); !res.IsError || !strings.Contains(got, want) {
		t.Errorf("%s %v: %q, want an error with %q", tool, arguments, got, want)
	}
}

func argsFor(t *testing.T, name string) []string {
	if name == "notes" {
		return []string{t.TempDir()}
	}
	return nil
}

func TestEveryServerIsWellDescribed(t *testing.T) {
	for _, name := range Names() {
		for era, version := range eras() {
			t.Run(name+"/"+era, func(t *testing.T) {
				if line := Describe(name); line == "" || strings.Contains(line, "\n") {
					t.Errorf("described as %q", line)
				}
				s := connect(t, version, nil, name, argsFor(t, name)...)
				if info := s.InitializeResult(); info.Instructions == "" {
					t.Error("no instructions")
				}
				tools, err := s.ListTools(t.Context(), nil)
				if err != nil || len(tools.Tools) == 0 {
					t.Fatalf("tools: %v, %v", tools, err)
				}
				for _, tool := range tools.Tools {
					if tool.Title == "" || len(tool.Description) < 20 || tool.Annotations == nil || tool.OutputSchema == nil {
						t.Errorf("%s lacks a title, a description, annotations or an output schema", tool.Name)
					}
					schema, _ := tool.InputSchema.(map[string]any)
					properties, _ := schema["properties"].(map[string]any)
					for param, v := range properties {
						if p, _ := v.(map[string]any); p["description"] == nil {
							t.Errorf("%s: parameter %s has no description", tool.Name, param)
						}
					}
				}
			})
		}
	}
}

func TestRunRefusesWhatItCannotDo(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no-such", nil, "use one of calculator, notes"},
		{"calculator", []string{"x"}, "takes no arguments"},
		{"notes", nil, "the directory"},
		{"notes", []string{"/dev/null/x"}, "notes directory"},
	} {
		in, out := io.Pipe()
		err := Run(t.Context(), c.name, c.args, in, out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %q", c.name, c.args, err, c.want)
		}
	}
	if Describe("no-such") != "" {
		t.Error("a server that is not there has a description")
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	serverIn, toServer := io.Pipe()
	fromServer, serverOut := io.Pipe()
	defer toServer.Close()
	defer fromServer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, "slow", nil, serverIn, serverOut) }()
	cancel()
	if err := within(t, ended); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestSlowReportsProgressAndStops(t *testing.T) {
	for era, version := range eras() {
		t.Run(era, func(t *testing.T) {
			steps := make(chan float64, 100)
			s := connect(t, version, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { steps <- r.Params.Progress },
			}, "slow")
			p := &mcp.CallToolParams{Name: "countdown", Arguments: map[string]any{"from": 3, "interval_ms": 1}}
			p.SetProgressToken("token")
			res, err := s.CallTool(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got := structured[counted](t, res); got.Steps != 3 {
				t.Errorf("counted %+v", got)
			}
			for want := 1.0; want <= 3; want++ {
				if got := within(t, steps); got != want {
					t.Errorf("progress %v, want %v", got, want)
				}
			}
			if got := structured[slept](t, call(t, s, "sleep", map[string]any{"seconds": 0.001})); got.Milliseconds < 1 {
				t.Errorf("slept %+v", got)
			}
			refused(t, s, "sleep", map[string]any{"seconds": -1}, "minimum")
			refused(t, s, "countdown", map[string]any{"from": 0}, "minimum")
			refused(t, s, "sleep", map[string]any{}, "seconds")

			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			long := &mcp.CallToolParams{Name: "countdown", Arguments: map[string]any{"from": 3600, "interval_ms": 10}}
			long.SetProgressToken("long")
			stopped := make(chan error, 1)
			go func() {
				_, err := s.CallTool(ctx, long)
				stopped <- err
			}()
			within(t, steps)
			cancel()
			if err := within(t, stopped); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled call: %v", err)
			}
		})
	}
}

// answering is a client whose user replies to every question.
func answering(asked chan<- *mcp.ElicitParams, reply *mcp.ElicitResult) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked <- r.Params
		return reply, nil
	}}
}

func TestAskBooksTable(t *testing.T) {
	for era, version := range eras() {
		t.Run(era, func(t *testing.T) {
			asked := make(chan *mcp.ElicitParams, 10)
			s := connect(t, version, answering(asked, &mcp.ElicitResult{Action: "accept", Content: map[string]any{"date": "2026-12-24", "party_size": 4}}), "ask")
			got := structured[booking](t, call(t, s, "book_table", map[string]any{"restaurant": "Chez Ada"}))
			if q := within(t, asked); !strings.Contains(q.Message, "Chez Ada") {
				t.Errorf("asked %q", q.Message)
			}
			if !got.Booked || got.Date != "2026-12-24" || got.PartySize != 4 || got.Reference == "" {
				t.Errorf("booked %+v", got)
			}
			again := structured[booking](t, call(t, s, "book_table", map[string]any{"restaurant": "Chez Ada", "date": "2026-12-24", "party_size": 4}))
			if again != got || len(asked) > 0 {
				t.Errorf("with all arguments: %+v, asked %d times", again, len(asked))
			}
			refused(t, s, "book_table", map[string]any{"restaurant": "Chez Ada", "date": "tomorrow", "party_size": 4}, "YYYY-MM-DD")
			refused(t, s, "book_table", map[string]any{"restaurant": "Chez Ada", "date": "2026-12-24", "party_size": 21}, "1 to 20")
			refused(t, s, "book_table", map[string]any{}, "restaurant")
		})
		t.Run(era+"/declined", func(t *testing.T) {
			asked := make(chan *mcp.ElicitParams, 10)
			s := connect(t, version, answering(asked, &mcp.ElicitResult{Action: "decline"}), "ask")
			if got := structured[booking](t, call(t, s, "book_table", map[string]any{"restaurant": "R"})); got.Booked {
				t.Errorf("booked %+v", got)
			}
			if got := structured[confirmation](t, call(t, s, "confirm", map[string]any{"question": "Sure?"})); got.Answer != "none" {
				t.Errorf("answer %+v", got)
			}
		})
		t.Run(era+"/confirm", func(t *testing.T) {
			asked := make(chan *mcp.ElicitParams, 10)
			s := connect(t, version, answering(asked, &mcp.ElicitResult{Action: "accept", Content: map[string]any{"yes": false}}), "ask")
			if got := structured[confirmation](t, call(t, s, "confirm", map[string]any{"question": "Sure?"})); got.Answer != "no" {
				t.Errorf("answer %+v", got)
			}
		})
		t.Run(era+"/cannot ask", func(t *testing.T) {
			s := connect(t, version, nil, "ask")
			refused(t, s, "book_table", map[string]any{"restaurant": "R"}, "as arguments instead")
		})
	}
}

func TestNamesAreDescribedInOrder(t *testing.T) {
	if want := []string{"calculator", "notes", "text", "slow", "ask"}; !slices.Equal(Names(), want) {
		t.Errorf("names %q", Names())
	}
}

// within takes from a channel within a generous time.
func within[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}
