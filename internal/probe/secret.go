package probe

import (
	"strings"
	"unicode"

	"toolcrib/internal/lazyre"
)

// keyPrefix is how the keys of known services begin.
var keyPrefix = lazyre.New(`^(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[a-z]|xapp|AKIA|ASIA|AIza|eyJ|npm|pypi|hf|figd|napi|sntry[su]|dop_v1|lin_api|ntn|secret|tvly|shp(?:at|ca|pa|ss)|SG|whsec)[-_.]?[A-Za-z0-9_.=+/-]{12,}$`)

// looksSecret tells whether text may be a key: it begins like one, or a part of
// it mixes letters and digits as no name does.
func looksSecret(s string) bool {
	if keyPrefix.MatchString(s) && strings.ContainsAny(s, "0123456789") {
		return true
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("@/-_.:", r) }) {
		if looksRandom(part) {
			return true
		}
	}
	return false
}

// looksRandom tells whether a run of characters is too long and too mixed for a word.
func looksRandom(s string) bool {
	if len(s) < 10 {
		return false
	}
	digits, changes, before := 0, 0, 0
	for _, r := range s {
		class := 1
		switch {
		case unicode.IsDigit(r):
			class = 2
			digits++
		case unicode.IsUpper(r):
			class = 3
		}
		if before != 0 && class != before {
			changes++
		}
		before = class
	}
	return len(s) >= 16 && digits >= 4 || digits >= 2 && changes >= 5 || len(s) >= 32
}

var (
	textToken = lazyre.New("[^\\s\"'`=,;()<>\\[\\]{}]{8,}")
	userInfo  = lazyre.New(`://[^\s/@]{1,200}@`)
	named     = lazyre.New(`(?i)\b((?:api[-_ ]?key|token|secret|password|passwd|authorization|bearer)["']?\s*[:=]\s*["']?(?:bearer\s+)?)([^\s"',;]{6,})`)
)

// redactText hides what may be a secret in a line that is shown: servers print
// the key that they refuse.
func redactText(s string) string {
	s = userInfo.ReplaceAllString(s, "://"+hidden+"@")
	s = named.ReplaceAllStringFunc(s, func(m string) string {
		parts := named.FindStringSubmatch(m)
		if !strings.ContainsAny(parts[2], "0123456789") {
			return m
		}
		return parts[1] + hidden
	})
	return textToken.ReplaceAllStringFunc(s, func(token string) string {
		if looksSecret(token) {
			return hidden
		}
		return token
	})
}
