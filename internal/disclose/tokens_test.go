package disclose

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTokensAreNotUnderestimated(t *testing.T) {
	check := func(t *testing.T, texts []string) {
		estimated, counted := 0, 0
		for _, text := range texts {
			e, c := Tokens(text), tokens(t, text)
			estimated, counted = estimated+e, counted+c
			if e < c {
				t.Errorf("%d estimated, %d counted: %q", e, c, head(text, 200))
			}
		}
		t.Logf("%d texts: %d tokens counted, estimated %.2f times that", len(texts), counted, float64(estimated)/float64(max(counted, 1)))
	}
	t.Run("written", func(t *testing.T) {
		check(t, []string{
			"", "a", "search_tools", "camelCaseNamesOfTools", "HTTPServer", "v1.2.3-rc.4+build.5678",
			`{"name":"github.create_issue","signature":"create_issue(owner*: str, repo*: str)","relevance":97}`,
			"Ищет файлы по имени и содержимому.", "ファイルを検索します。", "搜索文件内容，返回匹配的行。", "파일을 검색합니다.",
			"ค้นหาไฟล์", "फ़ाइलें खोजें", "ፋይሎችን ይፈልጋል", "🧰🔧 tools 🪛", "naïve café — déjà vu…", "مرحبا بالعالم",
			"xqzjvkwpq zzxqj", "8f3a9c1d2e", strings.Repeat("=", 80), "a\n\n\n\tb   c",
		})
	})
	t.Run("random", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		alphabets := []string{
			"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz      ", "eeeetttaaooiinnsshhrrddlluu  ",
			"abcXYZ0123456789_-. ", `{}[]":,abc `, "абвгдежзиклмн ", "的一是不了人我在有他", "αβγδεζηθ ", "😀🧰🔧é ",
		}
		var texts []string
		for range 2000 {
			alphabet := []rune(alphabets[rng.IntN(len(alphabets))])
			text := make([]rune, 1+rng.IntN(300))
			for i := range text {
				text[i] = alphabet[rng.IntN(len(alphabet))]
			}
			texts = append(texts, string(text))
		}
		check(t, texts)
	})
	t.Run("real", func(t *testing.T) {
		var texts []string
		for _, tool := range real(t).Tools() {
			texts = append(texts, tool.Name(), tool.Description())
			if raw := tool.InputSchema(); len(raw) < 3000 {
				texts = append(texts, string(raw))
			}
		}
		check(t, texts)
	})
}

func TestCommonWordsAreOneToken(t *testing.T) {
	for word := range commonWords() {
		capital := strings.ToUpper(word[:1]) + word[1:]
		for _, form := range []string{word, " " + word, capital, " " + capital} {
			if n := tokens(t, form); n != 1 {
				t.Errorf("%q is %d tokens", form, n)
			}
		}
		if len(word) > longestCommon {
			t.Errorf("%s is too long to be looked for", word)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat(`{"name":"github.create_issue","signature":"create_issue(owner*: str)"},`, 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Tokens(text)
	}
}
