package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// A progress shows how work on several servers goes. On a terminal every server
// at work has a line that is kept up to date below what is already said; anywhere
// else each is told of once, when it has ended. Logs go through it, so that they
// do not end up in the middle of a line.
type progress struct {
	out  io.Writer
	term terminal

	mu      sync.Mutex
	total   int
	done    int
	running []job
	drawn   int // lines below what is said
	stop    chan struct{}
	stopped chan struct{}
}

type job struct {
	name  string
	since time.Time
}

// refreshEvery is how often times on a terminal are brought up to date.
const refreshEvery = 100 * time.Millisecond

func newProgress(out io.Writer, getenv func(string) string) *progress {
	return &progress{out: out, term: terminalOf(out, getenv)}
}

// expect says that n servers will be worked on.
func (p *progress) expect(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total += n
	if !p.term.live || p.stop != nil {
		return
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	p.stop, p.stopped = stop, stopped
	go func() {
		defer close(stopped)
		tick := time.NewTicker(refreshEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.say("")
			case <-stop:
				return
			}
		}
	}()
}

func (p *progress) began(name string) {
	p.mu.Lock()
	p.running = append(p.running, job{name, time.Now()})
	p.mu.Unlock()
	p.say("")
}

// ended takes the last word on a server.
func (p *progress) ended(name, result string, ok bool) {
	p.mu.Lock()
	p.done++
	p.running = slices.DeleteFunc(p.running, func(j job) bool { return j.name == name })
	p.mu.Unlock()
	if !p.term.live {
		p.say(fmt.Sprintf("%s: %s\n", clean(name), result))
		return
	}
	mark, colour := "ok", green
	if !ok {
		mark, colour = "--", red
	}
	rest := cut(fmt.Sprintf("%s  %s", clean(name), result), p.term.width-len(mark)-len(gap)-1)
	p.say(p.term.paint(colour, mark) + gap + rest + "\n")
}

// Write is for logs.
func (p *progress) Write(b []byte) (int, error) {
	p.say(string(b))
	return len(b), nil
}

// say writes whole lines above those that change, and brings those up to date.
func (p *progress) say(lines string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.term.live {
		io.WriteString(p.out, lines)
		return
	}
	below := p.below()
	if lines == "" && below == "" && p.drawn == 0 {
		return
	}
	io.WriteString(p.out, p.erase()+lines+below)
	p.drawn = strings.Count(below, "\n")
}

// erase removes the lines that change.
func (p *progress) erase() string {
	if p.drawn == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", p.drawn)
}

// below is what is under way now. It never is as high as the terminal, which
// could not go back to its first line.
func (p *progress) below() string {
	if p.stop == nil {
		return ""
	}
	var b strings.Builder
	now := time.Now()
	shown := p.running[:min(len(p.running), p.term.height-3)]
	for _, j := range shown {
		b.WriteString(cut(fmt.Sprintf("..  %s  %s", clean(j.name), seconds(now.Sub(j.since))), p.term.width-1) + "\n")
	}
	if p.total > 1 {
		b.WriteString(cut(fmt.Sprintf("%d of %d done, %d waiting", p.done, p.total, p.total-p.done-len(p.running)), p.term.width-1) + "\n")
	}
	return b.String()
}

// close leaves nothing that changes on the terminal.
func (p *progress) close() {
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop == nil {
		return
	}
	close(stop)
	<-p.stopped
	p.mu.Lock()
	defer p.mu.Unlock()
	io.WriteString(p.out, p.erase())
	p.drawn, p.running = 0, nil
}
