package wire

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// rung notes when it rang.
type rung struct {
	Alarm
	mu sync.Mutex
	at []time.Time
}

func (r *rung) Ring() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = append(r.at, time.Now())
}

func TestAlarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAlarms(time.Minute)
		began := time.Now()
		var all [5]rung
		for i := range all {
			a.Set(&all[i].Alarm, &all[i])
			time.Sleep(time.Second)
		}
		for _, i := range []int{2, 0, 4, 2} { // from the middle, the front and the end, and once more
			a.Stop(&all[i].Alarm)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		for i := range all {
			stopped := i == 0 || i == 2 || i == 4
			switch {
			case stopped && len(all[i].at) > 0:
				t.Errorf("%d was stopped and rang", i)
			case !stopped && (len(all[i].at) != 1 || all[i].at[0].Sub(began) != time.Minute+time.Duration(i)*time.Second):
				t.Errorf("%d rang at %v", i, all[i].at)
			}
		}
		if a.first != nil || a.last != nil || a.runs {
			t.Error("something is left")
		}
		again := &rung{}
		a.Set(&again.Alarm, again)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if len(again.at) != 1 {
			t.Error("it rings only once")
		}
	})
}

func TestAlarmsByMany(t *testing.T) {
	a := NewAlarms(time.Millisecond)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 500 {
				r := &rung{}
				a.Set(&r.Alarm, r)
				if i%2 == 0 {
					a.Stop(&r.Alarm)
				}
			}
		})
	}
	all.Wait()
	synced := make(chan struct{})
	last := ringFunc(func() { close(synced) })
	a.Set(new(Alarm), last)
	<-synced
}

type ringFunc func()

func (f ringFunc) Ring() { f() }

func BenchmarkAlarm(b *testing.B) {
	a := NewAlarms(time.Minute)
	r := &rung{}
	b.ReportAllocs()
	for b.Loop() {
		a.Set(&r.Alarm, r)
		a.Stop(&r.Alarm)
	}
}

func BenchmarkTimer(b *testing.B) {
	r := &rung{}
	b.ReportAllocs()
	for b.Loop() {
		time.AfterFunc(time.Minute, r.Ring).Stop()
	}
}
