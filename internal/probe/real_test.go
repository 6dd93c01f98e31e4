package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ended is how a launch tells that a server ended by itself.
type ended int

func (e ended) Error() string { return fmt.Sprintf("exit status %d", int(e)) }
func (e ended) ExitCode() int { return int(e) }

// launch is one of the server that failed.
func (f failure) launch() Launch {
	if f.Exited {
		return printing(f.Stdout, f.Stderr, ended(f.Code))
	}
	return printing(f.Stdout, f.Stderr, context.DeadlineExceeded)
}

// What real servers print when they fail names tools in one case of a hundred;
// there it names all of them, and nothing else. Of every other the ladder says
// why it failed, and the names that a client's file approves are not lost.
func TestRealFailuresOnTheLadder(t *testing.T) {
	for _, f := range failures(t) {
		t.Run(f.Name, func(t *testing.T) {
			r, err := Run(t.Context(), Options{Server: Identity{Name: f.Name}, Launch: f.launch()})
			if err != nil {
				t.Fatal(err)
			}
			if f.Name == "replicate-mcp" {
				if got := names(t, r.Tools); r.Rung != OnStderr || len(got) != 35 || got[0] != "list_collections" || got[34] != "get_files" {
					t.Errorf("rung %s found %q", r.Rung, got)
				}
				return
			}
			if r.Rung != NoRung || len(r.Tools) > 0 {
				t.Fatalf("rung %s invents %q", r.Rung, names(t, r.Tools))
			}
			if want := f.diagnose(); r.Diagnosis == nil || r.Diagnosis.String() != want.String() {
				t.Errorf("the ladder's diagnosis is %v, that of the output %s", r.Diagnosis, want)
			}
			r, err = Run(t.Context(), Options{Server: Identity{Name: f.Name}, Launch: f.launch(), Approved: []string{"get_it"}})
			if err != nil || r.Rung != Approved || joined(t, r.Tools) != "get_it" || r.Diagnosis == nil {
				t.Errorf("with an approved name rung %s found %q (%v)", r.Rung, joined(t, r.Tools), err)
			}
		})
	}
}

// What real servers that work print on stdout beside their answers names nothing.
func TestRealNoise(t *testing.T) {
	for _, f := range recordsIn(t, "noise.jsonl") {
		if tools, p := parse([]byte(f.Stdout)); len(tools) > 0 {
			t.Errorf("%s: %s yields %q", f.Name, p, names(t, tools))
		}
	}
}

// Answers of real servers to the bare request, with all that they print around it.
func TestRealAnswers(t *testing.T) {
	for name, want := range map[string]string{
		"benborla29-mcp-server-mysql":      "mysql_query", // which exits in the middle of a handshake
		"elastic-mcp-server-elasticsearch": "list_indices get_mappings search get_shards",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "answers", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), Options{Launch: printing(string(text), "", nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got := joined(t, r.Tools); got != want || r.Rung != OnStdout || r.Tools[0].Confidence != resultPattern.confidence() {
			t.Errorf("%s: rung %s found %q, want %q", name, r.Rung, got, want)
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
	t.Parallel()
	lines := bufio.NewScanner(strings.NewReader(string(recorded(t, "listings.jsonl"))))
	lines.Buffer(nil, 16<<20)
	servers, whole, cut := 0, 0, 0
	listed, sounding := 0, 0 // of those that have three names of the form word_word
	for lines.Scan() {
		if servers++; testing.Short() && servers%8 != 0 {
			continue
		}
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
		if words := slices.DeleteFunc(slices.Clone(want), func(n string) bool { return !wholeID.MatchString(n) }); len(words) >= bareListLeast {
			listed++
			if soundLikeTools(words) {
				sounding++
			}
		}
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
	t.Logf("%d of %d listings whole; %d tools of halves; the names of %d of %d sound like tools", whole, servers, cut, sounding, listed)
	if 5*sounding < 4*listed {
		t.Errorf("the names of %d of %d servers sound like tools", sounding, listed)
	}
}

func first[A, B any](a A, _ B) A { return a }
