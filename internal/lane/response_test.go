package lane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// answers are handlers that say things in all the ways there are.
var answers = map[string]http.HandlerFunc{
	"nothing":  func(http.ResponseWriter, *http.Request) {},
	"a status": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
	"no body":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	"a body where none may be": func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
		_, _ = io.WriteString(w, "x")
	},
	"an error": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such thing", http.StatusNotFound) },
	"the first": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "a/b")
		w.WriteHeader(201)
		w.WriteHeader(202)
		w.Header().Set("X-Late", "1")
		say(w, "x")
	},
	"headers": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("X-A", "1")
		w.Header().Add("X-A", "2")
		w.Header().Set("X-B", "one\r\nX-C: two")
		say(w, "x")
	},
	"a long header": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-A", strings.Repeat("a", 2*room))
		say(w, "x")
	},
	"pieces": func(w http.ResponseWriter, _ *http.Request) { say(w, "one, ", "two, ", "three") },
	"long":   func(w http.ResponseWriter, _ *http.Request) { say(w, strings.Repeat("a", 3*maxHeld)) },
	"long pieces": func(w http.ResponseWriter, _ *http.Request) {
		say(w, strings.Repeat("a", maxHeld-1), "bb", strings.Repeat("c", 2*maxHeld), "d")
	},
	"announced": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(2*maxHeld+4))
		say(w, "<", strings.Repeat("a", 2*maxHeld), ">", "!", "!")
	},
	"flushed": func(w http.ResponseWriter, _ *http.Request) {
		rc := http.NewResponseController(w)
		w.WriteHeader(http.StatusOK)
		_ = rc.Flush()
		for _, text := range []string{"one, ", "two, ", "", "three"} {
			say(w, text)
			_ = rc.Flush()
		}
	},
	"flushed and announced": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "4")
		say(w, "ab")
		w.(http.Flusher).Flush()
		say(w, "cd")
	},
	"deadlines": func(w http.ResponseWriter, _ *http.Request) {
		rc := http.NewResponseController(w)
		err := errors.Join(rc.SetReadDeadline(time.Now().Add(time.Minute)), rc.SetWriteDeadline(time.Now().Add(time.Minute)), rc.SetWriteDeadline(time.Time{}))
		say(w, fmt.Sprint(err))
	},
}

func say(w http.ResponseWriter, texts ...string) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/plain")
	}
	for _, text := range texts {
		_, _ = io.WriteString(w, text)
	}
}

// What agents get is what they would get of net/http, and the connection goes on.
func TestResponseAsByNetHTTP(t *testing.T) {
	for name, h := range answers {
		t.Run(name, func(t *testing.T) {
			r := start(t, h)
			mine, theirs := r.dial(), r.dial()
			for range 2 {
				mine.send(post("x"))
				theirs.send(post("x", "Pragma: x")) // which is not usual
				got, text := mine.answer()
				want, wanted := theirs.answer()
				if got.StatusCode != want.StatusCode || text != wanted || got.ContentLength != want.ContentLength || !cmp.Equal(got.TransferEncoding, want.TransferEncoding) {
					t.Errorf("%d %d %v %.60q\nnet/http: %d %d %v %.60q", got.StatusCode, got.ContentLength, got.TransferEncoding, text, want.StatusCode, want.ContentLength, want.TransferEncoding, wanted)
				}
				for _, h := range []http.Header{got.Header, want.Header} {
					if _, err := http.ParseTime(h.Get("Date")); err != nil {
						t.Error(err)
					}
					h.Del("Date")
				}
				if diff := cmp.Diff(want.Header, got.Header); diff != "" {
					t.Errorf("-net/http +lane\n%s", diff)
				}
			}
			if n := r.others.Load(); n != 2 {
				t.Errorf("net/http answered %d", n)
			}
		})
	}
}

// A response that is not what it was announced as ends the connection.
func TestBrokenAnnouncement(t *testing.T) {
	r := start(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Length", "3")
		b, _ := io.ReadAll(q.Body)
		if _, err := w.Write(b); string(b) == "long" && !errors.Is(err, http.ErrContentLength) {
			t.Errorf("%v", err)
		}
	})
	short := r.dial()
	short.send(post("ab"))
	resp, err := http.ReadResponse(short.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(resp.Body); string(b) != "ab" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q %v", b, err)
	}
	long := r.dial()
	long.send(post("long"))
	if !long.over() {
		t.Error("the connection goes on")
	}
}

// A handler that wants the connection closed has it closed.
func TestCloseAfter(t *testing.T) {
	r := start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		say(w, "bye")
	})
	c := r.dial()
	c.send(post("x"))
	if resp, text := c.answer(); text != "bye" || !resp.Close {
		t.Errorf("%q %v", text, resp.Header)
	}
	if !c.over() {
		t.Error("it goes on")
	}
}

// A panic costs one connection.
func TestPanic(t *testing.T) {
	r := start(t, func(_ http.ResponseWriter, q *http.Request) {
		if q.Header.Get("X-Abort") != "" {
			panic(http.ErrAbortHandler)
		}
		panic("oh")
	})
	for _, header := range []string{"X-A: 1", "X-Abort: 1"} {
		c := r.dial()
		c.send(post("x", header))
		if !c.over() {
			t.Error("it goes on")
		}
	}
}

// An agent that does not read is waited for only so long.
func TestStalledReader(t *testing.T) {
	failed := make(chan error, 1)
	r := start(t, func(w http.ResponseWriter, q *http.Request) {
		rc := http.NewResponseController(w)
		_ = errors.Join(rc.SetWriteDeadline(time.Now().Add(time.Hour)), rc.SetWriteDeadline(time.Now().Add(-slack)))
		w.Header().Set("Content-Length", "1000000000")
		piece := bytes.Repeat([]byte("a"), 1<<20)
		for {
			if _, err := w.Write(piece); err != nil {
				failed <- errors.Join(err, q.Context().Err())
				return
			}
		}
	})
	c := r.dial()
	c.send(post("x"))
	if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
