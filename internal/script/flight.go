package script

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A flight is all calls of one script. So many of them run at a time; the others
// wait, in the order in which they were made.
type flight struct {
	ctx    context.Context
	host   Host
	limits *Limits
	blobs  *blobs
	news   chan struct{} // has one when a call ended since it was last looked at

	calls []*call // only the script's goroutine adds

	mu      sync.Mutex
	running int
	servers map[string]int // calls that run, per server
	queue   []*call
	held    int  // bytes of values that were not taken
	over    bool // no call is started any more
	group   sync.WaitGroup
}

// A call is one call of a tool. Until done is set its outcome belongs to the flight.
type call struct {
	server, tool string
	arguments    []byte
	line         int
	awaited      bool

	started, ended time.Time
	done           bool
	value          []byte
	fault          *fault
}

func newFlight(ctx context.Context, host Host, limits *Limits, b *blobs) *flight {
	return &flight{
		ctx: ctx, host: host, limits: limits, blobs: b,
		news: make(chan struct{}, 1), servers: map[string]int{},
	}
}

// start makes a call, at once or when there is room, and returns its number.
func (f *flight) start(c *call) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
	f.queue = append(f.queue, c)
	f.launch()
	return len(f.calls) - 1
}

// launch starts what there is room for.
func (f *flight) launch() {
	for i := 0; i < len(f.queue) && f.running < f.limits.InFlight && !f.over; {
		c := f.queue[i]
		if f.servers[c.server] >= f.limits.PerServer {
			i++
			continue
		}
		f.queue = append(f.queue[:i], f.queue[i+1:]...)
		f.running++
		f.servers[c.server]++
		c.started = time.Now()
		f.group.Go(func() { f.do(c) })
	}
}

func (f *flight) do(c *call) {
	raw, err := f.host.Call(f.ctx, c.server, c.tool, c.arguments)
	var value []byte
	var failed *fault
	if err != nil {
		failed = callFault(f.ctx, err)
	} else {
		value, failed = unpack(raw, f.limits.CallResult, f.blobs)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if failed == nil && f.held+len(value) > f.limits.Memory {
		failed = &fault{Code: CodeCallResult, Message: "the results of calls that were not awaited yet are too large: await calls earlier"}
	}
	if failed != nil {
		failed.Server, failed.Tool = c.server, c.tool
		value = nil
	}
	f.held += len(value)
	c.value, c.fault, c.ended, c.done = value, failed, time.Now(), true
	c.arguments = nil
	f.running--
	f.servers[c.server]--
	f.launch()
	select {
	case f.news <- struct{}{}:
	default:
	}
}

func (f *flight) isDone(id int) bool { return f.anyDone([]int{id}) }

func (f *flight) anyDone(ids []int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		if f.calls[id].done {
			return true
		}
	}
	return false
}

// waitAny waits until one of some calls is done, or ctx.
func (f *flight) waitAny(ctx context.Context, ids []int) {
	for !f.anyDone(ids) {
		select {
		case <-f.news:
		case <-ctx.Done():
			return
		}
	}
}

// take hands over the value of a call that is done.
func (f *flight) take(id int) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.calls[id]
	value := c.value
	c.value = nil
	f.held -= len(value)
	return value
}

// finish starts no more calls, and returns those that nobody awaited.
func (f *flight) finish() (unfinished []*call) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	for _, c := range f.calls {
		if !c.awaited {
			unfinished = append(unfinished, c)
		}
	}
	return unfinished
}

// goodbye is how long calls have to end after they were cancelled.
const goodbye = time.Second

// wait waits for calls that were cancelled. A host that does not heed its context
// must not hold the script up for ever.
func (f *flight) wait() {
	f.mu.Lock()
	f.over = true
	idle := f.running == 0
	f.mu.Unlock()
	if idle {
		return
	}
	ended := make(chan struct{})
	go func() { f.group.Wait(); close(ended) }()
	timer := time.NewTimer(goodbye)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}

// callFault is what a script is told of a call that did not get through.
func callFault(ctx context.Context, err error) *fault {
	f := &fault{Code: CodeCallFailed, Message: err.Error()}
	if ctx.Err() != nil {
		f.Code = CodeCancelled
	} else if coded, ok := err.(interface{ Code() string }); ok {
		f.Code = Code(coded.Code())
	}
	if f.Message == "" {
		f.Message = fmt.Sprintf("%T", err)
	}
	return f
}
