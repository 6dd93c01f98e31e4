package wrap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"toolcrib/internal/disclose"
)

// generated are n tools whose names, categories and descriptions are in a
// script.
func generated(n, categories int, word string) []*mcp.Tool {
	tools := make([]*mcp.Tool, n)
	for i := range tools {
		tools[i] = &mcp.Tool{
			Name: fmt.Sprintf("%s_%d", word, i), Description: strings.Repeat(word+" ", 40) + ".",
			Meta: mcp.Meta{"category": fmt.Sprintf("%s %d", word, i%categories)}, InputSchema: json.RawMessage(`{"type":"object"}`),
		}
	}
	return tools
}

var codecs = sync.OnceValue(func() []tokenizer.Codec {
	var out []tokenizer.Codec
	for _, e := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase} {
		c, err := tokenizer.Get(e)
		if err != nil {
			panic(err)
		}
		out = append(out, c)
	}
	return out
})

// tokens is how many tokens a text has under the worse of two tokenizers.
func tokens(t testing.TB, text string) int {
	t.Helper()
	most := 0
	for _, c := range codecs() {
		n, err := c.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, n)
	}
	return most
}

// A reference has a bound, however many tools there are and in whatever script,
// and always says how many there are.
func TestReferenceBounds(t *testing.T) {
	most := 1500
	if testing.Short() {
		most = 300
	}
	for _, word := range []string{"report", "отчёт", "報告書", "รายงาน", "🦆🦆"} {
		for _, n := range []int{1, 60, most} {
			for _, categories := range []int{1, 20, n} {
				v := viewOf(t, generated(n, categories, word))
				for _, discovery := range []bool{false, true} {
					brief := v.reference(disclose.Brief, discovery)
					if got := tokens(t, brief); got > disclose.ReferenceTokens {
						t.Errorf("%d tools %s in %d categories: %d tokens", n, word, categories, got)
					}
					full := v.reference(disclose.Full, discovery)
					if got := len(full); got > maxReference+500 {
						t.Errorf("%d tools %s in %d categories: %d characters in full", n, word, categories, got)
					}
					for _, text := range []string{brief, full} {
						if !strings.Contains(text, count(n, "tool")+" in ") || !strings.HasSuffix(text, "[end of reference]") {
							t.Errorf("%d tools %s in %d categories: %s", n, word, categories, text)
						}
					}
				}
			}
		}
	}
}

// All names are in the brief reference of a server of common size.
func TestSmallServersAreNamedInFull(t *testing.T) {
	tools := generated(40, 6, "report")
	brief := viewOf(t, tools).reference(disclose.Brief, true)
	for _, tool := range tools {
		if !strings.Contains(brief, tool.Name) {
			t.Errorf("%s is not in\n%s", tool.Name, brief)
		}
	}
}

func TestNoToolsNoReference(t *testing.T) {
	v := viewOf(t, nil)
	for _, level := range []disclose.Level{disclose.Brief, disclose.Full} {
		if text := v.reference(level, true); text != "" {
			t.Errorf("%s: %s", level, text)
		}
	}
}

// What many public servers list fits as well. It is not part of the project:
// without it the test is skipped.
func TestReferencesOfRealServers(t *testing.T) {
	f, err := os.Open("../../../shared/data/servers/listings.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no listings of real servers: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	servers, named, tools := 0, 0, 0
	for lines.Scan() {
		var l struct {
			Server string
			Tools  []*mcp.Tool
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || len(l.Tools) == 0 {
			continue // what the SDK does not read, it does not serve
		}
		v := viewOf(t, l.Tools)
		brief := v.reference(disclose.Brief, true)
		if got := tokens(t, brief); got > disclose.ReferenceTokens {
			t.Errorf("%s: %d tokens", l.Server, got)
		}
		servers++
		tools += len(l.Tools)
		if !strings.Contains(brief, ", +") {
			named++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d servers with %d tools; %d of them have all tools named in the brief reference", servers, tools, named)
}

func viewOf(t testing.TB, tools []*mcp.Tool) *view {
	t.Helper()
	v, err := new(views).of(tools)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
