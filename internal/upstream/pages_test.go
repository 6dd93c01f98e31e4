package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
)

// F31: a list of tools comes to an end, whatever its pages say, and each tool of
// it is there once.
func TestF31ListsThatComeInPages(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args     []string
		tools    int
		problems int    // that the catalog reports, no more than 50 and how many besides
		warning  string // in the log
		err      string
	}{
		"in order":             {nil, 250, 0, "", ""},
		"ten thousand":         {[]string{"tools=10000", "size=100"}, 10000, 0, "", ""},
		"ten at a time":        {[]string{"tools=10000", "size=10"}, 10000, 0, "", ""},
		"more pages than read": {[]string{"tools=5000", "size=1"}, 1000, 0, "a list was cut", ""},
		"all in one":           {[]string{"tools=10000", "size=10000"}, 10000, 0, "", ""},
		"an empty cursor":      {[]string{"fault=empty"}, 250, 0, "", ""},
		"in circles":           {[]string{"fault=loop"}, 250, 51, "goes round in circles", ""},
		"for ever":             {[]string{"fault=forever"}, 250, 0, "a list was cut", ""},
		"changed meanwhile":    {[]string{"fault=repeat"}, 250, 2, "", ""},
		"expired meanwhile":    {[]string{"fault=expired"}, 0, 0, "", "has expired"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil, child(t, "a", "pages", test.args...))
			began := time.Now()
			listing, err := r.List(t.Context(), "a", r.Call)
			took := time.Since(began)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			snapshot := catalog.Build([]catalog.Listing{listing}, catalog.Rules{}, time.Now())
			t.Logf("%d entries listed in %s", len(listing.Tools), took.Round(time.Millisecond))
			tools := snapshot.Server("a").Tools()
			if len(tools) != test.tools {
				t.Fatalf("%d tools, want %d", len(tools), test.tools)
			}
			for i, tool := range tools {
				if tool.Name() != mcptest.PageTool(i) {
					t.Fatalf("tool %d is %s", i, tool.Name())
				}
			}
			if n := len(snapshot.Problems()); n != test.problems {
				t.Errorf("%d problems: %v", n, snapshot.Problems())
			}
			if said := r.log.text(); test.warning != "" && !strings.Contains(said, test.warning) || test.warning == "" && strings.Contains(said, "level=WARN") {
				t.Errorf("the log says\n%s", said)
			}
		})
	}
}

// A list that never ends does not fill the memory either.
func TestF31ListWithoutAnEndIsBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "good"))
	tool := `{"name":"a","description":"` + strings.Repeat("x", 1<<20) + `"}`
	pages := 0
	listing, err := r.List(t.Context(), "a", func(_ context.Context, q *call.Request) ([]byte, error) {
		if q.Method != wire.MethodToolsList {
			return nil, errors.New("it has nothing else")
		}
		pages++
		return fmt.Appendf(nil, `{"tools":[%s],"nextCursor":"%d"}`, tool, pages), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(listing.Tools); n < 32 || n > 64 {
		t.Errorf("%d MB are kept", n)
	}
	if !strings.Contains(r.log.text(), "a list was cut") {
		t.Error("nothing is said of it")
	}
}
