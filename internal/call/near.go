package call

import "strings"

// nearest is the known name that was probably meant by name, "" if none comes
// near. Case, underscores and hyphens count for little.
func nearest(name string, known []string) string {
	const most = 64 // characters that are worth comparing
	if len(name) > most {
		return ""
	}
	plain := plainName(name)
	best, least := "", len(plain)/3+1
	for _, k := range known {
		if len(k) > most {
			continue
		}
		p := plainName(k)
		if p == plain {
			return k
		}
		if d := editDistance(plain, p); d < least || d == least && best == "" && d < len(p) {
			best, least = k, d
		}
	}
	if best == "" {
		return within(plain, known)
	}
	return best
}

// within finds the only name that has the other as a whole word: user for
// user_id, repository_name for repository.
func within(plain string, known []string) (found string) {
	for _, k := range known {
		p := plainName(k)
		if len(plain) < 3 || len(p) < 3 || !strings.HasPrefix(p, plain) && !strings.HasPrefix(plain, p) &&
			!strings.HasSuffix(p, plain) && !strings.HasSuffix(plain, p) {
			continue
		}
		if found != "" {
			return ""
		}
		found = k
	}
	return found
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

func plainName(s string) string { return strings.ToLower(separators.Replace(s)) }

// editDistance is how many letters must be added, dropped, changed or swapped
// with their neighbour to make b of a.
func editDistance(a, b string) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			swap := 1
			if a[i-1] == b[j-1] {
				swap = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+swap)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
