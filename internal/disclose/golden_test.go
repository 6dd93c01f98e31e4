package disclose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// Every answer of a fixed catalog, as agents read it.
func TestAnswers(t *testing.T) {
	b := browser(fixed(t), func(o *Options) {
		o.Servers = func() []ServerState {
			return []ServerState{
				{Name: "github", State: Ready},
				{Name: "file store", State: Idle},
				{Name: "weather", State: Failed, Reason: "exit status 1: set WEATHER_API_KEY", Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
				{Name: "guessed", State: Idle},
				{Name: "spare", State: Disabled},
				{Name: "young", State: Starting},
			}
		}
		o.Outline = func(string) (string, bool) { return "{id: int, title: str}", true }
	})
	ask := func(q Search) func() (*Answer, *Problem) {
		return func() (*Answer, *Problem) { return b.Search(t.Context(), q) }
	}
	list := func(f Filter) func() (*Answer, *Problem) { return func() (*Answer, *Problem) { return b.List(f) } }
	details := func(names ...string) func() (*Answer, *Problem) {
		return func() (*Answer, *Problem) { return b.Details(names) }
	}
	for name, answer := range map[string]func() (*Answer, *Problem){
		"servers":               func() (*Answer, *Problem) { return b.Servers(), nil },
		"server-tools":          func() (*Answer, *Problem) { return b.ServerTools("file-store", 0, 0) },
		"server-tools-unknown":  func() (*Answer, *Problem) { return b.ServerTools("guthib", 0, 0) },
		"server-tools-disabled": func() (*Answer, *Problem) { return b.ServerTools("spare", 0, 0) },
		"server-tools-starting": func() (*Answer, *Problem) { return b.ServerTools("young", 0, 0) },
		"list-minimal":          list(Filter{}),
		"list-brief":            list(Filter{Level: Brief}),
		"list-full":             list(Filter{Level: Full, Server: "github"}),
		"list-page":             list(Filter{Level: Minimal, Page: 2, PageSize: 3}),
		"list-no-page":          list(Filter{Page: 9}),
		"list-category":         list(Filter{Level: Brief, Category: "Files"}),
		"list-no-category":      list(Filter{Category: "flies"}),
		"list-tags":             list(Filter{Tags: []string{"read-only"}}),
		"categories":            func() (*Answer, *Problem) { return b.Categories(), nil },
		"tags-any":              func() (*Answer, *Problem) { return b.Tagged([]string{"issue", "file"}, false, Brief, 0, 0) },
		"tags-all":              func() (*Answer, *Problem) { return b.Tagged([]string{"issue", "read-only"}, true, Full, 0, 0) },
		"tags-none":             func() (*Answer, *Problem) { return b.Tagged([]string{"sausage"}, false, Brief, 0, 0) },
		"tags-empty":            func() (*Answer, *Problem) { return b.Tagged(nil, false, Brief, 0, 0) },
		"details":               details("github.create_issue", "github.list_issues"),
		"details-nested":        details("file_store.read_file"),
		"details-inexact":       details("file_store.write_file"),
		"details-renamed":       details("github.close-issue"),
		"details-down":          details("weather.get_forecast"),
		"details-guessed":       details("guessed.send_mail"),
		"details-typo":          details("github.create_isue"),
		"details-no-tool":       details(),
		"details-wrong-server":  func() (*Answer, *Problem) { return b.Detail("github", "read_file") },
		"related":               func() (*Answer, *Problem) { return b.Related("", "github.create_issue", 2) },
		"search-found":          ask(Search{Query: "create an issue"}),
		"search-full":           ask(Search{Query: "read a file", Level: Full, Most: 1}),
		"search-none":           ask(Search{Query: "book a flight to Paris"}),
		"search-unavailable":    ask(Search{Query: "weather forecast"}),
		"search-select":         ask(Search{Query: "select:github.close_issue,file_store.read_file"}),
		"search-filtered":       ask(Search{Query: "create an issue", Server: "file store"}),
		"search-empty":          ask(Search{Query: " "}),
		"search-server-unknown": ask(Search{Query: "read", Server: "gith"}),
	} {
		t.Run(name, func(t *testing.T) {
			a, problem := answer()
			raw := json.RawMessage(nil)
			if problem != nil {
				raw = problem.JSON()
			} else {
				raw = a.JSON()
			}
			golden(t, name, readable(t, raw))
		})
	}
}

// What differs for agents that are shown four of our tools: no answer names another.
func TestAnswersOfFewTools(t *testing.T) {
	s, few := fixed(t), []string{"search_tools", "tool_details", "call_tool", "execute"}
	var states []ServerState
	b := browser(s, func(o *Options) {
		o.Lists = func(tool string) bool { return slices.Contains(few, tool) }
		o.Servers = func() []ServerState { return states }
	})
	search := func(q Search) func() (*Answer, *Problem) {
		return func() (*Answer, *Problem) { return b.Search(t.Context(), q) }
	}
	details := func(name string) func() (*Answer, *Problem) {
		return func() (*Answer, *Problem) { return b.Details([]string{name}) }
	}
	states = []ServerState{
		{Name: "github", State: Ready},
		{Name: "spare", State: Disabled},
		{Name: "young", State: Starting},
		{Name: "wrong", State: Failed, Reason: "exit status 1"},
		{Name: "strange", State: NeedsApproval, Reason: "it waits"},
	}
	var told strings.Builder
	say := func(name string, ask func() (*Answer, *Problem)) {
		a, problem := ask()
		next := ""
		if problem != nil {
			next = problem.Next
		} else {
			next = a.Next
		}
		fmt.Fprintf(&told, "%s: %s\n", name, next)
	}
	say("found", search(Search{Query: "create an issue"}))
	say("none", search(Search{Query: "book a flight to Paris"}))
	say("unavailable", search(Search{Query: "weather forecast"}))
	say("empty", search(Search{Query: " "}))
	say("no category", search(Search{Query: "read", Category: "flies"}))
	for _, server := range []string{"gith", "spare", "young", "wrong", "strange", " "} {
		say("server "+server, search(Search{Query: "read", Server: server}))
	}
	say("details", details("github.create_issue"))
	say("a typo", details("github.create_isue"))
	say("no such tool", details("zzz"))
	say("of a server that waits", details("strange.look"))
	bare := catalog.Build(nil, catalog.Rules{}, time.Unix(2, 0))
	b.o.Snapshot, b.o.Index = func() *catalog.Snapshot { return bare }, sync.OnceValue(func() *index.Index { return index.New(nil, bare, nil) })
	say("nothing is listed", search(Search{Query: "read"}))
	golden(t, "advice-lean", told.String())
}

func readable(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}

func TestTexts(t *testing.T) {
	s := fixed(t)
	golden(t, "summary", Summary(s, DefaultEssential)+"\n")
	golden(t, "behind", Behind(s)+"\n")
	golden(t, "reference-brief", Reference(s, Brief, DefaultEssential)+"\n")
	golden(t, "reference-full", Reference(s, Full, DefaultEssential)+"\n")
	golden(t, "summary-essential", Summary(s, []string{"file_store.*", "close"})+"\n")
}
