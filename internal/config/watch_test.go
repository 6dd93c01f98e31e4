package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A rig is files in memory that are watched, in fake time.
type rig struct {
	t       *testing.T
	watches atomic.Int32 // times that the notifier was told what to watch
	reader  *Reader
	news    chan struct{}

	mu      sync.Mutex
	files   map[string]string
	loads   int
	applied []string // the command of server a, each time
	problem error
	refuse  error
	told    int
}

const mainFile = "/etc/toolcrib.yaml"

func server(command string) string { return "servers:\n  a: {command: " + command + "}\n" }

// watched runs Watch on a file that has server a with command one.
func watched(t *testing.T, run func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, reader: testReader(nil), news: make(chan struct{}, 1), files: map[string]string{mainFile: server("one"), "/home/ann/extra": "x"}}
		c, err := r.load()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() {
			Watch(ctx, c, WatchOptions{Load: r.load, Apply: r.apply, Problem: r.tell, notifier: r, read: r.read})
		})
		synctest.Wait()
		r.mu.Lock()
		r.loads, r.applied = 0, nil
		r.mu.Unlock()
		run(r)
		cancel()
		done.Wait()
	})
}

func (r *rig) watch([]string)          { r.watches.Add(1) }
func (r *rig) events() <-chan struct{} { return r.news }
func (r *rig) close()                  {}

func (r *rig) read(path string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, ok := r.files[path]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (r *rig) load() (Config, error) {
	text, err := r.read(mainFile)
	r.mu.Lock()
	r.loads++
	r.mu.Unlock()
	if err != nil {
		return Config{}, NoFile(mainFile, err)
	}
	c, err := r.reader.Parse(mainFile, text)
	c.Used = append(c.Used, "/home/ann/extra") // a file that need not be there
	return c, err
}

func (r *rig) apply(c Config) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse != nil {
		return r.refuse
	}
	r.applied = append(r.applied, c.Servers[0].Command)
	return nil
}

func (r *rig) tell(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problem, r.told = err, r.told+1
}

// write changes a file, and says so.
func (r *rig) write(path, text string) {
	r.mu.Lock()
	r.files[path] = text
	r.mu.Unlock()
	r.happen()
}

func (r *rig) remove(path string) {
	r.mu.Lock()
	delete(r.files, path)
	r.mu.Unlock()
	r.happen()
}

func (r *rig) happen() {
	select {
	case r.news <- struct{}{}:
	default:
	}
	synctest.Wait()
}

// pass lets time go by.
func (r *rig) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *rig) refusing(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuse = err
}

// state is what was told, and how often.
func (r *rig) state() (told int, problem error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.told, r.problem
}

func (r *rig) want(applied string, loads int) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if got := strings.Join(r.applied, " "); got != applied || r.loads != loads {
		r.t.Errorf("applied %q with %d loads, want %q with %d", got, r.loads, applied, loads)
	}
}

func TestWatchAppliesWhatChanged(t *testing.T) {
	watched(t, func(r *rig) {
		r.write(mainFile, server("two"))
		r.want("", 0) // not before it is quiet
		r.pass(settleTime)
		r.want("two", 1)
	})
}

// Required: our own file. Without it what ran goes on, and it is said. A file of
// another client may come and go.
func TestWatchRequired(t *testing.T) {
	watched(t, func(r *rig) {
		r.remove("/home/ann/extra")
		r.pass(settleTime)
		r.want("", 1)
		if _, problem := r.state(); problem != nil {
			t.Errorf("a file that need not be there: %v", problem)
		}
		r.remove(mainFile)
		r.pass(settleTime)
		r.want("", 2)
		if _, problem := r.state(); problem == nil || !strings.Contains(problem.Error(), "/etc/toolcrib.yaml: there is no such file") {
			t.Errorf("our own file: %v", problem)
		}
		r.write(mainFile, server("two"))
		r.pass(settleTime)
		r.want("two", 3)
		if _, problem := r.state(); problem != nil {
			t.Errorf("it is back: %v", problem)
		}
	})
}

// Transient: what is there and gone again before it is quiet was never there.
func TestWatchTransient(t *testing.T) {
	watched(t, func(r *rig) {
		r.write(mainFile, server("two"))
		r.pass(settleTime / 2)
		r.write(mainFile, "")
		r.pass(settleTime / 2)
		r.write(mainFile, server("one"))
		r.pass(mostUnsettled)
		r.want("", 0)
		if told, problem := r.state(); told != 0 {
			t.Errorf("told of a problem: %v", problem)
		}
	})
}

// Same: a file that is written again with what it holds is not read.
func TestWatchSame(t *testing.T) {
	watched(t, func(r *rig) {
		for range 5 {
			r.write(mainFile, server("one"))
			r.pass(mostUnsettled)
		}
		r.want("", 0)
		// Nor is anybody told where only the words changed.
		r.write(mainFile, "# a comment\n"+server("one"))
		r.pass(settleTime)
		r.want("", 1)
	})
}

