package gateway

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer"

	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sets are our tools as the surfaces show them.
func sets(t *testing.T) (standard, lean *toolSet) {
	t.Helper()
	engine := script.New(nil)
	t.Cleanup(func() { engine.Close() })
	g, err := New(Options{Surface: Standard, Browser: disclose.New(&disclose.Options{}), Scripts: engine})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g.standard, g.lean
}

// behind is a line on what is behind a gateway that is as long as they come.
var behind = strings.Join([]string{
	"projects, cloud, messaging, development, source-control, crm, email, content, databases, browser",
	"of alibabacloud_devops_mc…, cloudflare_mcp_server_c…, digitalocean_mcp, go_github_mcp_server, hostinger_api_mcp, mcp_mailtrap, softeria_ms_365_mcp_ser… and 192 more",
}, "; ")

func TestDefinitions(t *testing.T) {
	standard, lean := sets(t)
	for _, tool := range standard.tools {
		t.Run(tool.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := json.Indent(&got, tool.definition("files; of a, b"), "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			file := filepath.Join("testdata", tool.name+".json")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v: write it with go test -update, and read it", err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
	if got := strings.Join(lean.names(), " "); got != "search_tools tool_details call_tool execute" {
		t.Errorf("the lean surface has %s", got)
	}
	if len(standard.tools) != 11 {
		t.Errorf("the standard surface has %d tools", len(standard.tools))
	}
	for _, tool := range standard.tools {
		if other := strings.ReplaceAll(tool.name, "_", "-"); standard.find(other) != tool {
			t.Errorf("%s does not find %s", other, tool.name)
		}
	}
}

func TestSurfacesFitTheirBudgets(t *testing.T) {
	standard, lean := sets(t)
	for _, surface := range []struct {
		name string
		set  *toolSet
		most int
	}{{"standard", standard, 1500}, {"lean", lean, 600}} {
		list := `{"tools":` + string(surface.set.list(behind)) + `}`
		for _, encoding := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase} {
			codec, err := tokenizer.Get(encoding)
			if err != nil {
				t.Fatal(err)
			}
			n, err := codec.Count(list)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d tokens of %s, at most %d", surface.name, n, encoding, surface.most)
			if n > surface.most {
				t.Errorf("%s has %d tokens of %s, more than %d", surface.name, n, encoding, surface.most)
			}
		}
	}
}
