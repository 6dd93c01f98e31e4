package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func code(err error) Code {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// A caller that goes away takes its script with it, whatever the script does.
func TestCancellation(t *testing.T) {
	for _, source := range []string{`while true do end`, `t.hang{}:await()`, `while true do pcall(function() t.hang{}:await() end) end`, `parallel({{}, {}}, t.hang)`} {
		ctx, cancel := context.WithCancel(t.Context())
		h := newHost()
		started := make(chan struct{})
		var once sync.Once
		h.tools["t"]["hang"] = fakeTool{do: func(ctx context.Context, _ json.RawMessage) (string, error) {
			once.Do(func() { close(started) })
			<-ctx.Done()
			return "", ctx.Err()
		}}
		h.tools["t"]["started"] = h.tools["t"]["hang"]
		go func() {
			<-started
			cancel()
		}()
		_, err := shared().Run(ctx, &Request{Source: "local h = t.started{} " + source, Limits: &Limits{Ticks: 30_000}}, h)
		if code(err) != CodeCancelled {
			t.Errorf("%s: %v", source, err)
		}
		cancel()
	}
}

// Closing an engine ends its scripts; afterwards it refuses.
func TestClose(t *testing.T) {
	e := New(&Options{CacheDir: cacheDir, AtOnce: 1})
	h := newHost()
	started := make(chan struct{})
	h.tools["t"]["wait"] = fakeTool{do: func(ctx context.Context, _ json.RawMessage) (string, error) {
		close(started)
		<-ctx.Done()
		return "", ctx.Err()
	}}
	ended := make(chan error)
	go func() {
		_, err := e.Run(t.Context(), &Request{Source: `t.wait{}:await()`}, h)
		ended <- err
	}()
	<-started
	waiting := make(chan error)
	go func() {
		_, err := e.Run(t.Context(), &Request{Source: `return 1`}, h)
		waiting <- err
	}()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(<-ended, <-waiting); code(err) != CodeCancelled {
		t.Error(err)
	}
	if _, err := e.Run(t.Context(), &Request{Source: `return 1`}, h); code(err) != CodeCancelled {
		t.Error(err)
	}
	if err := e.Warm(); err == nil {
		t.Error("a closed engine was warmed")
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// The compiled program is kept for its owner alone, and a cache that cannot be used
// keeps no script from running.
func TestCache(t *testing.T) {
	run := func(dir, want string) {
		t.Helper()
		var log strings.Builder
		e := New(&Options{CacheDir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
		defer e.Close()
		r, err := e.Run(t.Context(), &Request{Source: `return 1 + 1`}, newHost())
		if err != nil || string(r.Value) != "2" {
			t.Errorf("%s %v", r.Value, err)
		}
		if (want == "") != (log.Len() == 0) || !strings.Contains(log.String(), want) {
			t.Errorf("logged %q, want %q", log.String(), want)
		}
	}
	if err := shared().Warm(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(cacheDir)); err != nil {
		t.Fatal(err)
	}
	run(dir, "")
	var kept []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			kept = append(kept, path)
			err = os.WriteFile(path, []byte("damaged"), 0o600)
		}
		return err
	})
	if err != nil || len(kept) == 0 {
		t.Fatalf("%v %v", kept, err)
	}
	run(dir, "compiling anew without the cache")

	if _, err := openCache(kept[0]); err == nil {
		t.Error("a file as a cache")
	}
	made := filepath.Join(t.TempDir(), "a", "cache")
	cache, err := openCache(made)
	if err != nil {
		t.Fatal(err)
	}
	closeQuietly(cache)
	if runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	if err := os.Chmod(made, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := openCache(made); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("a cache for everybody: %v", err)
	}
}

// Memory that all scripts share runs out for those who want much, not for others.
func TestSharedMemory(t *testing.T) {
	e := New(&Options{CacheDir: cacheDir, Memory: 12 * mb})
	defer e.Close()
	h := newHost()
	grown, done := make(chan struct{}), make(chan struct{})
	h.tools["t"]["pause"] = fakeTool{do: func(ctx context.Context, _ json.RawMessage) (string, error) {
		close(grown)
		<-done
		return textResult("")
	}}
	ended := make(chan error, 1)
	go func() {
		_, err := e.Run(t.Context(), &Request{Source: `local s = ("x"):rep(5e6) t.pause{}:await() return #s`}, h)
		ended <- err
	}()
	select {
	case <-grown:
	case err := <-ended:
		t.Fatal(err)
	}
	_, err := e.Run(t.Context(), &Request{Source: `local s = ("x"):rep(5e6) return #s`}, h)
	if code(err) != CodeMemoryLimit || !strings.Contains(err.Error(), "all scripts together") {
		t.Error(err)
	}
	if _, err := e.Run(t.Context(), &Request{Source: `return #(("x"):rep(5e5))`}, h); err != nil {
		t.Error(err)
	}
	close(done)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := e.Run(t.Context(), &Request{Source: `return #(("x"):rep(5e6))`}, h); err != nil {
		t.Error(err)
	}
	if used := e.budget.used.Load(); used != 0 {
		t.Errorf("%d bytes were not given back", used)
	}
}

// Scripts that work do not keep others from their turn.
func TestTurnsAreShared(t *testing.T) {
	e := New(&Options{CacheDir: cacheDir})
	defer e.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			_, err := e.Run(ctx, &Request{Source: `while true do end`, Caller: "busy", Limits: &Limits{Ticks: 30_000}}, newHost())
			if c := code(err); c != CodeCancelled && c != CodeCPULimit {
				t.Error(err)
			}
		})
	}
	for i := range 5 {
		r, err := e.Run(t.Context(), &Request{Source: `return t.echo{n=1}:await().n`, Caller: "other"}, newHost())
		if err != nil || string(r.Value) != "1" {
			t.Errorf("%d: %s %v", i, r.Value, err)
		}
	}
	cancel()
	busy.Wait()
}

