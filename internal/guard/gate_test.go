package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/guard"
	"toolcrib/internal/wire"
)

func newGate(t testing.TB, s *catalog.Snapshot, p *guard.Policy, audit *guard.Audit) *guard.Gate {
	t.Helper()
	g := guard.NewGate(guard.GateOptions{Snapshot: func() *catalog.Snapshot { return s }, Keeper: guard.NewKeeper(&memory{m: map[string][]byte{}}, nil), Audit: audit})
	g.SetPolicy(p)
	return g
}

// auditLines reads all lines of a file and of those before it.
func auditLines(t *testing.T, file string) (lines []map[string]any) {
	t.Helper()
	names, err := filepath.Glob(file + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var one map[string]any
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			lines = append(lines, one)
		}
	}
	return lines
}

// S21: under load there is one line for each call, whatever became of it, through
// several files and two gateways that share them.
func TestS21OneLineForEachCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "audit.jsonl")
	s := shelf(t)
	policy := &guard.Policy{Rules: []guard.Rule{{Terms: guard.Terms{Tools: []string{"delete_*"}}, Verdict: guard.Deny, Where: "rule 1"}, {Terms: guard.Terms{Servers: []string{"notes"}}, Verdict: guard.Ask}}}
	const workers, each = 16, 100
	var all sync.WaitGroup
	for process := range 2 {
		audit, err := guard.OpenAudit(guard.AuditOptions{File: file, Size: 200_000, Keep: 50, Redact: func(s string) string { return strings.ReplaceAll(s, "SECRET", "***") }})
		if err != nil {
			t.Fatal(err)
		}
		defer audit.Close()
		do := newGate(t, s, policy, audit).Around(func(_ context.Context, r *call.Request) ([]byte, error) {
			switch string(wire.Find(wire.Find(r.Params, "arguments"), "n")) {
			case "0":
				return nil, errors.New("broken by SECRET")
			case "1":
				return []byte(`{"content":[],"isError":true}`), nil
			}
			return []byte(`{"content":[]}`), nil
		})
		for w := range workers {
			all.Go(func() {
				for i := range each {
					tool := []string{"list_issues", "delete_repo", "list_issues", "create/issue"}[i%4]
					_, _ = do(t.Context(), &call.Request{
						Server: "git-hub", Method: wire.MethodToolsCall, Name: tool, Caller: call.Caller{Subject: fmt.Sprintf("w%d-%d", process, w)},
						Params: fmt.Appendf(nil, `{"arguments":{"n":%d,"password":"SECRET"}}`, i%5),
					})
					_, _ = do(t.Context(), &call.Request{Server: "git-hub", Method: wire.MethodToolsList}) // no decision
				}
			})
		}
	}
	all.Wait()
	lines := auditLines(t, file)
	if len(lines) != 2*workers*each {
		t.Errorf("%d calls made %d lines", 2*workers*each, len(lines))
	}
	outcomes := map[string]int{}
	for _, l := range lines {
		outcomes[l["outcome"].(string)]++
		if text := fmt.Sprint(l); strings.Contains(text, "SECRET") || l["arguments_sha256"] == nil || l["who"] == "" || l["time"] == nil || l["verdict"] == "" {
			t.Fatalf("%v", l)
		}
	}
	const quarter = 2 * workers * each / 4
	if outcomes["refused"] != quarter || outcomes["error"] == 0 || outcomes["failed"] == 0 || outcomes["done"] == 0 {
		t.Errorf("%v", outcomes)
	}
	if files, _ := filepath.Glob(file + ".*"); len(files) < 2 {
		t.Errorf("only %v", files)
	}
}

func TestAuditKeepsSoManyFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	audit, err := guard.OpenAudit(guard.AuditOptions{File: file, Size: 300, Keep: 2})
	if err != nil {
		t.Fatal(err)
	}
	do := newGate(t, shelf(t), &guard.Policy{}, audit).Around(func(context.Context, *call.Request) ([]byte, error) { return nil, nil })
	for range 20 {
		_, _ = do(t.Context(), &call.Request{Server: "git-hub", Method: wire.MethodToolsCall, Name: "list_issues"})
	}
	if err := audit.Close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(file + "*"); len(files) != 3 {
		t.Errorf("%v", files)
	}
	if _, err := guard.OpenAudit(guard.AuditOptions{File: filepath.Join(file, "below a file")}); err == nil || !strings.Contains(err.Error(), "audit.file") {
		t.Errorf("a file below a file: %v", err)
	}
	var none *guard.Audit
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

func TestAuditTightensTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, []byte("{}\n"), fs.FileMode(0o644)); err != nil {
		t.Fatal(err)
	}
	audit, err := guard.OpenAudit(guard.AuditOptions{File: file})
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close()
	auditLines(t, file)
}

// What a decision costs a call that is allowed: lookups, and no memory. A policy does
// not make it more.
func TestAllowedCallsCostNoMemory(t *testing.T) {
	s := shelf(t)
	for name, p := range map[string]*guard.Policy{
		"open": {}, "rules": {Rules: []guard.Rule{{Terms: guard.Terms{Tools: []string{"delete_*"}}, Verdict: guard.Deny}, {Terms: guard.Terms{Who: []string{"x"}}, Verdict: guard.Ask}}},
	} {
		do := newGate(t, s, p, nil).Around(func(context.Context, *call.Request) ([]byte, error) { return nil, nil })
		r := &call.Request{Server: "git-hub", Method: wire.MethodToolsCall, Name: "list_issues", Caller: call.Caller{Subject: "me"}}
		if n := testing.AllocsPerRun(100, func() { _, _ = do(context.Background(), r) }); n > 1 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// However many rules there are, what is hidden from one caller is told to no other, and
// readers wait for nobody while the policy changes.
func TestPoliciesChangeUnderReaders(t *testing.T) {
	s := shelf(t)
	g := newGate(t, s, &guard.Policy{}, nil)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				eye := g.Eye(fmt.Sprint("u", i))
				if seen := eye.Snapshot().Len(); seen != 4 && seen != 3 && seen != 0 {
					t.Errorf("%d tools", seen)
					return
				}
			}
		})
	}
	for range 200 {
		g.SetPolicy(&guard.Policy{Rules: []guard.Rule{{Terms: guard.Terms{Tools: []string{"delete_*"}}, Verdict: guard.Deny}}})
		g.SetPolicy(&guard.Policy{Default: guard.Deny})
		g.SetPolicy(&guard.Policy{})
	}
	close(stop)
	readers.Wait()
}

// An eye decides about a tool of another moment as well.
func TestHiddenOfAnotherMoment(t *testing.T) {
	g := newGate(t, shelf(t), &guard.Policy{Rules: []guard.Rule{{Terms: guard.Terms{Tools: []string{"secret"}}, Verdict: guard.Deny, Why: "no"}}}, nil)
	later := catalog.Build([]catalog.Listing{{Server: "new", Tools: []catalog.Found{{Raw: []byte(`{"name":"secret"}`), Provenance: catalog.Protocol}}}}, catalog.Rules{}, time.Time{})
	if why := g.Eye("").Hidden(later.Tools()[0]); why != "no" {
		t.Errorf("%q", why)
	}
}
