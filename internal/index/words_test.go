package index

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"create_issue", "create issue"},
		{"createIssue", "create issue"},
		{"HTTPServer2", "http server2 server"},
		{"GitHub issues", "github issues"},
		{"the S3 bucket of Café-Müller", "the s3 bucket of cafe muller"},
		{"PostgreSQL, YouTube", "postgresql youtube"},
		{"FinanceTool", "finance tool"},
		{"GetIssueByNumber", "get issue by number"},
		{"使用必应搜索", "使用 用必 必应 应搜 搜索"},
		{"a b 7 x9", "7 x9"},
		{"don't", "don"},
		{"", ""},
		{"...", ""},
	} {
		if got := strings.Join(wordsOf(c.text), " "); got != c.want {
			t.Errorf("%q: %q, not %q", c.text, got, c.want)
		}
	}
}

func TestStem(t *testing.T) {
	for _, family := range []string{
		"create creates created creating", "issue issues", "delete deletes deleting deleted", "search searches searching searched",
		"repository repositories", "list lists listing listed", "query queries", "notify notifies notified", "run runs running",
		"index indexes indices", "database databases", "generate generates generated generation", "monitor monitors monitoring monitored",
	} {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			if stem(w) != stem(words[0]) {
				t.Errorf("%s is %s, %s is %s", w, stem(w), words[0], stem(words[0]))
			}
		}
	}
	for _, apart := range [][2]string{{"news", "new"}, {"policy", "police"}, {"kubernetes", "kubernet"}, {"redis", "redi"}, {"user", "use"}} {
		if stem(apart[0]) == stem(apart[1]) {
			t.Errorf("%s and %s are both %s", apart[0], apart[1], stem(apart[0]))
		}
	}
}
