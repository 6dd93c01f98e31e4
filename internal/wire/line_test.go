package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// chunks is a reader that returns its text in pieces of the given sizes, the
// last size for ever.
type chunks struct {
	text  string
	sizes []int
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := len(c.text)
	if len(c.sizes) > 0 {
		if n = c.sizes[0]; len(c.sizes) > 1 {
			c.sizes = c.sizes[1:]
		}
	}
	n = copy(p[:min(n, len(p))], c.text)
	c.text = c.text[n:]
	return n, nil
}

// lineOr is one thing that a reader saw: a line, or that one was too long.
type lineOr struct {
	line    string
	tooLong bool
}

// linesOf reads everything, stepping over what is too long.
func linesOf(t testing.TB, l *lineReader) (all []lineOr) {
	t.Helper()
	for {
		line, err := l.next()
		switch {
		case errors.Is(err, errTooLong):
			all = append(all, lineOr{tooLong: true})
			if err := l.skipLine(); errors.Is(err, io.EOF) {
				return all
			} else if err != nil {
				t.Fatal(err)
			}
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		default:
			all = append(all, lineOr{line: string(line)})
		}
	}
}

// wantedLines says the same in a few words.
func wantedLines(text string, limit int) (all []lineOr) {
	for text != "" {
		line, rest, ended := strings.Cut(text, "\n")
		text = rest
		if len(line) > limit {
			all = append(all, lineOr{tooLong: true})
			continue
		}
		if ended {
			line = strings.TrimSuffix(line, "\r")
		}
		all = append(all, lineOr{line: line})
	}
	return all
}

// compareLines reads text in chunks of some sizes, with a buffer of the usual
// size or another one to begin with.
func compareLines(t testing.TB, text string, limit, buffer int, sizes ...int) {
	t.Helper()
	l := newLineReader(&chunks{text, sizes}, limit)
	if buffer > 0 {
		l.buf = make([]byte, buffer)
	}
	got := linesOf(t, l)
	want := wantedLines(text, limit)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("limit %d, chunks %v: thing %d differs\n got %.200v\nwant %.200v", limit, sizes, i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

func TestLines(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, text := range []string{
		"", "\n", "\n\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\r\n", "a\rb\n", "a\r",
		x(10) + "\n" + x(11) + "\n" + x(12) + "\n", x(100), x(100) + "\na\n", "a\n" + x(100) + "\nb\n" + x(100) + "\n\nc",
		x(smallBuffer-1) + "\n" + x(smallBuffer) + "\n" + x(smallBuffer+1) + "\nz\n",
		x(3*smallBuffer) + "\n" + x(100) + "\n" + x(2*largeBuffer+5) + "\n" + x(7) + "\n" + x(largeBuffer),
		strings.Repeat("short line\n", 20_000),
	} {
		for _, limit := range []int{0, 1, 10, 11, 1000, smallBuffer, largeBuffer, 10 << 20} {
			for _, sizes := range [][]int{{1 << 20}, {1, 2, 3, 5, 1000}, {smallBuffer - 1, 1, smallBuffer + 1, 17, 4096}} {
				compareLines(t, text, limit, 0, sizes...)
			}
		}
		if len(text) < 1000 {
			compareLines(t, text, 11, 0, 1)
			compareLines(t, text, 11, 4, 3)
		}
	}
}

func TestLinesHaveMemoryOfTheirOwn(t *testing.T) {
	l := newLineReader(strings.NewReader("first\nsecond\n"), 100)
	first, err := l.next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = l.next(); err != nil {
		t.Fatal(err)
	}
	if string(first) != "first" {
		t.Errorf("the first line became %q", first)
	}
}

// A peer can send without end: what it costs is the limit, not what it sends.
func TestEndlessLineTakesLittleMemory(t *testing.T) {
	const limit = 4 << 20
	used := bytesAllocated(func() {
		l := newLineReader(io.LimitReader(endless{}, 200<<20), limit)
		if _, err := l.next(); !errors.Is(err, errTooLong) {
			t.Errorf("got %v", err)
		}
		if err := l.skipLine(); !errors.Is(err, io.EOF) {
			t.Errorf("skipping: %v", err)
		}
	})
	if used > 2*limit {
		t.Errorf("%d bytes for a limit of %d", used, limit)
	}
}

// A line is gathered once and joined once.
func TestLongLineCostsTwiceItsSize(t *testing.T) {
	const size = 16 << 20
	text := strings.Repeat("x", size) + "\n"
	used := bytesAllocated(func() {
		if line, err := newLineReader(strings.NewReader(text), size).next(); err != nil || len(line) != size {
			t.Errorf("%d bytes, %v", len(line), err)
		}
	})
	if used > 2*size+3*largeBuffer {
		t.Errorf("%d bytes for a line of %d", used, size)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestLinesOfBadReaders(t *testing.T) {
	if _, err := newLineReader(stuck{}, 100).next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that returns nothing: %v", err)
	}
	broken := errors.New("broken")
	l := newLineReader(io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(broken)), 100)
	if line, err := l.next(); err != nil || string(line) != "a" {
		t.Errorf("got %q, %v", line, err)
	}
	if line, err := l.next(); !errors.Is(err, broken) {
		t.Errorf("half a line of a broken stream: %q, %v", line, err)
	}
	// The last bytes and the end at once.
	l = newLineReader(iotest.DataErrReader(strings.NewReader("a\nb\nc")), 100)
	for _, want := range []string{"a", "b", "c"} {
		if line, err := l.next(); err != nil || string(line) != want {
			t.Errorf("got %q, %v, want %q", line, err, want)
		}
	}
	if _, err := l.next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func BenchmarkLines(b *testing.B) {
	text := bytes.Repeat([]byte(smallResponse+"\n"), 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l := newLineReader(bytes.NewReader(text), MaxMessage)
		for {
			if _, err := l.next(); err != nil {
				break
			}
		}
	}
}
