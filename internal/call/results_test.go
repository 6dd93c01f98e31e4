package call_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

var resultLink = regexp.MustCompile(`toolcrib://results/[A-Z2-7]{26}`)

// linkIn returns the URI that a shaped result has as its second block.
func linkIn(t *testing.T, result []byte) string {
	t.Helper()
	blocks, err := wire.Elements(wire.Find(result, "content"))
	if err != nil || len(blocks) < 2 {
		t.Fatalf("blocks %q, %v", blocks, err)
	}
	uri, _ := wire.Text(wire.Find(blocks[1], "uri"))
	if !resultLink.MatchString(uri) || !call.IsResultURI(uri) {
		t.Fatalf("uri %q", uri)
	}
	return uri
}

// readAll reads all pages and checks that each keeps the limit.
func readAll(t *testing.T, s *call.Results, uri, owner string, most int) string {
	t.Helper()
	var all strings.Builder
	for page, pages := 1, 1; page <= pages; page++ {
		text, n, _, err := s.Page(fmt.Sprintf("%s?page=%d", uri, page), owner, 0)
		if err != nil {
			t.Fatal(err)
		}
		if count := utf8.RuneCountInString(text); count > most || count == 0 {
			t.Fatalf("page %d of %d has %d characters", page, n, count)
		}
		pages = n
		all.WriteString(text)
	}
	return all.String()
}

