package wrap

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/disclose"
)

// A view is made once for the same tools, also where several callers see
// different ones, and the oldest goes when there are too many.
func TestViewsAreKept(t *testing.T) {
	var all views
	get := func(tools []*mcp.Tool) *view {
		v, err := all.of(tools)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	tools := generated(maxViews+1, 1, "report")
	first := get(tools[:1])
	for n := 2; n <= maxViews; n++ {
		get(tools[:n])
		if get(tools[:1]) != first {
			t.Fatalf("the view was made anew with %d others", n-1)
		}
	}
	second := all.last[maxViews-1]
	get(tools)
	if len(all.last) != maxViews || get(tools[:1]) != first || get(second.tools) == second {
		t.Errorf("%d views are kept, or the wrong ones", len(all.last))
	}
}

// A definition that cannot be read is an error that says which.
func TestUnreadableDefinition(t *testing.T) {
	_, err := new(views).of([]*mcp.Tool{{Name: "odd", InputSchema: func() {}}})
	if err == nil || !strings.Contains(err.Error(), "definition of tool odd") {
		t.Errorf("the error is %v", err)
	}
}

// Lists that fail, are no lists or never end are errors.
func TestListsThatCannotBeRead(t *testing.T) {
	for want, answer := range map[string]mcp.MethodHandler{
		"out of order": func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, errors.New("out of order") },
		"answered with *mcp.CallToolResult": func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return &mcp.CallToolResult{}, nil
		},
		"more than 1000 pages": func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return &mcp.ListToolsResult{NextCursor: "again"}, nil
		},
	} {
		if _, err := listAll(t.Context(), answer, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, and should say %s", err, want)
		}
	}
}

// What is kept of connections goes with them.
func TestConnectionsAreForgotten(t *testing.T) {
	var c Callers
	first := &mcp.ServerSession{}
	name := c.connection(first)
	if again := c.connection(first); again != name {
		t.Errorf("one connection is %q and %q", name, again)
	}
	for range 100 {
		if other := c.connection(&mcp.ServerSession{}); other == name {
			t.Fatal("two connections have one name")
		}
	}
	kept := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.connections)
	}
	for range 1000 {
		runtime.GC()
		runtime.Gosched() // to what forgets them
		if kept() == 1 {
			break
		}
	}
	if n := kept(); n != 1 {
		t.Errorf("%d connections are kept, and one is open", n)
	}
	runtime.KeepAlive(first)
}

func TestInputs(t *testing.T) {
	takes := []string{"query", "tags", "page", "match_mode"}
	for raw, want := range map[string]string{
		``:                            "",
		`null`:                        "",
		`{"query":null}`:              "",
		`"{\"query\":\"a\"}"`:         "",
		`{"page":"2"}`:                "",
		`{"page":2.0}`:                "",
		`{"page":2.5}`:                `argument "page" must be a whole number from 1, not 2.5`,
		`{"page":0}`:                  `argument "page" must be a whole number from 1, not 0`,
		`{"page":1e300}`:              `argument "page" must be a whole number from 1, not 1e300`,
		`{"query":{}}`:                `argument "query" must be a string, not {}`,
		`{"tags":[1]}`:                `argument "tags" must be a list of strings, not [1]`,
		`{"tags":"a, b"}`:             "",
		`{"match-mode":"none"}`:       `argument "match_mode" must be any or all, not "none"`,
		`{"query":"a","x":1,"y":"b"}`: "",
		`{"query":"a","query":"b"}`:   "arguments must be an object: ",
		`[]`:                          "arguments must be an object: ",
		`{`:                           "arguments must be an object: ",
	} {
		in, problem := readInputs([]byte(raw), takes)
		switch {
		case want == "" && (problem != nil || in == nil):
			t.Errorf("%s: %v", raw, problem)
		case want != "" && (problem == nil || !strings.HasPrefix(problem.Message, want)):
			t.Errorf("%s: %v, and should be %s", raw, problem, want)
		}
	}
}

func FuzzInputs(f *testing.F) {
	for _, raw := range []string{``, `{"query":"a"}`, `{"page":"9e9"}`, `{"tags":["a",null]}`, `{"detail-level":"full"}`, `"{}"`} {
		f.Add([]byte(raw))
	}
	var takes []string
	for name := range parameters {
		takes = append(takes, name)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, problem := readInputs(raw, takes)
		if (in == nil) == (problem == nil) {
			t.Fatalf("inputs %v and problem %v", in, problem)
		}
		if in != nil && (in.page < 0 || in.size < 0 || in.maxResults < 0 || len(in.ignored) > 5) {
			t.Fatalf("%+v", in)
		}
		if problem != nil && disclose.Line(problem.Message) != problem.Message {
			t.Fatalf("a problem with unreadable characters: %q", problem.Message)
		}
	})
}
