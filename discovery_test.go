package toolcrib_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib"
)

var discoveryTools = []string{"search_tools", "tool_details", "list_tools", "list_categories", "find_by_tags", "get_related_tools"}

// The list of a wrapped server is that of the server, byte for byte and page by
// page; with discovery tools, these are behind it.
func TestListIsUnchanged(t *testing.T) {
	pages := func(o *toolcrib.Options) (pages []string, tools [][]byte) {
		s := newOffice()
		if o != nil {
			s = wrapped(t, o)
		}
		url, cursor := listen(t, s, true, nil), "{}"
		for cursor != "" {
			page := post(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":`+cursor+`}`)
			var list struct {
				Result struct {
					Tools      []json.RawMessage
					NextCursor string
				}
			}
			if err := json.Unmarshal([]byte(page), &list); err != nil {
				t.Fatalf("%v in %s", err, page)
			}
			pages = append(pages, page)
			for _, tool := range list.Result.Tools {
				tools = append(tools, tool)
			}
			if cursor = ""; list.Result.NextCursor != "" {
				cursor = `{"cursor":"` + list.Result.NextCursor + `"}`
			}
		}
		return pages, tools
	}
	plain, own := pages(nil)
	if len(plain) < 2 {
		t.Fatalf("the list has %d pages", len(plain))
	}
	if wrapped, _ := pages(&toolcrib.Options{}); !slices.Equal(plain, wrapped) {
		t.Errorf("(-unwrapped +wrapped):\n%s", cmp.Diff(plain, wrapped))
	}
	with, all := pages(&toolcrib.Options{DiscoveryTools: true})
	if last := len(plain) - 1; len(with) != len(plain) || !slices.Equal(plain[:last], with[:last]) {
		t.Errorf("other pages than the last have changed:\n%s", cmp.Diff(plain, with))
	}
	if !slices.EqualFunc(own, all[:len(own)], bytes.Equal) {
		t.Error("the server's tools have changed")
	}
	golden(t, "discovery-tools", indent(t, slices.Concat([]byte("["), bytes.Join(all[len(own):], []byte(",")), []byte("]"))))
}

// post sends one request of the older protocol and returns what is in the answer.
func post(t *testing.T, url, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, data, ok := strings.Cut(string(said), "data: ")
	if !ok {
		t.Fatalf("%s: %s", answer.Status, said)
	}
	return strings.TrimSpace(data)
}

func indent(t testing.TB, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return b.String() + "\n"
}

// Every answer of the discovery tools, as agents read it. None speaks of what is
// there only in the gateway.
func TestDiscoveryAnswers(t *testing.T) {
	agent := connect(t, inMemory(t, wrapped(t, &toolcrib.Options{Name: "office", DiscoveryTools: true})), "agent", "modern")
	for name, call := range map[string]struct {
		tool, arguments string
		fails           bool
	}{
		"search-empty":      {"search_tools", `{}`, true},
		"search-category":   {"search_tools", `{"query":"mail","category":"emial"}`, true},
		"search-wrong":      {"search_tools", `{"query":["a"]}`, true},
		"search-no-object":  {"search_tools", `["a"]`, true},
		"search-level":      {"search_tools", `{"query":"mail","detail_level":"all"}`, true},
		"details":           {"tool_details", `{"tools":["search_wiki","close-issue"]}`, false},
		"details-one":       {"tool_details", `{"tool":"read_wiki_page","server":"office"}`, false},
		"details-none":      {"tool_details", `{}`, true},
		"details-many":      {"tool_details", `{"tools":["a","b","c","d","e","f","g","h","i","j","k"]}`, true},
		"details-typo":      {"tool_details", `{"tools":"sned_mail"}`, true},
		"list":              {"list_tools", ``, false},
		"list-page":         {"list_tools", `{"page":2,"page_size":3,"detail_level":"brief"}`, false},
		"list-no-page":      {"list_tools", `{"page":9}`, true},
		"list-bad-page":     {"list_tools", `{"page":-1}`, true},
		"list-nothing":      {"list_tools", `{"tags":["nonsense"]}`, false},
		"categories":        {"list_categories", `{}`, false},
		"tags":              {"find_by_tags", `{"tags":"read-only, wiki","match_mode":"all"}`, false},
		"tags-nothing":      {"find_by_tags", `{"tags":["nonsense"]}`, false},
		"tags-none":         {"find_by_tags", `{}`, true},
		"tags-mode":         {"find_by_tags", `{"tags":["a"],"match_mode":"some"}`, true},
		"related":           {"get_related_tools", `{"tool":"read_wiki_page","max_results":2}`, false},
		"related-nothing":   {"get_related_tools", `{"tool":"convert_temperature"}`, false},
		"related-none":      {"get_related_tools", `{}`, true},
		"related-other-one": {"get_related_tools", `{"tool":"office.send_mail"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			var arguments any
			if call.arguments != "" {
				arguments = json.RawMessage(call.arguments)
			}
			result := callTool(t, agent, call.tool, arguments)
			if result.IsError != call.fails {
				t.Errorf("it failed: %v", result.IsError)
			}
			said := text(t, result, 0)
			structured, err := json.Marshal(result.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			var a, b any
			if err := errors.Join(json.Unmarshal([]byte(said), &a), json.Unmarshal(structured, &b)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("text and structured content differ:\n%s", diff)
			}
			for _, word := range []string{"call_tool", "execute", "list_server", "server.", "office.", "lua", "Lua", "inspect_tool_response"} {
				if strings.Contains(said, word) {
					t.Errorf("it speaks of %s", word)
				}
			}
			golden(t, "discovery-"+name, indent(t, []byte(said)))
		})
	}
}

// A search finds tools by their own names.
func TestDiscoverySearch(t *testing.T) {
	agent := connect(t, inMemory(t, wrapped(t, &toolcrib.Options{DiscoveryTools: true})), "agent", "legacy")
	for query, want := range map[string]string{
		"search_wiki":             "search_wiki",
		"close-issue":             "close-issue",
		"send somebody an e-mail": "send_mail",
	} {
		result := callTool(t, agent, "search-tools", map[string]any{"query": query, "max-results": "1"})
		var said struct {
			Tools    []struct{ Name, Signature string }
			Metadata struct{ Verdict string }
			Next     string
		}
		if err := json.Unmarshal([]byte(text(t, result, 0)), &said); err != nil {
			t.Fatal(err)
		}
		if len(said.Tools) != 1 || said.Tools[0].Name != want || !strings.HasPrefix(said.Tools[0].Signature, want+"(") || !strings.Contains(said.Next, `"tools":"`+want+`"`) {
			t.Errorf("%s: %s", query, text(t, result, 0))
		}
	}
}

// Looking for a tool is not calling one: the reference comes with the first call
// of a tool of the server's own.
func TestDiscoveryIsNoFirstCall(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name+" "+way.era, func(t *testing.T) {
			agent := connect(t, way.to(t, wrapped(t, &toolcrib.Options{DiscoveryTools: true})), "agent", way.era)
			if told(t, callTool(t, agent, "search_tools", map[string]any{"query": "mail"})) {
				t.Error("a search has the reference")
			}
			if !told(t, callTool(t, agent, "send_mail", nil)) {
				t.Error("the first call has no reference")
			}
		})
	}
}

// A tool of the server's own is never replaced, also if it comes after Wrap.
func TestOwnNamesWin(t *testing.T) {
	s := wrapped(t, &toolcrib.Options{DiscoveryTools: true})
	s.AddTool(&mcp.Tool{Name: "search_tools", Description: "Search the tool shed.", InputSchema: map[string]any{"type": "object"}}, officeAnswer)
	agent := connect(t, inMemory(t, s), "agent", "modern")
	var names []string
	for tool, err := range agent.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	for _, name := range discoveryTools {
		n := len(slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other != name }))
		if n != 1 {
			t.Errorf("%s is listed %d times", name, n)
		}
	}
	if said := text(t, callTool(t, agent, "search_tools", nil), 1); said != "done" {
		t.Errorf("search_tools says %q", said)
	}
}

// Without the option there are none.
func TestNoDiscoveryTools(t *testing.T) {
	agent := connect(t, inMemory(t, wrapped(t, nil)), "agent", "modern")
	for _, name := range discoveryTools {
		if _, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
