package script

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkStart is what a script costs that does nothing.
func BenchmarkStart(b *testing.B) {
	if err := shared().Warm(); err != nil {
		b.Fatal(err)
	}
	h := newHost()
	took := make([]time.Duration, 0, b.N)
	b.ReportAllocs()
	for b.Loop() {
		before := time.Now()
		if _, err := shared().Run(b.Context(), &Request{Source: `return 1`}, h); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(before))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkInnerCall is what a call of a tool in a script costs over the call itself,
// which here costs nothing.
func BenchmarkInnerCall(b *testing.B) {
	h := newHost()
	h.tools["t"]["nothing"] = fakeTool{do: func(context.Context, json.RawMessage) (string, error) { return `{"structuredContent":{}}`, nil }}
	const calls = 1000
	limits := &Limits{Calls: calls, Ticks: 30_000}
	for b.Loop() {
		source := fmt.Sprintf(`for i = 1, %d do t.nothing{i = i}:await() end return 1`, calls)
		if _, err := runLimited(b, source, h, limits); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/calls, "µs/call")
}

// BenchmarkManyScripts is 200 scripts of ten agents, each with 10 calls of 100 ms at
// once.
func BenchmarkManyScripts(b *testing.B) {
	h := newHost()
	h.tools["t"]["slow"] = fakeTool{do: func(ctx context.Context, _ json.RawMessage) (string, error) {
		select {
		case <-time.After(100 * time.Millisecond):
			return textResult("done")
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}}
	h.tools["u"] = h.tools["t"]
	h.tools["v"] = h.tools["t"]
	source := `local h, s = {}, {t, u, v} for i = 1, 10 do h[i] = s[i % 3 + 1].slow{} end return #await_all(h)`
	if err := shared().Warm(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				if _, err := shared().Run(b.Context(), &Request{Source: source, Caller: fmt.Sprint(i % 10)}, h); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// BenchmarkCompile is what the first script pays, without and with a cache.
func BenchmarkCompile(b *testing.B) {
	for _, kept := range []bool{false, true} {
		b.Run(fmt.Sprintf("cache=%v", kept), func(b *testing.B) {
			dir := ""
			if kept {
				dir = b.TempDir()
			}
			for b.Loop() {
				e := New(&Options{CacheDir: dir})
				if err := e.Warm(); err != nil {
					b.Fatal(err)
				}
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWork is plain computing.
func BenchmarkWork(b *testing.B) {
	for name, source := range map[string]string{
		"fib27":    `local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end return fib(27)`,
		"loop10m":  `local x = 0 for i = 1, 1e7 do x = x + i end return x`,
		"sort100k": `local t = {} for i = 1, 1e5 do t[i] = (i * 7919) % 100003 end table.sort(t) return t[1]`,
		"json1mb":  `local t = {} for i = 1, 12000 do t[i] = {id = i, name = "item " .. i, tags = {"a", "b"}, ok = true} end local s = json.encode(t) return #json.encode(json.decode(s))`,
		"errors1k": `for i = 1, 1000 do pcall(error, "x") end return 1`,
	} {
		b.Run(name, func(b *testing.B) {
			ticks := 0
			for b.Loop() {
				r, err := runLimited(b, source, newHost(), &Limits{Ticks: 30_000})
				if err != nil {
					b.Fatal(err)
				}
				ticks = r.Ticks
			}
			b.ReportMetric(float64(ticks), "ticks")
		})
	}
}

// BenchmarkAttacks lets every attack run into its time and prints how far past it
// the worst was stopped, and what memory all of them took.
func BenchmarkAttacks(b *testing.B) {
	const limit = 100 * time.Millisecond
	if err := shared().Warm(); err != nil {
		b.Fatal(err)
	}
	before := peakMemory()
	for b.Loop() {
		var worst time.Duration
		var who string
		for _, a := range allAttacks() {
			start := time.Now()
			r, _ := shared().Run(b.Context(), &Request{Source: a.source, Limits: &Limits{Wall: limit, Ticks: 30_000, Memory: 64 * mb, Calls: 1000}}, newHost())
			if past := time.Since(start) - limit; past > worst {
				worst, who = past, a.name
			}
			if strings.Contains(r.Printed, "SURVIVED") {
				b.Errorf("%s survived", a.name)
			}
		}
		b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms-past-limit")
		b.ReportMetric(float64(peakMemory()-before)/1024, "MB-more")
		b.Logf("the worst of %d attacks was %s", len(allAttacks()), who)
	}
}

// peakMemory is the most memory that the process had, in KB; 0 where it cannot be told.
func peakMemory() (kilobytes int) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	_, _ = fmt.Sscan(rest, &kilobytes) // 0 if it is not there
	return kilobytes
}
