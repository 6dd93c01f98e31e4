package index

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"toolcrib/internal/catalog"
)

// Many search while listings change: each search sees one whole index.
func TestSearchersWhileListingsChange(t *testing.T) {
	const searchers, rounds = 64, 30
	servers := append(workshop(), siblings()[1:2]...)
	snapshot := catalog.Build(servers, catalog.Rules{}, moment)
	var current atomic.Pointer[Index]
	current.Store(New(nil, snapshot, nil))
	var done atomic.Bool
	var wait sync.WaitGroup
	for i := range searchers {
		wait.Go(func() {
			for n := 0; n == 0 || !done.Load(); n++ {
				x := current.Load()
				r := x.Search(t.Context(), &Query{Text: benchQueries[(i+n)%len(benchQueries)]})
				for _, h := range r.Hits {
					if x.Snapshot().Tool(h.Tool.ID()) != h.Tool {
						t.Errorf("%s is of another snapshot", h.Tool.ID())
					}
				}
				x.Nearest("create_isue", 2)
			}
		})
	}
	for round := range rounds {
		servers[round%len(servers)].Tools = append([]catalog.Found{tool(fmt.Sprintf("extra_tool_%d", round), "Something that was not there before")}, servers[round%len(servers)].Tools...)
		snapshot = snapshot.Next(servers, catalog.Rules{}, moment)
		current.Store(New(current.Load(), snapshot, nil))
	}
	done.Store(true)
	wait.Wait()
	if r := current.Load().Search(t.Context(), &Query{Text: "extra_tool_29"}); len(r.Hits) == 0 || r.Hits[0].Tool.Name() != "extra_tool_29" {
		t.Errorf("the last change is not there: %s", ids(r.Hits))
	}
}

// Words of tools that are gone do not stay for ever.
func TestForgottenWords(t *testing.T) {
	var servers []catalog.Listing
	for i := range 12_000 {
		servers = append(servers, listing(fmt.Sprintf("server%d", i%40), tool(fmt.Sprintf("tool_%d", i), fmt.Sprintf("word%dx", i))))
	}
	merged := map[string]*catalog.Listing{}
	var listings []catalog.Listing
	for _, s := range servers {
		if merged[s.Server] == nil {
			merged[s.Server] = &catalog.Listing{Server: s.Server}
		}
		merged[s.Server].Tools = append(merged[s.Server].Tools, s.Tools...)
	}
	for _, l := range merged {
		listings = append(listings, *l)
	}
	snapshot := catalog.Build(listings, catalog.Rules{}, moment)
	many := New(nil, snapshot, nil)
	few := New(many, snapshot.Next(workshop(), catalog.Rules{}, moment), nil)
	fewer := New(few, few.Snapshot(), nil)
	if had, has := len(many.words.words), len(fewer.words.words); has > had/10 {
		t.Errorf("of %d words %d are still there", had, has)
	}
}
