package script

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// A queue lets in so many scripts at a time. Callers that wait take turns, so that
// one with many scripts does not keep another with one waiting.
type queue struct {
	atOnce, perCaller, length int

	mu      sync.Mutex
	running int
	waiting int
	callers map[string]*line
	turns   []*line // those with somebody waiting, the next first
}

// A line is one caller's.
type line struct {
	caller  string
	running int
	waiting []chan struct{}
}

func newQueue(atOnce, perCaller, length int) *queue {
	return &queue{atOnce: atOnce, perCaller: perCaller, length: length, callers: map[string]*line{}}
}

// enter waits for admission; leave must be called after it.
func (q *queue) enter(ctx context.Context, caller string) *Error {
	q.mu.Lock()
	l := q.callers[caller]
	if l == nil {
		l = &line{caller: caller}
		q.callers[caller] = l
	}
	if q.running < q.atOnce && l.running < q.perCaller && len(l.waiting) == 0 {
		q.admit(l)
		q.mu.Unlock()
		return nil
	}
	if q.waiting >= q.length {
		q.forget(l)
		running, waiting := q.running, q.waiting
		q.mu.Unlock()
		return &Error{
			Code:    CodeBusy,
			Message: fmt.Sprintf("%d scripts are running and %d wait", running, waiting),
			Hint:    "try again later",
		}
	}
	admitted := make(chan struct{})
	l.waiting = append(l.waiting, admitted)
	q.waiting++
	if len(l.waiting) == 1 {
		q.turns = append(q.turns, l)
	}
	q.mu.Unlock()
	select {
	case <-admitted:
		return nil
	case <-ctx.Done():
		q.giveUp(l, admitted)
		return &Error{Code: CodeCancelled, Message: "the script was still waiting for others to end", Hint: "try again later"}
	}
}

func (q *queue) leave(caller string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.end(q.callers[caller])
}

func (q *queue) admit(l *line) {
	q.running++
	l.running++
}

func (q *queue) end(l *line) {
	q.running--
	l.running--
	q.forget(l)
	q.next()
}

// giveUp takes back a wait, or the admission that came at the same moment.
func (q *queue) giveUp(l *line, admitted chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(l.waiting, admitted)
	if i < 0 {
		q.end(l)
		return
	}
	l.waiting = slices.Delete(l.waiting, i, i+1)
	q.waiting--
	if len(l.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(t *line) bool { return t == l })
	}
	q.forget(l)
}

// next admits whom there is room for. A caller that got in goes to the end.
func (q *queue) next() {
	for i := 0; i < len(q.turns) && q.running < q.atOnce; {
		l := q.turns[i]
		if l.running >= q.perCaller {
			i++
			continue
		}
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
		q.waiting--
		q.admit(l)
		q.turns = slices.Delete(q.turns, i, i+1)
		if len(l.waiting) > 0 {
			q.turns = append(q.turns, l)
		}
	}
}

// forget drops a caller of whom nothing is left.
func (q *queue) forget(l *line) {
	if l.running == 0 && len(l.waiting) == 0 {
		delete(q.callers, l.caller)
	}
}
