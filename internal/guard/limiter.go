package guard

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxBuckets bounds what is remembered of the calls of the last hour. Beyond it what
// was not called for longest is forgotten, as if it had not been called.
const maxBuckets = 10_000

// A limiter counts calls. What was counted stays when the policy changes. The zero
// value is ready.
type limiter struct {
	mu sync.Mutex
	// due is when each bucket would be full again: a call moves it by the time that one
	// takes to come back. One that is due is as good as none.
	due     map[bucket]time.Time
	running map[bucket]int // calls under way; none is kept at 0
	most    int            // in place of maxBuckets, for tests
}

// A bucket is what one rate of a limit is counted in.
type bucket struct {
	limit                string
	in                   time.Duration // 0: calls at once
	caller, server, tool string
}

// enter counts a call if it is within all limits, and tells else beyond which it is by
// most. leave is to be called at its end.
func (l *limiter) enter(limits []*bound, caller, server, tool string) (leave func(), over *excess) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	var busy []bucket
	due := map[bucket]time.Time{}
	worse := func(limit *Limit, wait time.Duration) {
		if over == nil || wait > over.wait {
			over = &excess{limit, wait}
		}
	}
	for _, b := range limits {
		key := b.bucket(caller, server, tool)
		if b.AtOnce > 0 {
			busy = append(busy, key)
			if l.running[key] >= b.AtOnce {
				worse(b.Limit, 0)
			}
		}
		for _, r := range b.rates() {
			key.in = r.in
			one := r.in / time.Duration(r.calls)
			next := now.Add(one)
			if was := l.due[key]; was.After(now) {
				next = was.Add(one)
			}
			if wait := next.Sub(now) - one*time.Duration(r.calls); wait > 0 {
				worse(b.Limit, wait)
			}
			due[key] = next
		}
	}
	if over != nil {
		return nil, over
	}
	if l.due == nil {
		l.due, l.running = map[bucket]time.Time{}, map[bucket]int{}
	}
	maps.Copy(l.due, due)
	l.forget(now)
	for _, key := range busy {
		l.running[key]++
	}
	return func() { l.leave(busy) }, nil
}

func (l *limiter) leave(busy []bucket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range busy {
		if l.running[key]--; l.running[key] <= 0 {
			delete(l.running, key)
		}
	}
}

// forget keeps to the most that there may be. It lets go of a tenth at a time, so that it is done
// seldom.
func (l *limiter) forget(now time.Time) {
	most := cmp.Or(l.most, maxBuckets)
	if len(l.due) <= most {
		return
	}
	maps.DeleteFunc(l.due, func(_ bucket, due time.Time) bool { return !due.After(now) })
	most -= most / 10
	if len(l.due) <= most {
		return
	}
	oldest := slices.SortedFunc(maps.Keys(l.due), func(a, b bucket) int { return l.due[a].Compare(l.due[b]) })
	for _, key := range oldest[:len(oldest)-most] {
		delete(l.due, key)
	}
}

// bucket is what a call is counted in.
func (b *bound) bucket(caller, server, tool string) bucket {
	key := bucket{limit: b.id}
	for _, share := range b.Each {
		switch share {
		case EachCaller:
			key.caller = caller
		case EachServer:
			key.server = server
		case EachTool:
			key.server, key.tool = server, tool
		}
	}
	return key
}
