package trial

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const someTools = `{"id":"a","server":"one","name":"create_issue","description":"Create an issue"}
{"id":"b","server":"one","name":"list_issues","description":"List issues"}
{"id":"x::c","server":"two","name":"read_file","description":"Read a file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}
{"id":"y::c","server":"two","name":"read_file","description":"Read another file"}
{"id":"d","server":"one","name":"create_issue","description":"The same name again"}
`

func write(t *testing.T, tools, queries string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"tools.jsonl": tools, "queries.jsonl": queries} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoad(t *testing.T) {
	set, err := Load(write(t, someTools, `{"id":"1","query":"q","gold":["a",["b","d"]]}`+"\n\n"+`{"id":"2","query":"w","none":true}`), "")
	if err != nil {
		t.Fatal(err)
	}
	if set.Snapshot.Len() != 5 || len(set.Queries) != 2 || len(set.Queries[0].Needs) != 2 || len(set.Queries[0].Needs[1]) != 2 || !set.Queries[1].None {
		t.Errorf("%d tools, %+v", set.Snapshot.Len(), set.Queries)
	}
	if set.Queries[0].Needs[0][0] == set.Queries[0].Needs[1][1] {
		t.Error("two tools of one name are one")
	}
}

func TestWrongSets(t *testing.T) {
	for _, c := range []struct{ tools, queries, says string }{
		{"{", "", "tools.jsonl:1"},
		{`{"id":"a"}`, "", "needs an id and a name"},
		{someTools, `{"query":"q","gold":["nobody"]}`, `names "nobody"`},
		{someTools, `{"query":"q","gold":[7]}`, "neither an id nor a list"},
		{someTools, `{"query":"q","gold":[[]]}`, "empty list"},
		{someTools, `{"query":"q"}`, `"none": true`},
	} {
		if _, err := Load(write(t, c.tools, c.queries), ""); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v", c.tools, c.queries, err)
		}
	}
}

// Figures of rankings that are known.
func TestFigures(t *testing.T) {
	set, err := Load(write(t, someTools, `{"id":"1","query":"first","kind":"x","gold":["a"]}
{"id":"2","query":"third","kind":"y","gold":[["x::c","nothing"],"b"]}
{"id":"3","query":"none","kind":"y","none":true}
`), "")
	if err == nil {
		t.Fatal("an unknown id is taken")
	}
	set, err = Load(write(t, someTools, `{"id":"1","query":"first","kind":"x","gold":["a"]}
{"id":"2","query":"third","kind":"y","gold":[["x::c","y::c"],"b"]}
{"id":"3","query":"none","kind":"y","none":true}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	tool := func(id string) *catalog.Tool {
		for _, text := range set.Texts {
			if text.ID == id {
				return text.Tool
			}
		}
		return nil
	}
	run, err := MeasureWith(t.Context(), set, "fixed", func(*catalog.Snapshot) Searcher {
		return func(_ context.Context, text string, _ int) ([]*catalog.Tool, index.Verdict) {
			switch text {
			case "first":
				return []*catalog.Tool{tool("a")}, index.Found
			case "third":
				return []*catalog.Tool{tool("a"), tool("d"), tool("y::c")}, index.Near
			}
			return nil, index.None
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	f := run.All
	if f.Queries != 3 || f.Recall1 != 1.0/3 || f.Recall5 != 2.0/3 || f.MRR != (1+1.0/3)/2 || f.Doubted != .5 || f.Noticed != 1 || f.NoMatchPrecision != .5 || f.NonePrecision != 1 {
		t.Errorf("%+v", f)
	}
	if len(run.Kinds) != 2 || run.Kinds[0].NDCG10 != 1 || run.Kinds[1].Recall1 != 0 {
		t.Errorf("%+v", run.Kinds)
	}
	if near, none, any := Together([]Run{run}); near != .5 || none != 1 || !any {
		t.Errorf("together %v %v %v", near, none, any)
	}
}

func TestBaselines(t *testing.T) {
	set, err := Load(write(t, someTools, `{"id":"1","query":"list_issues","gold":["b"]}`), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(*catalog.Snapshot) Searcher{"bm25": BM25, "substring": Substring} {
		run, err := MeasureWith(t.Context(), set, name, make)
		if err != nil || run.All.Recall1 != 1 {
			t.Errorf("%s: %+v %v", name, run.All, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, set, nil); err == nil {
		t.Error("measured although it was to stop")
	}
}