// A queue is first come, first served for a caller, and callers take turns.
func TestQueueIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 1, 100)
		if err := q.enter(t.Context(), "first"); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []string
		enter := func(caller, name string) {
			go func() {
				if err := q.enter(t.Context(), caller); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				q.leave(caller)
			}()
			synctest.Wait()
		}
		for i := range 3 {
			enter("greedy", fmt.Sprintf("g%d", i))
		}
		enter("modest", "m0")
		enter("late", "l0")
		enter("modest", "m1")
		q.leave("first")
		synctest.Wait()
		if got := strings.Join(order, " "); got != "g0 m0 l0 g1 m1 g2" {
			t.Errorf("order %s", got)
		}
		if q.running != 0 || q.waiting != 0 || len(q.callers) != 0 || len(q.turns) != 0 {
			t.Errorf("left behind: %+v", q)
		}
	})
}

func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(2, 1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		if err := q.enter(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		waiting := make(chan *Error)
		go func() { waiting <- q.enter(ctx, "a") }() // one caller, one place
		synctest.Wait()
		if err := q.enter(ctx, "a"); err == nil || err.Code != CodeBusy {
			t.Error(err)
		}
		if err := q.enter(ctx, "b"); err != nil {
			t.Errorf("another caller was refused: %v", err)
		}
		cancel()
		if err := <-waiting; err == nil || err.Code != CodeCancelled {
			t.Error(err)
		}
		q.leave("a")
		q.leave("b")
		if q.running != 0 || q.waiting != 0 || len(q.callers) != 0 || len(q.turns) != 0 {
			t.Errorf("left behind: %+v", q)
		}
	})
}

func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		if !turns.acquire(t.Context()) || turns.crowded() {
			t.Fatal("no turn")
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone, got := make(chan bool), make(chan bool)
		go func() { gone <- turns.acquire(ctx) }()
		synctest.Wait()
		go func() { got <- turns.acquire(t.Context()) }()
		synctest.Wait()
		if !turns.crowded() {
			t.Error("nobody waits")
		}
		cancel()
		if <-gone {
			t.Error("a turn for one who left")
		}
		turns.release()
		if !<-got || turns.crowded() {
			t.Error("no turn for the second")
		}
		turns.release()
		if turns.free != 1 {
			t.Errorf("%d free", turns.free)
		}
	})
}

// A host that does not heed its context holds a script up for a moment only.
func TestStubbornHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := New(&Options{CacheDir: cacheDir})
		release := make(chan struct{})
		h := newHost()
		h.tools["t"]["stubborn"] = fakeTool{do: func(context.Context, json.RawMessage) (string, error) {
			<-release
			return textResult("")
		}}
		before := time.Now()
		r, err := e.Run(t.Context(), &Request{Source: `t.stubborn{}:await()`}, h)
		if code(err) != CodeTimeLimit || r.Ledger[0].Status != StatusCancelled {
			t.Errorf("%v %+v", err, r.Ledger)
		}
		if took := time.Since(before); took != Defaults().Wall+goodbye {
			t.Errorf("took %v", took)
		}
		close(release)
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}
