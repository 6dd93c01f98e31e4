package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func readEvents(t *testing.T, r io.Reader, max int) ([]sseEvent, *sseReader, error) {
	t.Helper()
	s := newSSEReader(r, max)
	defer s.release()
	var out []sseEvent
	for {
		e, err := s.next()
		if err != nil {
			return out, s, err
		}
		out = append(out, e)
	}
}

func TestSSEEvents(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		data   []string
		lastID string
		retry  time.Duration
	}{
		"one":               {"data: a\n\n", []string{"a"}, "", 0},
		"no space":          {"data:a\n\n", []string{"a"}, "", 0},
		"two spaces":        {"data:  a\n\n", []string{" a"}, "", 0},
		"lines are joined":  {"data: a\ndata: b\n\n", []string{"a\nb"}, "", 0},
		"CRLF":              {"data: a\r\nid: 7\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}, "7", 0},
		"CR":                {"data: a\r\rdata: b\r\r", []string{"a", "b"}, "", 0},
		"mixed":             {"data: a\r\n\ndata: b\n\r\n", []string{"a", "b"}, "", 0},
		"byte order mark":   {"\ufeffdata: a\n\n", []string{"a"}, "", 0},
		"comments":          {": hello\n\n:\ndata: a\n: b\n\n", []string{"a"}, "", 0},
		"priming":           {"id: x\nretry: 500\ndata: \n\n", nil, "x", 500 * time.Millisecond},
		"id alone":          {"id: 1\n\ndata: a\n\n", []string{"a"}, "1", 0},
		"id with NUL":       {"id: 1\n\nid: 2\x00\ndata: a\n\n", []string{"a"}, "1", 0},
		"bad retry":         {"retry: 5s\ndata: a\n\n", []string{"a"}, "", 0},
		"field alone":       {"data\n\nid\ndata: a\n\n", []string{"a"}, "", 0},
		"unknown fields":    {"a-very-long-field-name: 1\nx: data: y\ndata: a\n\n", []string{"a"}, "", 0},
		"colons":            {"data: a:b:c\n\n", []string{"a:b:c"}, "", 0},
		"cut at the end":    {"data: a\n\ndata: b", []string{"a", "b"}, "", 0},
		"dropped name":      {"event: x\n\ndata: a\n\n", []string{"a"}, "", 0},
		"message by name":   {"event: message\ndata: a\n\n", []string{"a"}, "", 0},
		"data after a name": {"event: endpoint\ndata: /x\n\n", []string{"endpoint=/x"}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream))} {
				got, s, err := readEvents(t, r, 1000)
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				var data []string
				for _, e := range got {
					d := string(e.data)
					if e.name != "" {
						d = e.name + "=" + d
					}
					data = append(data, d)
				}
				if strings.Join(data, "|") != strings.Join(c.data, "|") || s.lastID != c.lastID || s.retry != c.retry {
					t.Errorf("got %q, id %q, retry %v", data, s.lastID, s.retry)
				}
			}
		})
	}
}

func TestSSELongEventsArriveWhole(t *testing.T) {
	for _, size := range []int{100, sseBuffer - 7, sseBuffer, sseBuffer + 1, 100_000, 5 << 20} {
		want := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
		stream := "id: 1\ndata: " + string(want) + "\n\ndata: next\n\ndata: " + string(want) + "\ndata: x\n\n"
		got, _, err := readEvents(t, strings.NewReader(stream), 6<<20)
		if !errors.Is(err, io.EOF) || len(got) != 3 {
			t.Fatalf("size %d: %d events, %v", size, len(got), err)
		}
		if !bytes.Equal(got[0].data, want) || string(got[1].data) != "next" || !bytes.Equal(got[2].data, append(want[:size:size], "\nx"...)) {
			t.Errorf("size %d: the data differ", size)
		}
	}
}

func TestSSEEventsAreBounded(t *testing.T) {
	endless := func(s string) io.Reader { return &repeater{[]byte(s), 0} }
	for name, r := range map[string]io.Reader{
		"one line":   endless("data"),
		"many lines": endless("data: 0123456789\n"),
		"comment":    io.MultiReader(strings.NewReader(":"), endless("x")),
	} {
		if _, _, err := readEvents(t, r, 100_000); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v, want it refused", name, err)
		}
	}
}

type repeater struct {
	text []byte
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}

func FuzzSSE(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "\ufeff:c\r\rdata\rid: 1\r\n\r\n", "event: endpoint\ndata: /x\ndata: y\n\nretry: 10\n\n", "data: a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 20_000
		whole, _, err := readEvents(t, bytes.NewReader(b), limit)
		pieces, _, err2 := readEvents(t, iotest.HalfReader(bytes.NewReader(b)), limit)
		if (err == nil) != (err2 == nil) || len(whole) != len(pieces) {
			t.Fatalf("%d events (%v) in one read, %d (%v) in pieces", len(whole), err, len(pieces), err2)
		}
		for i := range whole {
			if !bytes.Equal(whole[i].data, pieces[i].data) || whole[i].name != pieces[i].name {
				t.Fatalf("event %d differs: %q and %q", i, whole[i], pieces[i])
			}
			if len(whole[i].data) == 0 || len(whole[i].data) > limit {
				t.Fatalf("event %d has %d bytes", i, len(whole[i].data))
			}
		}
	})
}

func BenchmarkSSELargeEvent(b *testing.B) {
	stream := []byte("data: " + strings.Repeat("x", 10<<20) + "\n\n")
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		s := newSSEReader(bytes.NewReader(stream), 64<<20)
		if e, err := s.next(); err != nil || len(e.data) != 10<<20 {
			b.Fatal(err)
		}
		s.release()
	}
}
