package trial

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// BM25 is the plain formula over all text of a tool, cut at whatever is no
// letter, digit or underscore: what a search engine does that was told nothing.
func BM25(snapshot *catalog.Snapshot) Searcher {
	const k1, b = 1.2, .75
	tools := snapshot.Tools()
	type posting struct {
		tool  int
		count float64
	}
	lists := map[string][]posting{}
	lengths := make([]float64, len(tools))
	var total float64
	for i, t := range tools {
		counts := map[string]float64{}
		for _, word := range plainWords(t.Name() + " " + t.Description() + " " + index.ParameterText(t)) {
			counts[word]++
			lengths[i]++
		}
		total += lengths[i]
		for word, n := range counts {
			lists[word] = append(lists[word], posting{i, n})
		}
	}
	average := total / max(1, float64(len(tools)))
	return func(_ context.Context, text string, limit int) ([]*catalog.Tool, index.Verdict) {
		scores := make([]float64, len(tools))
		for _, word := range plainWords(text) {
			list := lists[word]
			idf := math.Log(1 + (float64(len(tools)-len(list))+.5)/(float64(len(list))+.5))
			for _, p := range list {
				scores[p.tool] += idf * p.count * (k1 + 1) / (p.count + k1*(1-b+b*lengths[p.tool]/average))
			}
		}
		return top(tools, scores, limit), index.Found
	}
}

// Substring scores a tool by where it has the whole query in it: 100 for the
// name, 50 within the name, 20 within the description, 10 a tag, 15 the category.
func Substring(snapshot *catalog.Snapshot) Searcher {
	tools := snapshot.Tools()
	return func(_ context.Context, text string, limit int) ([]*catalog.Tool, index.Verdict) {
		text = strings.ToLower(text)
		scores := make([]float64, len(tools))
		for i, t := range tools {
			score := &scores[i]
			if name := strings.ToLower(t.Name()); name == text {
				*score += 150
			} else if strings.Contains(name, text) {
				*score += 50
			}
			if strings.Contains(strings.ToLower(t.Description()), text) {
				*score += 20
			}
			for _, tag := range t.Tags() {
				if strings.Contains(tag, text) {
					*score += 10
				}
			}
			if strings.Contains(t.Category(), text) {
				*score += 15
			}
		}
		return top(tools, scores, limit), index.Found
	}
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
}

// top are the tools with the highest scores above 0.
func top(tools []*catalog.Tool, scores []float64, limit int) []*catalog.Tool {
	var order []int
	for i, score := range scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	best := make([]*catalog.Tool, 0, limit)
	for _, i := range order[:min(limit, len(order))] {
		best = append(best, tools[i])
	}
	return best
}
