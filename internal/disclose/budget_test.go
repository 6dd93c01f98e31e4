package disclose

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"toolcrib/internal/catalog"
)

// generated is a catalog of so many tools, named and described in a language.
func generated(n, perServer int, name, about string) *catalog.Snapshot {
	var listings []catalog.Listing
	for i := 0; i < n; i += perServer {
		l := catalog.Listing{Server: fmt.Sprintf("%s %d", name, i/perServer), Taken: time.Unix(1, 0)}
		for j := i; j < min(n, i+perServer); j++ {
			raw := JSON(map[string]any{
				"name": fmt.Sprintf("%s_search_%d", name, j), "description": strings.Repeat(about, 1+j%7),
				"inputSchema": map[string]any{
					"type":       "object",
					"properties": map[string]any{name: map[string]any{"type": "string", "description": about}, "limit": map[string]any{"type": "integer"}},
					"required":   []string{name},
				},
				"_meta": map[string]any{"category": fmt.Sprintf("%s %d", name, j%40)},
			})
			l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
		}
		listings = append(listings, l)
	}
	return catalog.Build(listings, catalog.Rules{}, time.Unix(2, 0))
}

// many is a catalog as large as they come.
var many = sync.OnceValue(func() *catalog.Snapshot { return generated(100_000, 50, "deploy", "Deploys. ") })

var languages = []struct{ name, about string }{
	{"deploy", "Deploys a service to the cluster and waits until it is healthy. "},
	{"развёртывание", "Развёртывает службу в кластере и ждёт, пока она не станет исправной. "},
	{"部署服务", "将服务部署到集群，并等待其变为健康状态。"},
	{"ติดตั้งบริการ", "ติดตั้งบริการไปยังคลัสเตอร์และรอจนกว่าจะพร้อมใช้งาน "},
	{"नियोजन", "सेवा को क्लस्टर में तैनात करता है और उसके स्वस्थ होने तक प्रतीक्षा करता है। "},
	{"🧰🔧", "🚀🚀 ✨ deploy! ✨ 🚀🚀 "},
}

func TestSummaryFitsAtAnySize(t *testing.T) {
	within := func(t *testing.T, s *catalog.Snapshot) {
		t.Helper()
		text := Summary(s, DefaultEssential)
		if n := tokens(t, text); n > SummaryTokens {
			t.Errorf("%d tokens:\n%s", n, text)
		} else {
			t.Logf("%d tools, %d servers: %d tokens", s.Len(), len(s.Servers()), n)
		}
		if again := Summary(s, DefaultEssential); again != text {
			t.Error("not the same twice")
		}
		if !utf8.ValidString(text) || strings.Contains(text, "�") {
			t.Error("cut inside a character")
		}
	}
	for _, language := range languages {
		for _, size := range []struct{ tools, perServer int }{{10, 5}, {1000, 20}, {1000, 1000}, {3000, 1}} {
			t.Run(fmt.Sprintf("%s/%d by %d", language.name, size.tools, size.perServer), func(t *testing.T) {
				within(t, generated(size.tools, size.perServer, language.name, language.about))
			})
		}
	}
	t.Run("100000", func(t *testing.T) {
		if testing.Short() {
			t.Skip("making them takes seconds")
		}
		within(t, many())
	})
	t.Run("none", func(t *testing.T) { within(t, generated(0, 1, "", "")) })
	t.Run("real", func(t *testing.T) { within(t, real(t)) })
}

func TestReferenceFitsAtAnySize(t *testing.T) {
	check := func(t *testing.T, s *catalog.Snapshot) {
		t.Helper()
		if n := tokens(t, Reference(s, Brief, DefaultEssential)); n > ReferenceTokens {
			t.Errorf("%d tokens:\n%s", n, Reference(s, Brief, DefaultEssential))
		} else {
			t.Logf("%d tools: %d tokens", s.Len(), n)
		}
		full := Reference(s, Full, DefaultEssential)
		if n := len(full); n > fullReference+2000 {
			t.Errorf("in full %d characters", n)
		}
	}
	for _, language := range languages {
		for _, size := range []int{10, 1000} {
			t.Run(fmt.Sprint(language.name, size), func(t *testing.T) { check(t, generated(size, 20, language.name, language.about)) })
		}
	}
	if !testing.Short() {
		t.Run("100000", func(t *testing.T) { check(t, many()) })
	}
	t.Run("real", func(t *testing.T) { check(t, real(t)) })
}

