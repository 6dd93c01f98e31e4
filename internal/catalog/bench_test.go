package catalog

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// manyTools are listings of about the size and the words of real ones, 100 tools
// each.
func manyTools(n int) []Listing {
	verbs := []string{"create", "get", "list", "update", "delete", "search", "export", "archive", "share", "validate"}
	nouns := []string{"issue", "invoice", "calendar_event", "pull_request", "container", "dashboard", "contact", "file", "image", "message"}
	const schema = `{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"%[1]s"},` +
		`"limit":{"type":"integer","minimum":1,"maximum":100,"default":20,"description":"%[1]s"},` +
		`"filter":{"type":"object","properties":{"field":{"type":"string","enum":["name","state","owner"]},"value":{"type":["string","number"]}}},` +
		`"labels":{"type":"array","items":{"type":"string"},"description":"%[1]s"}},"additionalProperties":false}`
	prose := strings.Repeat("One of the values that the service knows of. ", 3)
	var listings []Listing
	for s := 0; s*100 < n; s++ {
		l := Listing{Server: fmt.Sprintf("server-%d", s), Taken: time.Unix(1, 0)}
		for t := range min(100, n-s*100) {
			verb, noun := verbs[t%10], nouns[(t/10+s)%10]
			raw := fmt.Sprintf(`{"name":"%s_%s_%d","description":"%s %s of the workspace. %s","inputSchema":%s,"annotations":{"readOnlyHint":%t}}`,
				verb, noun, s, verb, noun, prose+prose, fmt.Sprintf(schema, prose), t%10 == 1)
			l.Tools = append(l.Tools, Found{Raw: []byte(raw), Provenance: Protocol, Confidence: 1})
		}
		listings = append(listings, l)
	}
	return listings
}

// Ten times the tools need ten times the memory, whatever a server does.
func TestBuildIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("builds large snapshots")
	}
	for what, listings := range map[string]func(n int) []Listing{
		"as usual": manyTools,
		"all of one name": func(n int) []Listing {
			l := listing("srv")
			for i := range n {
				l.Tools = append(l.Tools, tool(fmt.Sprintf(`{"name":"a-b","description":"%d"}`, i)))
			}
			return []Listing{l}
		},
		"all of one identifier": func(n int) []Listing {
			l := listing("srv")
			for i := range n {
				l.Tools = append(l.Tools, named(string([]rune{rune(0x4e00 + i%2000), rune(0x4e00 + i/2000)})))
			}
			return []Listing{l}
		},
		"all exactly the same": func(n int) []Listing { return []Listing{listing("srv", slices.Repeat([]Found{named("a")}, n)...)} },
		"all broken": func(n int) []Listing {
			return []Listing{listing("srv", slices.Repeat([]Found{tool(`{"name":`)}, n)...)}
		},
		"each its own tag": func(n int) []Listing {
			l := listing("srv")
			for i := range n {
				l.Tools = append(l.Tools, tool(fmt.Sprintf(`{"name":"n%d","_meta":{"tags":["t%d"],"category":"c%d"}}`, i, i, i)))
			}
			return []Listing{l}
		},
		"a server each": func(n int) []Listing {
			var l []Listing
			for i := range n {
				l = append(l, listing(fmt.Sprintf("s-%d", i), named("a")))
			}
			return l
		},
	} {
		few, many := allocated(listings(1_000)), allocated(listings(10_000))
		if ratio := float64(many) / float64(few); ratio > 14 {
			t.Errorf("%s: ten times the tools took %.1f times the memory", what, ratio)
		}
	}
}

func allocated(listings []Listing) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := Build(listings, Rules{}, time.Unix(2, 0))
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(s)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			listings := manyTools(n)
			b.ReportAllocs()
			var s *Snapshot
			before := heap()
			for b.Loop() {
				s = Build(listings, Rules{}, time.Unix(2, 0))
			}
			b.ReportMetric(float64(heap()-before)/float64(n), "held-B/tool")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/tool")
			runtime.KeepAlive(s)
			runtime.KeepAlive(listings)
		})
	}
}

// One server says something new; the listings of the others are those that the
// snapshot keeps.
func BenchmarkNext(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			s := Build(manyTools(n), Rules{}, time.Unix(2, 0))
			var listings []Listing
			for _, server := range s.Servers() {
				listings = append(listings, server.Listing())
			}
			round := 0
			b.ReportAllocs()
			for b.Loop() {
				round++
				changed := listings[0]
				changed.Tools = append([]Found{{Raw: fmt.Appendf(nil, `{"name":"new_%d"}`, round), Provenance: Protocol}}, changed.Tools...)
				s = s.Next(append([]Listing{changed}, listings[1:]...), Rules{}, time.Unix(3, 0))
			}
		})
	}
}

func BenchmarkRelated(b *testing.B) {
	s := Build(manyTools(100_000), Rules{}, time.Unix(2, 0))
	t := s.Tools()[4242]
	for b.Loop() {
		if len(s.Related(t, 5)) != 5 {
			b.Fatal("too few")
		}
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
