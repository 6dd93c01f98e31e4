package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// logged is a tail and what it logged.
func logged() (*tail, *[]string) {
	var lines []string
	return newTail(func(line []byte) { lines = append(lines, string(line)) }), &lines
}

func TestTailLogsLines(t *testing.T) {
	tl, lines := logged()
	for _, part := range []string{"one\ntw", "o\n\n", strings.Repeat("x", 2*maxLogLine) + "\nlast"} {
		tl.Write([]byte(part))
	}
	tl.end()
	want := []string{"one", "two", strings.Repeat("x", maxLogLine), "last"}
	if fmt.Sprint(*lines) != fmt.Sprint(want) {
		t.Errorf("logged %.100q", *lines)
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	tl, _ := logged()
	for i := range 10_000 {
		fmt.Fprintf(tl, "line %d of many that are all alike\n", i)
	}
	got := tl.text()
	if len(got) > tailSize || !strings.HasSuffix(got, "line 9999 of many that are all alike\n") {
		t.Errorf("kept %d bytes that end in %q", len(got), got[max(0, len(got)-50):])
	}
	tl.Write(bytes.Repeat([]byte("y"), 3*tailSize))
	if got := tl.text(); got != strings.Repeat("y", tailSize) {
		t.Errorf("after one large write: %d bytes", len(got))
	}
}

func TestTailLogsSoMuchASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tl, lines := logged()
		for _, line := range []string{"x", strings.Repeat("x", 1000)} {
			*lines = nil
			for range 50_000 {
				tl.Write([]byte(line + "\n"))
			}
			bytes := 0
			for _, l := range *lines {
				bytes += len(l) + logAround
			}
			if bytes > logPerSec || bytes < logPerSec/2 {
				t.Errorf("lines of %d bytes: %d logged in a second", len(line), bytes)
			}
			missing := 50_000 - len(*lines)
			time.Sleep(time.Second)
			*lines = nil
			tl.Write([]byte("quiet again\n"))
			if want := fmt.Sprintf("[(suppressed %d lines) quiet again]", missing); fmt.Sprint(*lines) != want {
				t.Errorf("afterwards %v, want %s", *lines, want)
			}
			time.Sleep(time.Second)
		}
		for range 50_000 {
			tl.Write([]byte("until the end\n"))
		}
		tl.end()
		if last := (*lines)[len(*lines)-1]; !strings.HasPrefix(last, "(suppressed ") {
			t.Errorf("at the end: %s", last)
		}
	})
}

func TestLastWords(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing": {"", ""},
		"blank":   {" \n\n\t\n", ""},
		"python":  {"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'API_KEY'\n", "KeyError: 'API_KEY'"},
		"node": {
			"/a.js:3\n  throw new Error('API_KEY is missing')\n        ^\n\nError: API_KEY is missing\n    at Object.<anonymous> (/a.js:3:9)\n    at node:internal/main\n\nNode.js v24.1.0\n",
			"Error: API_KEY is missing",
		},
		"colours": {"\x1b[31mERROR\x1b[0m no\x00 token\u202e\r\n", "ERROR no token"},
		"long":    {strings.Repeat("ü", 1000), "..."},
	} {
		got := lastWords(c.text)
		if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q", name, got)
		}
		if len(got) > lastBytes+3 || strings.ContainsAny(got, "\n\x1b\x00") {
			t.Errorf("%s: %d bytes, %q", name, len(got), got)
		}
	}
	tl, _ := logged()
	cause := errors.New("ended")
	if err := tl.addTo(cause); err != cause {
		t.Errorf("no words: %v", err)
	}
	tl.Write([]byte("help"))
	if err := tl.addTo(cause); err.Error() != "ended; it wrote: help" || !errors.Is(err, cause) {
		t.Errorf("words: %v", err)
	}
}

func FuzzLastWords(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\x1b[1;31mx", "\xff\xfe", strings.Repeat("ü", 500)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tl := newTail(func(line []byte) {
			if len(line) > maxLogLine {
				t.Errorf("a line of %d bytes", len(line))
			}
		})
		tl.Write(b)
		tl.end()
		if got := lastWords(tl.text()); len(got) > lastBytes+3 || strings.ContainsRune(got, '\n') {
			t.Errorf("%q", got)
		}
	})
}
