package upstream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

func init() {
	roles["as-reader"] = readHuge
	roles["as-flooded"] = beFlooded
}

// A footprint is the most memory that a process has had.
type footprint struct{ Resident, Heap int }

func measure() (f footprint, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return f, err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &f.Resident); err != nil {
		return f, err
	}
	f.Resident <<= 10
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.Heap = int(m.HeapSys)
	return f, nil
}

// A findings is what a role reports.
type findings struct {
	Before, After footprint
	Problem       string // what did not work as it should
	Logged        int64  // bytes
	Suppressed    int64  // lines that say so
}

// grew checks by how much a process grew: what the system gave it, or with the
// race detector, which takes a multiple, the heap.
func (f *findings) grew(t *testing.T, most int) {
	t.Helper()
	resident, heap := f.After.Resident-f.Before.Resident, f.After.Heap-f.Before.Heap
	t.Logf("grew by %.1f MB, the heap by %.1f MB", float64(resident)/(1<<20), float64(heap)/(1<<20))
	if !raceDetector && resident > most {
		t.Errorf("the process grew by %d bytes, at most %d", resident, most)
	}
	if heap > most {
		t.Errorf("the heap grew by %d bytes, at most %d", heap, most)
	}
}

// perform runs a role with a server to do it to, and reads its findings.
func perform(t *testing.T, role string, spec upstream.Spec, args ...string) findings {
	t.Helper()
	raw, err := json.Marshal([]upstream.Spec{spec, child(t, "warm", "good")})
	if err != nil {
		t.Fatal(err)
	}
	command := as(t, role)
	cmd := exec.Command(command[0], append([]string{command[1], string(raw)}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", role, err)
	}
	var f findings
	if err := json.Unmarshal(out, &f); err != nil {
		t.Fatalf("%s: %v in %q", role, err, out)
	}
	if f.Problem != "" {
		t.Error(f.Problem)
	}
	return f
}

// stage makes a pool for a role, measures it before and after what is done.
func stage(log io.Writer, do func(r *rig) error) error {
	var specs []upstream.Spec
	if err := json.Unmarshal([]byte(os.Args[2]), &specs); err != nil {
		return err
	}
	pool, err := upstream.NewPool(&upstream.Options{Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		return err
	}
	if err := pool.Apply(specs); err != nil {
		return err
	}
	r := &rig{Pool: pool}
	var f findings
	for range 2000 { // so that what every call needs is there already
		if _, err := r.tool("warm", "echo", `{"text":"x"}`); err != nil {
			return err
		}
	}
	if f.Before, err = measure(); err != nil {
		return err
	}
	if err := do(r); err != nil {
		f.Problem = err.Error()
	}
	if f.After, err = measure(); err != nil {
		return err
	}
	pool.Close(context.Background())
	if l, ok := log.(*counter); ok {
		f.Logged, f.Suppressed = l.bytes.Load(), l.suppressed.Load()
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// readHuge calls a tool whose answer never ends, and then another.
func readHuge() error {
	return stage(io.Discard, func(r *rig) error {
		if _, err := r.tool("a", "echo", `{"text":"x"}`); err != nil {
			return err
		}
		_, err := r.tool("a", "huge", `{}`)
		if err == nil || !strings.Contains(err.Error(), "server a") || !strings.Contains(err.Error(), "too long") {
			return fmt.Errorf("an answer without end gave %v", err)
		}
		if _, err := r.tool("a", "echo", `{"text":"x"}`); err != nil {
			return fmt.Errorf("the next call: %w", err)
		}
		return nil
	})
}

// F07: a line that never ends costs a limited amount of memory.
func TestF07LineWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, valid := range []string{"false", "true"} {
		t.Run("valid="+valid, func(t *testing.T) {
			t.Parallel()
			f := perform(t, "as-reader", child(t, "a", "huge-line", "bytes=1073741824", "valid="+valid))
			f.grew(t, 40<<20)
		})
	}
}

// A counter is a log of which only the size is kept.
type counter struct{ bytes, suppressed atomic.Int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.bytes.Add(int64(len(b)))
	if strings.Contains(string(b), "suppressed") {
		c.suppressed.Add(1)
	}
	return len(b), nil
}

// beFlooded calls tools while the server floods its standard error.
func beFlooded() error {
	seconds, err := time.ParseDuration(os.Args[3])
	if err != nil {
		return err
	}
	return stage(&counter{}, func(r *rig) error {
		for began := time.Now(); time.Since(began) < seconds; {
			call := time.Now()
			if _, err := r.tool("a", "echo", `{"text":"x"}`); err != nil {
				return err
			}
			if d := time.Since(call); d > patience/2 {
				return fmt.Errorf("a call took %v", d)
			}
		}
		return nil
	})
}

// F08: a server that floods its standard error is heard all the same, and the
// log stays small.
func TestF08FloodOfStandardError(t *testing.T) {
	t.Parallel()
	seconds := rounds(2, 10)
	f := perform(t, "as-flooded", child(t, "a", "stderr-flood", fmt.Sprint("rate=", 100<<20), fmt.Sprint("seconds=", seconds)), fmt.Sprint(seconds+1, "s"))
	f.grew(t, 5<<20)
	if most := int64(seconds+2) << 20; f.Logged > most {
		t.Errorf("%d bytes logged in %d seconds", f.Logged, seconds)
	}
	if f.Suppressed == 0 {
		t.Error("nothing says that lines were suppressed")
	}
}
