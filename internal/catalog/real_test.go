package catalog

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// realListings are what many public servers answered. They are not part of
// the project: tests that want them are skipped without.
func realListings(t testing.TB) []Listing {
	t.Helper()
	const file = "../../../shared/data/servers/listings.jsonl"
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no listings of real servers: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var listings []Listing
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var server struct {
			Name         string
			ServerInfo   json.RawMessage
			Instructions string
			Tools        []json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &server); err != nil {
			t.Fatal(err)
		}
		l := Listing{
			Server: server.Name, ServerInfo: server.ServerInfo, Instructions: server.Instructions,
			Taken: time.Unix(1, 0),
		}
		for _, raw := range server.Tools {
			l.Tools = append(l.Tools, Found{Raw: raw, Provenance: Protocol, Confidence: 1})
		}
		listings = append(listings, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return listings
}

func TestRealServers(t *testing.T) {
	s := Build(realListings(t), Rules{}, time.Unix(2, 0))
	if s.Len() < 4000 {
		t.Fatalf("only %d tools", s.Len())
	}
	for _, p := range s.Problems() {
		t.Errorf("problem: %+v", p)
	}
	general, tags := 0, 0
	for _, tool := range s.Tools() {
		if tool.Category() == General {
			general++
		}
		if len(tool.Tags()) > maxTags {
			t.Errorf("%s has %d tags", tool.ID(), len(tool.Tags()))
		}
		tags += len(tool.Tags())
		if _, _, ok := tool.ID().Split(); !ok || s.Tool(tool.ID()) != tool {
			t.Errorf("%s cannot be found by its id", tool.ID())
		}
		if s.Find(tool.Server().Name(), tool.Name()) != tool {
			t.Errorf("%s cannot be found by its original name", tool.ID())
		}
	}
	for _, c := range s.Categories() {
		t.Logf("%5d %4.1f %%  %s", c.Count, 100*float64(c.Count)/float64(s.Len()), c.Name)
	}
	if share := float64(general) / float64(s.Len()); share > 0.15 {
		t.Errorf("%.1f %% of the tools fit no category", 100*share)
	}
	t.Logf("%d tools, %.1f tags each, %d different", s.Len(), float64(tags)/float64(s.Len()), len(s.Tags()))
	for range 100 {
		tool := s.Tools()[rand.IntN(s.Len())]
		t.Logf("%-14s %s %v: %.60q; related: %v", tool.Category(), tool.ID(), tool.Tags(), tool.Description(), s.Related(tool, 2))
	}
}
