package call

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// resultURI begins the URI of every kept result.
const resultURI = "toolcrib://results/"

// IsResultURI tells whether a URI is meant for Results.Page.
func IsResultURI(uri string) bool {
	uri = strings.Trim(uri, " \t\r\n<>\"'")
	return len(uri) >= len(resultURI) && strings.EqualFold(uri[:len(resultURI)], resultURI)
}

// parseResultURI reads toolcrib://results/<id>?page=2; the page is 1 if it is
// not named. Case, quotes around it and a slash at its end do not matter.
func parseResultURI(uri string) (id string, page int, err error) {
	const form = "; a result is " + resultURI + "<id>?page=2, with the id from the preview"
	if !IsResultURI(uri) {
		return "", 0, fmt.Errorf("%s is not a kept result%s", quoted(uri), form)
	}
	rest := strings.Trim(uri, " \t\r\n<>\"'")[len(resultURI):]
	rest, _, _ = strings.Cut(rest, "#")
	id, query, _ := strings.Cut(rest, "?")
	id = strings.ToUpper(strings.TrimRight(id, "/"))
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) {
		return "", 0, fmt.Errorf("%s names no result%s", quoted(uri), form)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", 0, fmt.Errorf("%s: what follows the ? cannot be read%s", quoted(uri), form)
	}
	text := values.Get("page")
	if text == "" {
		return id, 1, nil
	}
	if page, err = strconv.Atoi(strings.TrimSpace(text)); err != nil || page < 1 {
		return "", 0, fmt.Errorf("%s: page %s is no page; pages are counted from 1", quoted(uri), quoted(text))
	}
	return id, page, nil
}

// pageEnds cuts a text into pages of at most so many characters each, and
// returns where they end, in bytes. An empty text is one page.
func pageEnds(text string, most int) []int {
	var ends []int
	at := 0
	for {
		at += cutAt(text[at:], most)
		ends = append(ends, at)
		if at == len(text) {
			return ends
		}
	}
}

// cutAt is how many bytes of a text to take for at most so many characters:
// up to the end of a line if one is in the second half, else of a word, else as
// many as may be.
func cutAt(text string, most int) int {
	end, half := len(text), 0
	n := 0
	for i := range text {
		if n == most/2 {
			half = i
		}
		if n == most {
			end = i
			break
		}
		n++
	}
	if end == len(text) {
		return end
	}
	for _, stops := range [...]string{"\n", " \t,;"} {
		if i := strings.LastIndexAny(text[half:end], stops); i >= 0 {
			_, size := utf8.DecodeRuneInString(text[half+i:])
			return half + i + size
		}
	}
	return end
}
