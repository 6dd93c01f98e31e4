package index

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"toolcrib/internal/catalog"
)

// realTools are the tools of real servers, and others of the same words as often
// as it takes to have n; the test is skipped where they are not at hand.
func realTools(tb testing.TB, n int) *catalog.Snapshot {
	tb.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "servers", "listings.jsonl"))
	if err != nil {
		tb.Skipf("the listings of real servers are not at hand: %v", err)
	}
	defer file.Close()
	var all []catalog.Listing
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l struct {
			Name  string
			Tools []json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			tb.Fatal(err)
		}
		listing := catalog.Listing{Server: l.Name}
		for _, raw := range l.Tools {
			listing.Tools = append(listing.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
		}
		all = append(all, listing)
	}
	var listings []catalog.Listing
	for have, i := 0, 0; have < n; i++ {
		l := all[i%len(all)]
		if round := i / len(all); round > 0 {
			l.Server = fmt.Sprintf("%s copy%d", l.Server, round)
		}
		if len(l.Tools) > n-have {
			l.Tools = l.Tools[:n-have]
		}
		have += len(l.Tools)
		listings = append(listings, l)
	}
	return catalog.Build(listings, catalog.Rules{}, moment)
}

var benchQueries = []string{
	"create a new issue in the repository", "send a message to the channel", "which files changed in the last commit",
	"read the contents of a spreadsheet", "take a screenshot of the page", "list all databases", "what is the weather tomorrow",
	"delete old backups from the bucket", "find the cheapest flight to Lisbon in May for two people", "restart the pod that keeps crashing",
	"how much did we spend on ads last month", "translate this text into German", "query logs for errors since yesterday",
	"add a row to the table", "search the web for recent papers on protein folding", "get the current price of bitcoin",
	"move card to done", "resize an image", "who is on call this week", "merge the pull request once checks are green",
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := New(nil, realTools(b, n), nil)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				x.Search(b.Context(), &Query{Text: benchQueries[i%len(benchQueries)]})
				i++
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := realTools(b, n)
			for b.Loop() {
				New(nil, s, nil)
			}
		})
	}
}
