package config

import "strings"

// otherWords are keys of other programs' files for what we call differently.
var otherWords = map[string]string{
	"serverurl":        "url",
	"httpurl":          "url",
	"uri":              "url",
	"cmd":              "command",
	"environment":      "env",
	"envs":             "env",
	"workingdirectory": "cwd",
	"httpheaders":      "headers",
	"timeout":          "call_timeout",
	"enabled":          "disabled",
	"transport":        "type",
}

// nearest is the known key that was most likely meant, "" if none is close.
func nearest(key string, known []string) string {
	plain := flatten(key)
	meant := otherWords[plain]
	for _, k := range known {
		if flatten(k) == plain || k == meant {
			return k
		}
	}
	best, least := "", len(plain)/3+1
	for _, k := range known {
		if d := distance(plain, flatten(k)); d < least || (d == least && best == "") {
			best, least = k, d
		}
	}
	return best
}

func flatten(key string) string {
	if len(key) > 64 {
		key = key[:64]
	}
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(key))
}

// distance is how many letters have to be added, dropped, replaced or swapped
// with their neighbour to make b of a.
func distance(a, b string) int {
	row := make([][]int, len(a)+1)
	for i := range row {
		row[i] = make([]int, len(b)+1)
		row[i][0] = i
	}
	for j := range row[0] {
		row[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[i][j] = min(row[i-1][j]+1, row[i][j-1]+1, row[i-1][j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[i][j] = min(row[i][j], row[i-2][j-2]+1)
			}
		}
	}
	return row[len(a)][len(b)]
}