func TestBehindIsOneShortLine(t *testing.T) {
	for _, language := range languages {
		for _, size := range []int{10, 1000} {
			line := Behind(generated(size, 5, language.name, language.about))
			if n := tokens(t, line); n > 110 || strings.Contains(line, "\n") {
				t.Errorf("%d tokens: %s", n, line)
			}
		}
	}
}

// searchBudget is what an answer of a search takes at most when nothing is said
// of its length.
const searchBudget = 900

func TestSearchAnswersFit(t *testing.T) {
	check := func(t *testing.T, s *catalog.Snapshot, step int) {
		b := browser(s, nil)
		most, sum, n := 0, 0, 0
		for i := 0; i < s.Len(); i += step {
			query := brief(described(s.Tools()[i]), 30)
			a, problem := b.Search(t.Context(), Search{Query: query})
			if problem != nil {
				continue // nothing was written to look for
			}
			count := tokens(t, string(a.JSON()))
			if count > searchBudget {
				t.Errorf("%d tokens for %q:\n%s", count, query, a.JSON())
			}
			if len(a.Tools) == 0 && a.Metadata.Verdict == "found" {
				t.Errorf("nothing for %q", query)
			}
			most, sum, n = max(most, count), sum+count, n+1
		}
		t.Logf("%d searches of %d tools: %d tokens on average, %d at most", n, s.Len(), sum/max(n, 1), most)
	}
	for _, language := range languages {
		t.Run(language.name, func(t *testing.T) { check(t, generated(500, 20, language.name, language.about), 100) })
	}
	t.Run("real", func(t *testing.T) { check(t, real(t), 40) })
}

func TestRequiredParametersAreNeverDropped(t *testing.T) {
	check := func(t *testing.T, s *catalog.Snapshot) {
		for _, tool := range s.Tools() {
			list, _ := Parameters(tool.InputSchema())
			text := signature(tool, 18)
			for _, p := range list {
				if p.Required && !strings.Contains(text, p.Name+"*: ") {
					t.Fatalf("%s lost %s: %s", tool.ID(), p.Name, text)
				}
			}
		}
	}
	t.Run("fixed", func(t *testing.T) { check(t, fixed(t)) })
	t.Run("real", func(t *testing.T) { check(t, real(t)) })
}

func TestPagesCoverEverythingOnce(t *testing.T) {
	s := generated(1234, 50, "deploy", "Deploys. ")
	b := browser(s, nil)
	for _, size := range []int{1, 7, 50, 100, 1000} {
		for _, level := range []Level{Minimal, Brief, Full} {
			if size == 1 && level != Minimal {
				continue
			}
			seen, pages := map[string]int{}, 0
			for page := 1; ; page++ {
				a, problem := b.List(Filter{Level: level, Page: page, PageSize: size})
				if problem != nil {
					t.Fatal(problem)
				}
				for _, name := range a.Names {
					seen[name]++
				}
				for _, e := range a.Tools {
					seen[e.Name]++
				}
				pages++
				if !a.Pagination.HasNext {
					break
				}
			}
			for name, n := range seen {
				if n != 1 {
					t.Fatalf("%s %d times with pages of %d", name, n, size)
				}
			}
			if len(seen) != s.Len() {
				t.Errorf("%d of %d tools on %d pages of %d", len(seen), s.Len(), pages, size)
			}
		}
	}
	if _, problem := b.List(Filter{Page: 1000}); problem == nil {
		t.Error("a page beyond the last is no problem")
	}
}

func TestAnswersOfRealToolsAreJSON(t *testing.T) {
	s := real(t)
	b := browser(s, nil)
	for _, tool := range s.Tools() {
		a, problem := b.Details([]string{string(tool.ID())})
		if problem != nil {
			t.Fatal(problem)
		}
		raw := a.JSON()
		if !json.Valid(raw) {
			t.Fatalf("%s: %s", tool.ID(), raw)
		}
		if i := strings.IndexFunc(string(raw), hidden); i >= 0 {
			t.Errorf("%s: %U at %d", tool.ID(), []rune(string(raw[i:]))[0], i)
		}
		if len(raw) > detailBudget+2*maxDescription+20000 {
			t.Errorf("%s: %d bytes", tool.ID(), len(raw))
		}
	}
}
