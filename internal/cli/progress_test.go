package cli

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// What changes never takes more lines than a terminal has, and nothing of it is
// left at the end.
func TestProgressFitsTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		screen := &screenOf{t: t, height: 6}
		p := &progress{out: screen, term: terminal{width: 20, height: 6, live: true}}
		p.expect(30)
		for i := range 30 {
			p.began(fmt.Sprintf("server-with-a-long-name-%d", i))
		}
		p.say("a line of the log\n")
		for i := range 30 {
			p.ended(fmt.Sprintf("server-with-a-long-name-%d", i), "3 tools in 0.1s", i%2 == 0)
		}
		p.close()
		said := 0
		for _, line := range screen.lines {
			if strings.HasPrefix(line, "ok") || strings.HasPrefix(line, "--") || line == "a line of the log" {
				said++
			} else if line != "" {
				t.Errorf("left: %q", line)
			}
			if len(line) > 20 {
				t.Errorf("too long: %q", line)
			}
		}
		if said != 31 {
			t.Errorf("%d lines are said:\n%s", said, strings.Join(screen.lines, "\n"))
		}
	})
}

// A screenOf is a terminal as far as progress needs one.
type screenOf struct {
	t      *testing.T
	height int
	lines  []string
}

func (s *screenOf) Write(b []byte) (int, error) {
	text := string(b)
	if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
		var up int
		if _, err := fmt.Sscanf(rest, "%dA", &up); err != nil {
			s.t.Fatalf("%q: %v", text, err)
		}
		if up >= s.height {
			s.t.Errorf("%d lines up on a terminal of %d", up, s.height)
		}
		_, text, _ = strings.Cut(rest, "\x1b[J")
		s.lines = s.lines[:len(s.lines)-up]
	}
	if strings.Contains(text, "\x1b") {
		s.t.Errorf("unknown codes: %q", text)
	}
	if text != "" {
		s.lines = append(s.lines, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
	}
	return len(b), nil
}