// Flapping: there and back again, each time until it is quiet, is done each time.
func TestWatchFlapping(t *testing.T) {
	watched(t, func(r *rig) {
		for range 3 {
			r.write(mainFile, server("two"))
			r.pass(settleTime)
			r.write(mainFile, server("one"))
			r.pass(settleTime)
		}
		r.want("two one two one two one", 6)
	})
}

// Intermediate: of several in a row only the last counts.
func TestWatchIntermediate(t *testing.T) {
	watched(t, func(r *rig) {
		for i := range 8 {
			r.write(mainFile, server(fmt.Sprint("v", i)))
			r.pass(settleTime / 2)
		}
		r.pass(settleTime)
		r.want("v7", 1)
	})
}

// F22, the figures: 200 edits a second for 10 s are at most 20 reloads, and end on
// the last content within a second.
func TestF22ManyEdits(t *testing.T) {
	watched(t, func(r *rig) {
		for i := range 2000 {
			text := server(fmt.Sprint("v", i))
			if i%4 == 3 {
				text = "" // emptied, to be written
			}
			r.write(mainFile, text)
			r.pass(5 * time.Millisecond)
		}
		r.write(mainFile, server("last"))
		r.pass(time.Second)
		_, problem := r.state()
		r.mu.Lock()
		defer r.mu.Unlock()
		if got := r.applied[len(r.applied)-1]; got != "last" {
			t.Errorf("ends on %q", got)
		}
		if r.loads > 20 || len(r.applied) > 20 {
			t.Errorf("%d loads, %d applied", r.loads, len(r.applied))
		}
		if problem != nil {
			t.Errorf("problem %v", problem)
		}
	})
}

// F23: whatever is wrong with a file, what ran goes on, the place is said, and it
// is over when the file is mended.
func TestF23BadFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"broken YAML":  {"servers:\n  a: [x\n", "toolcrib.yaml:2:6: not YAML"},
		"unknown key":  {"servers:\n  a: {comand: x}\n", `toolcrib.yaml:2:7: unknown key "comand"`},
		"bad type":     {"servers:\n  a: {command: x, args: 1}\n", "toolcrib.yaml:2:25: args must be a list"},
		"empty":        {"", "toolcrib.yaml: is empty"},
		"a comment":    {"# servers\n", "toolcrib.yaml: holds only comments"},
		"not set":      {server("'${NOT_SET}'"), "the variable NOT_SET is not set"},
		"not UTF-8":    {"servers:\n  \xff: 1\n", "toolcrib.yaml:2:3: not UTF-8"},
		"another kind": {"[1, 2]\n", "toolcrib.yaml:1:1: the file must be a mapping"},
	} {
		t.Run(name, func(t *testing.T) {
			watched(t, func(r *rig) {
				r.write(mainFile, c.text)
				r.pass(settleTime)
				r.want("", 1)
				if _, problem := r.state(); problem == nil || !strings.Contains(problem.Error(), c.want) {
					t.Errorf("problem %v, want %s", problem, c.want)
				}
				r.pass(time.Minute) // it is not read again and again
				r.want("", 1)
				r.write(mainFile, server("one"))
				r.pass(settleTime)
				r.want("", 2) // the same as what runs
				if told, problem := r.state(); problem != nil || told != 2 {
					t.Errorf("mended: %v, told %d times", problem, told)
				}
			})
		})
	}
}

// While somebody is still at a file, half of it is no news.
func TestWatchSaysNothingOfHalfAFile(t *testing.T) {
	watched(t, func(r *rig) {
		for range 300 {
			r.write(mainFile, "servers: [")
			r.pass(settleTime / 2)
			r.write(mainFile, "servers: [[")
			r.pass(settleTime / 2)
		}
		if told, problem := r.state(); told != 0 {
			t.Errorf("told %d times: %v", told, problem)
		}
		r.pass(settleTime)
		if told, _ := r.state(); told != 1 {
			t.Errorf("told %d times when it was quiet", told)
		}
	})
}

// What nobody tells of is seen all the same.
func TestWatchPolls(t *testing.T) {
	watched(t, func(r *rig) {
		r.mu.Lock()
		r.files[mainFile] = server("two")
		r.mu.Unlock()
		r.pass(pollTime)
		r.want("two", 1)
		r.pass(10 * pollTime)
		r.want("two", 1)
	})
}

func TestWatchThatCannotBeApplied(t *testing.T) {
	watched(t, func(r *rig) {
		r.refusing(errors.New("no room"))
		r.write(mainFile, server("two"))
		r.pass(settleTime)
		if _, problem := r.state(); problem == nil || problem.Error() != "no room" {
			t.Errorf("problem %v", problem)
		}
		r.refusing(nil)
		r.write(mainFile, server("three"))
		r.pass(settleTime)
		r.want("three", 2)
		if _, problem := r.state(); problem != nil {
			t.Errorf("problem %v", problem)
		}
	})
}

// A directory that came is watched from then on, though no file has changed.
func TestWatchDirectoriesToCome(t *testing.T) {
	watched(t, func(r *rig) {
		before := r.watches.Load()
		r.happen()
		r.pass(settleTime)
		r.want("", 0)
		if r.watches.Load() == before {
			t.Error("what is watched was not looked at again")
		}
	})
}