func textResult(text string) []byte {
	return fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}]}`, wire.Quote(text))
}

func TestShape(t *testing.T) {
	long := strings.Repeat("word after word\n", 20) // 320 characters
	quote := func(s string) string { return string(wire.Quote(s)) }
	table := `{"rows":[` + strings.Repeat(`{"id":9007199254740993,"é":"\u00e9"},`, 20) + `{}]}`
	const image = `{"type":"image", "data":"AAAA","mimeType":"image/png"}`
	const frame = `{"_meta":{"a":1e0}, "isError":true ,"content":%s,"x":[ 1 ]}`
	for _, test := range []struct {
		name, result string
		kept, mime   string // "" if it is not shaped
		others       string // blocks behind the link
	}{
		{"text", `{"content":[{"type":"text","text":` + quote(long) + `}]}`, long, "text/plain", ""},
		{"text among others", `{"content":[` + image + `, {"type":"text","text":` + quote(long) + `},{"type":"resource_link","uri":"a:b","name":"n"},{"type":"text","text":"end"}]}`, long + "\nend", "text/plain", `,` + image + `,{"type":"resource_link","uri":"a:b","name":"n"}`},
		{"many small texts", `{"content":[{"type":"text","text":"0123456789"}` + strings.Repeat(`,{"type":"text","text":"0123456789"}`, 11) + `]}`, strings.TrimSuffix(strings.Repeat("0123456789\n", 12), "\n"), "text/plain", ""},
		{"embedded resource", `{"content":[{"type":"resource","resource":{"uri":"file:///a","text":` + quote(long) + `}},{"type":"resource","resource":{"uri":"file:///b","blob":"AAAA"}}]}`, "file:///a:\n" + long, "text/plain", `,{"type":"resource","resource":{"uri":"file:///b","blob":"AAAA"}}`},
		{"structured alone", `{"structuredContent":` + table + `,"content":[]}`, table, "application/json", ""},
		{"structured, no content", `{"structuredContent":` + table + `}`, table, "application/json", ""},
		{"structured says the same", `{"content":[{"type":"text","text":` + quote(strings.ReplaceAll(table, `\u00e9`, "é")) + `}],"structuredContent":` + table + `}`, strings.ReplaceAll(table, `\u00e9`, "é"), "application/json", ""},
		{"structured wraps the text", `{"content":[{"type":"text","text":` + quote(long) + `}],"structuredContent":{"result":` + quote(long) + `}}`, long, "text/plain", ""},
		{"structured wraps JSON", `{"content":[{"type":"text","text":` + quote(table) + `}],"structuredContent":{"result":` + table + `}}`, table, "application/json", ""},
		{"structured says more", `{"content":[{"type":"text","text":"3 rows"}],"structuredContent":` + table + `}`, "3 rows\n" + table, "text/plain", ""},
		{"structured differs in 64 bits", `{"content":[{"type":"text","text":` + quote(table) + `}],"structuredContent":` + strings.ReplaceAll(table, "993", "992") + `}`, table + "\n" + strings.ReplaceAll(table, "993", "992"), "text/plain", ""},
		{"large image", `{"content":[{"type":"image","data":"` + strings.Repeat("A", 1000) + `","mimeType":"image/png"},{"type":"text","text":"small"}]}`, "", "", ""},
		{"characters, not bytes", `{"content":[{"type":"text","text":"` + strings.Repeat("語", 100) + `"}]}`, "", "", ""},
		{"escapes", `{"content":[{"type":"text","text":"` + strings.Repeat(`\u00e9`, 100) + `"}]}`, "", "", ""},
		{"one more", `{"content":[{"type":"text","text":"` + strings.Repeat(`\u00e9`, 101) + `"}]}`, strings.Repeat("é", 101), "text/plain", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := call.NewResults(&call.ResultsOptions{Preview: 50})
			got := s.Shape([]byte(test.result), "me", 100)
			if test.kept == "" {
				if string(got) != test.result {
					t.Errorf("shaped: %s", got)
				}
				return
			}
			uri := linkIn(t, got)
			if all := readAll(t, s, uri, "me", 100); all != test.kept {
				t.Errorf("kept %q\nwant %q", all, test.kept)
			}
			blocks, _ := wire.Elements(wire.Find(got, "content"))
			preview, _ := wire.Text(wire.Find(blocks[0], "text"))
			shown, note, _ := strings.Cut(preview, "\n\n[")
			if !strings.HasPrefix(test.kept, shown) || len(shown) < 25 || utf8.RuneCountInString(shown) > 50 {
				t.Errorf("shown: %q", shown)
			}
			total := utf8.RuneCountInString(test.kept)
			want := fmt.Sprintf(" of %d characters. All of it is the resource %s?page=1 up to page=%d, for 1h.]", total, uri, pagesOf(t, s, uri))
			if !strings.HasPrefix(note, "These are the first ") || !strings.HasSuffix(note, want) {
				t.Errorf("note %q, want %q", note, want)
			}
			link := fmt.Sprintf(`{"type":"resource_link","uri":%q,"name":"result","title":"The whole result, in pages","mimeType":%q,"size":%d}`, uri, test.mime, len(test.kept))
			if want := "[" + string(blocks[0]) + "," + link + test.others + "]"; string(wire.Find(got, "content")) != want {
				t.Errorf("content %s\nwant %s", wire.Find(got, "content"), want)
			}
			if wire.Find(got, "structuredContent") != nil || wire.CheckJSON(got) != nil {
				t.Errorf("result %s", got)
			}
		})
	}
	t.Run("all else stays", func(t *testing.T) {
		s := call.NewResults(nil)
		got := s.Shape(fmt.Appendf(nil, frame, `[{"type":"text","text":`+quote(long)+`}]`), "me", 100)
		if want := fmt.Sprintf(frame, wire.Find(got, "content")); string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func pagesOf(t *testing.T, s *call.Results, uri string) int {
	t.Helper()
	_, pages, _, err := s.Page(uri, "me", 1)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestSmallResultsCostNothing(t *testing.T) {
	s := call.NewResults(nil)
	result := textResult("small")
	if n := testing.AllocsPerRun(100, func() {
		if got := s.Shape(result, "me", 40_000); &got[0] != &result[0] {
			t.Fatal("another slice")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	large := textResult(strings.Repeat("x", 1000))
	if got := s.Shape(large, "me", 0); &got[0] != &large[0] {
		t.Error("no limit is a limit")
	}
}

func TestUnreadableResults(t *testing.T) {
	s := call.NewResults(nil)
	filler := strings.Repeat("x", 200)
	for name, result := range map[string]string{
		"doubled":   `{"content":[],"content":[{"type":"text","text":"` + filler + `"}]}`,
		"no array":  `{"content":"` + filler + `"}`,
		"no object": `["` + filler + `"]`,
		"no JSON":   filler,
	} {
		got := s.Shape([]byte(result), "me", 100)
		if wire.CheckJSON(got) != nil || string(wire.Find(got, "isError")) != "true" || len(got) > 300 {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestPagesCoverEverythingOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "bc ", "\n", "語", "é,", "\r\n", "😀", strings.Repeat("z", 30), "\x00", "\u2028"}
	for range 300 {
		var b strings.Builder
		for range random.IntN(200) + 20 {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		most := random.IntN(40) + 1
		s := call.NewResults(&call.ResultsOptions{Preview: random.IntN(100) + 1})
		text := b.String()
		got := s.Shape(textResult(text), "me", most)
		if utf8.RuneCountInString(text) <= most {
			continue
		}
		if all := readAll(t, s, linkIn(t, got), "me", most); all != text {
			t.Fatalf("most %d: pages say %q, the text is %q", most, all, text)
		}
	}
}

func TestPagesEndAtLines(t *testing.T) {
	s := call.NewResults(nil)
	uri := linkIn(t, s.Shape(textResult(strings.Repeat("a line of text\n", 50)), "me", 100))
	for page := 1; page <= pagesOf(t, s, uri); page++ {
		if text, _, _, _ := s.Page(uri, "me", page); !strings.HasSuffix(text, "text\n") {
			t.Errorf("page %d ends in the middle: %q", page, text)
		}
	}
}

// Only the owner reads a result; others learn as much as of one that never was.
func TestResultsHaveOwners(t *testing.T) {
	s := call.NewResults(nil)
	owners := []string{"", "a", "b", "A"}
	uris := map[string]string{}
	for _, owner := range owners {
		uris[owner] = linkIn(t, s.Shape(textResult(strings.Repeat(owner+"!", 200)), owner, 100))
	}
	for _, owner := range owners {
		for _, reader := range owners {
			text, _, _, err := s.Page(uris[owner], reader, 0)
			if owner == reader {
				if err != nil || !strings.HasPrefix(text, owner+"!") {
					t.Errorf("%q cannot read its own: %v", owner, err)
				}
				continue
			}
			_, _, _, unknown := call.NewResults(nil).Page(uris[owner], reader, 0)
			if err == nil || err.Error() != unknown.Error() || text != "" {
				t.Errorf("%q reads what %q owns: %q, %v", reader, owner, text, err)
			}
			if _, _, _, err := s.Page(uris[owner], reader, 99); err == nil || err.Error() != unknown.Error() {
				t.Errorf("%q learns of what %q owns: %v", reader, owner, err)
			}
		}
	}
}

func TestResultURIs(t *testing.T) {
	s := call.NewResults(nil)
	uri := linkIn(t, s.Shape(textResult(strings.Repeat("0123456789", 25)), "me", 100))
	second, _, _, err := s.Page(uri, "me", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{
		uri + "?page=2", strings.ToUpper(uri[:20]) + strings.ToLower(uri[20:]) + "/?page=2", ` "` + uri + `?page= 2" `, "<" + uri + "?page=2&x=1#part>",
	} {
		if text, pages, _, err := s.Page(form, "me", 0); err != nil || text != second || pages != 3 {
			t.Errorf("%s: %q of %d, %v", form, text, pages, err)
		}
	}
	for form, words := range map[string]string{
		"":                              "is not a kept result; a result is toolcrib://results/<id>?page=2",
		"file:///x":                     "is not a kept result",
		"toolcrib://results":            "is not a kept result",
		"toolcrib://results/":           "names no result",
		"toolcrib://results/../x":       "names no result",
		"toolcrib://results/ABC":        `there is no result "ABC": it was kept for 1h at most, and only for whoever made the call; call the tool again`,
		uri + "?page=0":                 `page "0" is no page`,
		uri + "?page=two":               `page "two" is no page`,
		uri + "?page=99999999999999999": "has no page 99999999999999999",
		uri + "?page=%zz":               "what follows the ? cannot be read",
		uri + "?page=4":                 "has no page 4; its pages are 1 to 3",
	} {
		if _, _, _, err := s.Page(form, "me", 0); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v, want %q", form, err, words)
		}
	}
}

func TestResultsAreDroppedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := call.NewResults(&call.ResultsOptions{TTL: time.Minute})
		uri := linkIn(t, s.Shape(textResult(strings.Repeat("x ", 100)), "me", 100))
		time.Sleep(time.Minute - 1)
		if _, _, _, err := s.Page(uri, "me", 1); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Nanosecond) // reading it does not make it stay
		if _, _, _, err := s.Page(uri, "me", 1); err == nil || !strings.Contains(err.Error(), "kept for 1m at most") {
			t.Errorf("error %v", err)
		}
	})
}

func TestResultsAreDroppedForRoom(t *testing.T) {
	s := call.NewResults(&call.ResultsOptions{Bytes: 10_000})
	keep := func() string { return linkIn(t, s.Shape(textResult(strings.Repeat("x ", 1000)), "me", 1000)) }
	first, second := keep(), keep()
	for range 2 {
		keep()
		if _, _, _, err := s.Page(first, "me", 1); err != nil { // used, so it stays
			t.Fatal(err)
		}
		if _, _, _, err := s.Page(second, "other", 1); err == nil { // no use
			t.Fatal("read by another")
		}
	}
	keep()
	if _, _, _, err := s.Page(second, "me", 1); err == nil {
		t.Error("what was not used for longest is still there")
	}
	got := s.Shape(textResult(strings.Repeat("x ", 10_000)), "me", 1000)
	if !strings.Contains(string(got), "of 20000 characters. It is too large to be kept: ask the tool for less.]") || strings.Contains(string(got), "toolcrib:") {
		t.Errorf("larger than all: %s", got)
	}
}

func TestResultsAtOnce(t *testing.T) {
	s := call.NewResults(&call.ResultsOptions{Bytes: 100_000})
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			owner := fmt.Sprint("owner ", i)
			for n := range 50 {
				text := fmt.Sprintf("%s %d %s", owner, n, strings.Repeat("x ", 500))
				uri := resultLink.FindString(string(s.Shape(textResult(text), owner, 300)))
				got, _, _, err := s.Page(uri, owner, 1)
				if err == nil && !strings.HasPrefix(text, got) {
					t.Errorf("%s reads %q", owner, got)
				}
			}
		})
	}
	wait.Wait()
}

func FuzzShape(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"a b\n\u00e9"},{"type":"image"}],"structuredContent":{"result":"a"},"isError":true}`), 3)
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"uri":"a","text":"long"}},7,"x",[]],"content2":null}`), 1)
	f.Fuzz(func(t *testing.T, result []byte, most int) {
		s := call.NewResults(&call.ResultsOptions{Preview: 10})
		got := s.Shape(result, "me", most)
		if json.Valid(result) && !json.Valid(got) {
			t.Fatalf("%q became %q", result, got)
		}
		if uri := resultLink.FindString(string(got)); uri != "" && string(got) != string(result) {
			readAll(t, s, uri, "me", most)
		}
		s.Page(string(result), "me", 0)
	})
}
