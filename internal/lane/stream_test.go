package lane

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever a client sends on a connection, request upon request, whole and spoilt and in
// pieces: it is answered as net/http alone answers it.
func TestStreamsAsByNetHTTP(t *testing.T) {
	mine, theirs := start(t, describe), startAt(t, "", describe)
	var kinds []string
	for _, q := range requests {
		if len(q.text) < 8<<10 {
			kinds = append(kinds, q.text)
		}
	}
	slices.Sort(kinds)
	spoilers := []string{
		"\r\n", "\n", "\r", " ", "\t", "\x00", ":", ",", "+", "0x", "\x80", "POST ", "HTTP/1.1", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n",
		"0\r\n\r\n", "Host: b\r\n", "Connection: close\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	}
	for seed := range uint64(400) {
		chance := rand.New(rand.NewPCG(seed, 1))
		var stream string
		for range 1 + chance.IntN(4) {
			one := post("usual")
			if chance.IntN(2) == 0 {
				one = kinds[chance.IntN(len(kinds))]
			}
			switch at, with := chance.IntN(len(one)), spoilers[chance.IntN(len(spoilers))]; chance.IntN(5) {
			case 0:
				one = one[:at] + with + one[at:]
			case 1:
				one = one[:at] + with + one[at+1:]
			case 2:
				one += with
			}
			stream += one
		}
		cut := chance.IntN(len(stream))
		got, whole := mine.answers(stream[:cut], stream[cut:])
		want, wanted := theirs.answers(stream[:cut], stream[cut:])
		if !whole || !wanted {
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, cut at %d: %q\n-net/http +lane\n%s", seed, cut, stream, diff)
		}
	}
}

// describe answers with what it was given.
func describe(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	text := fmt.Sprintf("%s %s %s %s %d %v %q %v", r.Method, r.RequestURI, r.Host, r.Proto, r.ContentLength, r.Header, b, err)
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	_, _ = io.WriteString(w, text)
}

// answers are all that come on one connection. They are not whole if it was reset, as it
// is if something was left unread.
func (r *rig) answers(pieces ...string) (all []string, whole bool) {
	c := r.dial()
	defer c.Close()
	for _, text := range pieces {
		if _, err := io.WriteString(c, text); err != nil {
			return nil, false
		}
	}
	_ = c.CloseWrite()
	for {
		if _, err := c.r.Peek(1); err == io.EOF {
			break
		}
		resp, err := http.ReadResponse(c.r, nil)
		if err != nil {
			return nil, false
		}
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, false
		}
		resp.Header.Del("Date")
		all = append(all, fmt.Sprintf("%d %v %s", resp.StatusCode, resp.Header, b))
	}
	// An end of less than four bytes is not worth an answer to net/http, unless they are
	// the first that it sees.
	if n := len(all); n > 0 && strings.HasPrefix(all[n-1], "400 ") {
		all = all[:n-1]
	}
	return all, true
}
