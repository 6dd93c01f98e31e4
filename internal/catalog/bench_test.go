package catalog

import (
	"fmt"
	"runtime"
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
		})
	}
}

// One server of a hundred says something new.
func BenchmarkNext(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			listings := manyTools(n)
			s := Build(listings, Rules{}, time.Unix(2, 0))
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
