package trial

import (
	"os"
	"path/filepath"
	"testing"
)

// The search reaches what it is there for, on sets that are not part of the
// repository: skipped where they are not at hand.
func TestRealSets(t *testing.T) {
	data := filepath.Join("..", "..", "..", "..", "shared", "data", "search")
	if _, err := os.Stat(data); err != nil {
		t.Skipf("the sets of real tools are not at hand: %v", err)
	}
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for _, c := range []struct {
		set, tools     string
		one, five, ten float64 // at least
		doubted        float64 // at most
		noticed        float64 // at least
	}{
		{set: "dev/corpus", one: .44, five: .65, ten: .73, doubted: .08},
		{set: "dev/authored", tools: "train/toucan", one: .27, five: .48, ten: .55, doubted: .12},
		{set: "dev/metatool_multi", one: .34, five: .82, ten: .90, doubted: .03},
		{set: "dev/livemcp_agent", one: .22, five: .45, ten: .55, doubted: .03},
		{set: "dev/none", tools: "dev/corpus", noticed: .60, doubted: 1},
	} {
		set, err := Load(filepath.Join(data, c.set), filepath.Join(data, c.tools, "tools.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		run, err := Measure(t.Context(), set, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := run.All
		if f.Recall1 < c.one || f.Recall5 < c.five || f.Recall10 < c.ten || f.Doubted > c.doubted || f.Noticed < c.noticed {
			t.Errorf("%s: %.3f %.3f %.3f, doubted %.3f, noticed %.3f", c.set, f.Recall1, f.Recall5, f.Recall10, f.Doubted, f.Noticed)
		}
	}
}
