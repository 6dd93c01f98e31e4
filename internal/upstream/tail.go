package upstream

import (
	"bytes"
	"fmt"
	"sync"
	"time"
)

const (
	tailSize   = 64 << 10 // kept of what a server writes to its standard error
	logPerSec  = 1 << 20  // at most so much of it goes to the log
	maxLogLine = 4 << 10
	logAround  = 128 // what a log adds to each line: its time, its server
)

// A tail takes all that a server writes to its standard error, whatever its
// speed, keeps the end of it, and logs no more than logPerSec.
type tail struct {
	log func(line []byte)

	mu         sync.Mutex
	kept       []byte // tailSize of it and, now and then, as much more
	line       []byte // not ended yet
	second     time.Time
	logged     int // in this second
	suppressed int
}

func newTail(log func(line []byte)) *tail { return &tail{log: log} }

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	keep := b[max(0, len(b)-tailSize):]
	if len(t.kept)+len(keep) > 2*tailSize { // seldom, so that a byte is moved once
		t.kept = t.kept[:copy(t.kept, t.kept[len(t.kept)+len(keep)-tailSize:])]
	}
	t.kept = append(t.kept, keep...)
	for rest := b; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			t.line = append(t.line, rest[:min(len(rest), maxLogLine-len(t.line))]...)
			break
		}
		t.line = append(t.line, rest[:min(i, maxLogLine-len(t.line))]...)
		t.emit()
		rest = rest[i+1:]
	}
	return len(b), nil
}

// emit logs the line that just ended, unless there were too many.
func (t *tail) emit() {
	line := t.line
	t.line = t.line[:0]
	if len(line) == 0 {
		return
	}
	if now := time.Now(); now.Sub(t.second) >= time.Second {
		t.confess()
		t.second, t.logged = now, 0
	}
	if t.logged += len(line) + logAround; t.logged > logPerSec {
		t.suppressed++
		return
	}
	t.log(line)
}

// confess logs how much was not logged.
func (t *tail) confess() {
	if t.suppressed > 0 {
		t.log(fmt.Appendf(nil, "(suppressed %d lines)", t.suppressed))
		t.suppressed = 0
	}
}

// end is called when nothing more comes.
func (t *tail) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.emit()
	t.confess()
}

// text is what was kept.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-tailSize):])
}
