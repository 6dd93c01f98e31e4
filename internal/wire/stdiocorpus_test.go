package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
)

// fate is what becomes of a call whose server says something of the corpus and
// then gives a proper answer.
type fate int

const (
	survives fate = iota // the proper answer is what it gets
	spoiled              // it fails, and the error says that the answer was malformed
	answered             // what was said is an answer, odd as it may be
	linkEnds             // that was more noise than a server may make
)

// fateOf follows from what Parse, which has tests of its own, says of each line.
func fateOf(text []byte, id ID) fate {
	noise := 0
	for _, line := range bytes.Split(text, []byte("\n")) {
		parts := batchOf(line)
		if parts == nil {
			parts = [][]byte{line}
		}
		for _, part := range parts {
			m, err := Parse(part)
			var bad *MalformedError
			switch {
			case err == nil && m.Kind == Response && m.ID == id:
				return answered
			case errors.As(err, &bad) && bad.Answer && bad.ID == id:
				return spoiled
			case err != nil:
				noise += len(part)
			}
		}
		if noise > maxNoise {
			return linkEnds
		}
	}
	return survives
}

// F10, toward servers.
func TestCorpusOnALink(t *testing.T) {
	noLeaks(t)
	count := map[fate]int{}
	var l *StdioLink
	var far *farEnd
	n := uint64(0)
	for _, c := range mcptest.Malformed() {
		if l == nil {
			far, l = corpusLink(t)
			n = 0
		}
		n++
		id := numberID(n)
		want := fateOf(c.Raw([]byte(id)), id)
		count[want]++
		done := callInBackground(t.Context(), l, "work")
		if m := nextRequest(far); m.ID != id {
			t.Fatalf("%s: id %s, want %s", c.Name, m.ID, id)
		}
		go func(to *io.PipeWriter) { // a link that ends does not read all of it
			to.Write(append(c.Raw([]byte(id)), '\n'))
			to.Write(append(AppendResult(nil, id, []byte(`{"proper":true}`)), '\n'))
			to.Write([]byte(`{"jsonrpc":"2.0","id":"next","method":"ping"}` + "\n"))
		}(far.in)
		got := wantCalled(t, done)
		switch want {
		case survives:
			if got.err != nil || got.result != `{"proper":true}` {
				t.Errorf("%s: got %v", c.Name, got)
			}
		case spoiled:
			if AsError(got.err).Code != CodeInternal || !strings.Contains(got.err.Error(), "sent a malformed answer: ") {
				t.Errorf("%s: got %v", c.Name, got)
			}
		case answered:
			var fault *Error
			if got.result == `{"proper":true}` || (got.err != nil && !errors.As(got.err, &fault)) {
				t.Errorf("%s: got %v", c.Name, got)
			}
		case linkEnds:
			if !strings.Contains(wantTransportError(t, got.err).Error(), "that are no messages") {
				t.Errorf("%s: got %v", c.Name, got)
			}
			l.Close()
			l = nil
			continue
		}
		for line := ""; line != `{"jsonrpc":"2.0","id":"next","result":{}}`; {
			line = far.next() // answers to what requests were in the case
		}
		if l.Err() != nil {
			t.Fatalf("%s: the link ended: %v", c.Name, l.Err())
		}
	}
	if count[survives] < 50 || count[spoiled] < 50 || count[answered] < 50 || count[linkEnds] < 2 || count[linkEnds] > 20 {
		t.Errorf("the corpus tests too little: %v", count)
	}
}

func corpusLink(t *testing.T) (*farEnd, *StdioLink) {
	far, in, out := newFarEnd(t)
	l := NewStdioLink(out, in, StdioLinkOptions{Receiver: newHeard(), Close: func() error { out.Close(); return in.Close() }})
	t.Cleanup(func() { l.Close() })
	return far, l
}

func nextRequest(far *farEnd) Message {
	for {
		if m := far.nextMessage(); m.Kind == Request {
			return m
		}
	}
}

// expected are the answers that an agent gets to what it says, as id and code.
func expected(text []byte) (answers []string) {
	for _, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		parts := batchOf(line)
		if parts == nil {
			parts = [][]byte{line}
		}
		for _, part := range parts {
			m, err := Parse(part)
			var bad *MalformedError
			switch {
			case errors.As(err, &bad) && !bad.Unawaited:
				id := bad.ID
				if id == "" {
					id = "null"
				}
				answers = append(answers, fmt.Sprintf("%s %d", id, bad.Fault.Code))
			case err == nil && m.Kind == Request:
				answers = append(answers, fmt.Sprintf("%s any", m.ID))
			}
		}
	}
	slices.Sort(answers)
	return answers
}

// F10, toward agents.
func TestCorpusFromAnAgent(t *testing.T) {
	a := legacyAgent(t, &scripted{serve: echoing})
	total := 0
	for i, c := range mcptest.Malformed() {
		id := fmt.Sprintf(`"case %d"`, i)
		text := c.Raw([]byte(id))
		want := expected(text)
		total += len(want)
		a.say(string(text))
		var got []string
		for j := range want {
			m := a.nextMessage()
			answer := fmt.Sprintf("%s any", m.ID)
			if !slices.Contains(want, answer) && m.Fault != nil {
				answer = fmt.Sprintf("%s %d", m.ID, m.Fault.Code)
			}
			if m.Kind != Response {
				t.Fatalf("%s: answer %d is %+v", c.Name, j, m)
			}
			got = append(got, answer)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: answered %q, want %q", c.Name, got, want)
		}
		if before := a.settle(); len(before) > 0 {
			t.Errorf("%s: answered more: %q", c.Name, before)
		}
		a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"x","params":{"n":%d}}`, i, i))
		a.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"n":%d}}`, i, i))
	}
	if total < 100 {
		t.Errorf("the corpus tests too little: %d answers", total)
	}
}
