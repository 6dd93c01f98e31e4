package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"
)

// TestMain lets the test binary be the processes that a measurement starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if _, ok := parts[os.Args[1]]; ok {
			os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
		}
	}
	os.Exit(m.Run())
}

// The floor and the raw gateway are measured without a failing call, in both
// eras and on both transports.
func TestMeasuresTheFloorAndTheRawGateway(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	var out bytes.Buffer
	if code := run(t.Context(), []string{"--quick", "--targets", "direct,raw", "--only", "echo-8", "--json"}, &out, os.Stderr); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 8 {
		t.Errorf("%d rows, want 8", len(r.Rows))
	}
	for _, x := range r.Rows {
		if x.Best.PerSecond <= 0 || x.Best.Failures > 0 {
			t.Errorf("%s %s %s: %+v", x.Group, x.Case, x.Target, x.Best)
		}
		if x.Target == "raw" && (x.Allocations == nil || x.Allocations.Bytes <= 0 || len(x.Versus) == 0) {
			t.Errorf("%s %s has no allocations or ratios: %+v", x.Group, x.Case, x)
		}
	}
}

// A snapshot is measured in a process of its own, without any gateway.
func TestMeasuresSnapshots(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"--quick", "--targets", "direct", "--only", "snapshot/1", "--json"}, &out, os.Stderr); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 0 || len(r.Snapshots) != 2 {
		t.Fatalf("%d rows and %d snapshots", len(r.Rows), len(r.Snapshots))
	}
	for _, s := range r.Snapshots {
		if s.Seconds <= 0 || s.AllocatedMB < s.HeldMB || s.HeldMB <= 0 || s.DefinitionsMB < float64(s.Tools)/1024 {
			t.Errorf("%+v", s)
		}
	}
	r.Snapshots[1].HeldMB = 20 * r.Snapshots[0].HeldMB // ten times the tools
	missed := 0
	for _, g := range r.goals() {
		if g.what == "snapshot/10000 held x linear" && g.value > g.limit {
			missed++
		}
	}
	if missed != 1 {
		t.Errorf("twice the memory for each tool is no miss: %+v", r.goals())
	}
}

func TestAnswersAreChecked(t *testing.T) {
	good := `{"jsonrpc":"2.0","id":1000000007,"result":{"content":[{"type":"text","text":"x"}]}}`
	for body, ok := range map[string]bool{
		good: true,
		`{"jsonrpc":"2.0","id":1000000008,"result":{"content":[{"type":"text","text":"x"}]}}`: false,
		`{"jsonrpc":"2.0","id":1000000007,"error":{"code":1,"message":"no"}}`:                 false,
		`{"jsonrpc":"2.0","id":1000000007,"result":{"content":[],"isError":true}}`:            false,
		"event: message\ndata: " + good + "\n\n":                                              true,
	} {
		if err := checkAnswer([]byte(body), []byte("1000000007"), 0); (err == nil) != ok {
			t.Errorf("%s: %v", body, err)
		}
	}
	if checkAnswer([]byte(good), []byte("1000000007"), 1000) == nil {
		t.Error("a short answer passed for a long one")
	}
	if decode([]byte(good)) != nil || decode([]byte("data: "+good+"\n\n")) != nil || decode([]byte(good[:40])) == nil {
		t.Error("decode takes what is no JSON, or not what is")
	}
}

func TestRatiosCompareRoundsWithEachOther(t *testing.T) {
	value := func(m measurement) float64 { return m.P50Millis }
	a := []measurement{{P50Millis: 2}, {P50Millis: 40}, {P50Millis: 3}}
	b := []measurement{{P50Millis: 1}, {P50Millis: 20}, {P50Millis: 1}}
	if got := medianRatio(a, b, value); got != 2 {
		t.Errorf("got %v, want 2", got)
	}
	if got := medianRatio(a, make([]measurement, 3), value); got != 0 {
		t.Errorf("got %v for a division by 0, want 0", got)
	}
}
