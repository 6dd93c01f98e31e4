package wire

import (
	"sync"
	"time"
)

// Alarms ring some time after they were set, the same time for all, if they are not
// stopped before. Nearly all are: so they stand in a list, the one that is due first
// in front, behind one timer for all, which costs each of them less than a timer of
// its own.
type Alarms struct {
	after time.Duration

	mu          sync.Mutex
	first, last *Alarm
	timer       *time.Timer
	runs        bool // the timer does
}

// An Alarm is part of what it is set for.
type Alarm struct {
	rings      Ringer // nil while it is not set
	due        time.Duration
	prev, next *Alarm
}

// A Ringer is told when its alarm goes off. It must not block: others may be due.
type Ringer interface{ Ring() }

// NewAlarms makes alarms that ring after some time.
func NewAlarms(after time.Duration) *Alarms { return &Alarms{after: after} }

// loaded is where the time is counted from that alarms are due at.
var loaded = time.Now()

// Set has an alarm ring that is not set.
func (a *Alarms) Set(one *Alarm, r Ringer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	one.rings, one.due, one.prev = r, time.Since(loaded)+a.after, a.last
	if a.last != nil {
		a.last.next = one
	} else {
		a.first = one
	}
	a.last = one
	if a.runs {
		return
	}
	a.runs = true
	if a.timer == nil {
		a.timer = time.AfterFunc(a.after, a.ring)
	} else {
		a.timer.Reset(a.after)
	}
}

// Stop takes an alarm back, if it is set. One that is going off at this moment may
// still ring.
func (a *Alarms) Stop(one *Alarm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if one.rings != nil {
		a.remove(one)
	}
}

func (a *Alarms) remove(one *Alarm) {
	if one.prev != nil {
		one.prev.next = one.next
	} else {
		a.first = one.next
	}
	if one.next != nil {
		one.next.prev = one.prev
	} else {
		a.last = one.prev
	}
	*one = Alarm{}
}

// ring wakes whoever is due, and sees to it that the next one will be.
func (a *Alarms) ring() {
	for {
		r := a.take()
		if r == nil {
			return
		}
		r.Ring()
	}
}

func (a *Alarms) take() Ringer {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.first == nil {
		a.runs = false
		return nil
	}
	if wait := a.first.due - time.Since(loaded); wait > 0 {
		a.timer.Reset(wait)
		return nil
	}
	r := a.first.rings
	a.remove(a.first)
	return r
}
