package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		{"create_issue", "create issue"},
		{"list-pull-requests", "list pull request"},
		{"getUserProfiles", "get user profile"},
		{"parseHTMLDocument", "parse html document"},
		{"HTTPServer", "http server"},
		{"search.byName", "search by name"},
		{"TwilioApiV2010--CreateAccount", "twilio api v2010 create account"},
		{"s3_upload", "s3 upload"},
		{"oauth2Login", "oauth2 oauth login"},
		{"iOSBuild", "ios build"},
		{"import_GitHub_repos", "import github repo"},
		{"PostgreSQLQuery", "postgresql query"},
		{"report", "report"},
		{"a b cc", "cc"},
		{"queries branches boxes statuses addresses movies emojis series", "query branch box status address movie emoji series"},
		{"Größe_ändern", "größe ändern"},
		{"搜索 posts", "搜索 post"},
		{"\xff\xfe", ""},
		{"2024 12", ""},
	} {
		if got := strings.Join(words(c.text), " "); got != c.want {
			t.Errorf("words(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if n := len(words(strings.Repeat("word ", 10_000))); n > maxWords {
		t.Errorf("%d words", n)
	}
}

func TestLead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Creates an issue in a repository. Then waits.", "Creates an issue in a repository."},
		{"\n  Purpose:\n  Sends a message to a channel\n  Returns: id", "Purpose:\n  Sends a message to a channel"},
		{"Uses v1.2 of the interface", "Uses v1.2 of the interface"},
		{"", ""},
	} {
		if got := lead(c.text); got != c.want {
			t.Errorf("lead(%q) = %q", c.text, got)
		}
	}
	if n := len(lead(strings.Repeat("x", 5000))); n != maxLead {
		t.Errorf("%d bytes", n)
	}
}

func TestLabel(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Source Control", "source-control"},
		{"  read_only! ", "read-only"},
		{"C++", "c"},
		{"データ", "データ"},
		{"...", ""},
		{strings.Repeat("long ", 20), ""},
		{strings.Repeat("x", 100_000), ""},
	} {
		if got := label(c.text); got != c.want {
			t.Errorf("label(%.40q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// Each word of the table decides: one that an earlier row has as well never could.
func TestTableHasNoDeadWords(t *testing.T) {
	described := map[string]bool{}
	for _, kind := range ownCategories {
		described[kind.name] = true
		if kind.description == "" || label(kind.name) != kind.name {
			t.Errorf("category %q: %q", kind.name, kind.description)
		}
	}
	for _, rows := range [][]row{table, weak} {
		seen := map[string]string{}
		for _, r := range rows {
			if !described[r.category] {
				t.Errorf("nobody knows what category %q is", r.category)
			}
			for _, word := range slices.Concat(strings.Fields(r.words), strings.Fields(r.names)) {
				key := strings.Join(words(word), " ")
				if strings.Contains(word, "_") == (singular(word) == key) && !strings.ContainsAny(word, "0123456789") {
					t.Errorf("%q is read as %q", word, key)
				}
				if by, taken := seen[singular(word)]; taken {
					t.Errorf("%q of %q is of %q already", word, r.category, by)
				}
				seen[singular(word)] = r.category
			}
		}
	}
}
