package disclose

import (
	"cmp"
	"slices"
	"strings"
)

// NearestNames are the names that are most like one, the best first. Those that
// have nothing to do with it are only listed when nothing else is.
func NearestNames(name string, names []string) []string {
	name = strings.ToLower(head(name, 100))
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, candidate := range names {
		lower := strings.ToLower(candidate)
		d := distance(name, head(lower, 100))
		if strings.Contains(lower, name) || strings.Contains(name, lower) {
			d = min(d, 1)
		}
		if d <= max(2, len(name)/3) {
			found = append(found, near{candidate, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	if len(found) == 0 {
		return few(names)
	}
	out := make([]string, 0, 3)
	for _, f := range found[:min(len(found), 3)] {
		out = append(out, f.name)
	}
	return out
}

// distance is how many letters must be put in, left out, changed or swapped with
// their neighbour to make b of a.
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	now := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
