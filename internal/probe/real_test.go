package probe

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What real servers print when they fail names tools in one case of a hundred;
// there it names all of them, and nothing else.
func TestRealFailuresNameOnlyRealTools(t *testing.T) {
	for _, f := range failures(t) {
		for stream, text := range map[string]string{"stdout": f.Stdout, "stderr": f.Stderr} {
			tools, p := parse([]byte(text))
			switch {
			case len(tools) == 0:
			case f.Name == "replicate-mcp" && stream == "stderr" && len(tools) == 35 && p == identifierPattern:
				if got := names(t, tools); got[0] != "list_collections" || got[34] != "get_files" {
					t.Errorf("%s: %q", f.Name, got)
				}
			default:
				t.Errorf("%s: %s on %s yields %q", f.Name, p, stream, names(t, tools))
			}
		}
	}
}

// Answers of real servers to the bare request, with all that they print around it.
func TestRealAnswers(t *testing.T) {
	for name, want := range map[string]string{
		"benborla29-mcp-server-mysql": "mysql_query", // which exits in the middle of a handshake
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "answers", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		tools, p := parse(text)
		if got := joined(t, tools); got != want || p != resultPattern {
			t.Errorf("%s: %q by %s, want %q", name, got, p, want)
		}
	}
}

// recorded opens a file of recorded servers that is kept beside the project.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "servers", name))
	if err != nil {
		t.Skipf("the recorded servers are not here: %v", err)
	}
	return b
}

// Servers that fail although they have credentials.
func TestRecordedFailures(t *testing.T) {
	var bad []struct {
		Name  string
		Exit  struct{ Exited bool }
		Error json.RawMessage
		Noise struct{ Sample []string } `json:"stdout_noise"`

		Stderr string
	}
	if err := json.Unmarshal(recorded(t, "bad.json"), &bad); err != nil {
		t.Fatal(err)
	}
	if len(bad) == 0 {
		t.Fatal("no failures are recorded")
	}
	yields, unknown := 0, 0
	for _, b := range bad {
		stdout := strings.Join(b.Noise.Sample, "\n")
		if len(b.Error) > 0 && string(b.Error) != "null" {
			stdout += `{"jsonrpc":"2.0","id":1,"error":` + string(b.Error) + "}\n"
		}
		for _, text := range []string{stdout, b.Stderr} {
			if tools, p := parse([]byte(text)); len(tools) > 0 {
				yields++
				t.Errorf("%s yields %q by %s", b.Name, names(t, tools), p)
			}
		}
		d := Diagnose([]byte(b.Stderr), []byte(stdout), Exit{Exited: b.Exit.Exited, Code: 1})
		t.Logf("%-36s %s: %s", b.Name, d.Kind, d)
		if d.Kind == Unknown {
			unknown++
		}
	}
	t.Logf("%d of %d outputs yield a tool; %d failures of no known kind", yields, len(bad), unknown)
	if unknown > len(bad)/5 {
		t.Errorf("%d of %d failures are of no known kind", unknown, len(bad))
	}
}

// What good servers print beside their messages names no tool, and their real
// listings are found whole wherever they stand.
func TestRecordedListings(t *testing.T) {
	lines := bufio.NewScanner(strings.NewReader(string(recorded(t, "listings.jsonl"))))
	lines.Buffer(nil, 16<<20)
	servers, whole, cut := 0, 0, 0
	for lines.Scan() {
		var server struct {
			Name        string
			Tools       []json.RawMessage
			StdoutNoise struct{ Sample []string }
		}
		if err := json.Unmarshal(lines.Bytes(), &server); err != nil {
			t.Fatal(err)
		}
		noise := strings.Join(server.StdoutNoise.Sample, "\n")
		if tools, p := parse([]byte(noise)); len(tools) > 0 {
			t.Errorf("%s: its noise yields %q by %s", server.Name, names(t, tools), p)
		}
		var want []string
		for _, raw := range server.Tools {
			var d struct{ Name string }
			if err := json.Unmarshal(raw, &d); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(want, d.Name) {
				want = append(want, d.Name)
			}
		}
		servers++
		all, err := json.Marshal(server.Tools)
		if err != nil {
			t.Fatal(err)
		}
		answer := `{"jsonrpc":"2.0","id":1,"result":{"tools":` + string(all) + "}}\n"
		tools, p := parse([]byte(noise + "\n" + answer + noise))
		if slices.Equal(names(t, tools), want[:min(len(want), maxTools)]) && (p == resultPattern || len(want) == 0) {
			whole++
		} else {
			t.Errorf("%s: %d of %d tools by %s", server.Name, len(tools), len(want), p)
		}
		// Cut off in the middle, the complete half is still there, and nothing
		// that is no tool.
		for _, name := range names(t, first(parse([]byte(answer[:len(answer)/2])))) {
			if slices.Contains(want, name) {
				cut++
			} else {
				t.Errorf("%s, cut in half, yields %q", server.Name, name)
			}
		}
	}
	t.Logf("%d of %d listings whole; %d tools of halves", whole, servers, cut)
}

func first[A, B any](a A, _ B) A { return a }
