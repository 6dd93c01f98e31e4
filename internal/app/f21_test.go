package app

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolcrib/internal/config"
)

var long = flag.Bool("long", false, "run tests that take minutes too")

// A crowd is servers of one kind.
type crowd struct {
	kind, behaviour string
	args            []string
	count           int
	start           time.Duration // configured time to start, 0 for the default
}

// fates are a crowd for each way to start: the good, the slow, the mute and the
// dead.
func fates(good, slow, mute, dead int, slowness string, patience time.Duration) []crowd {
	return []crowd{
		{kind: "good", behaviour: "good", count: good},
		{kind: "slow", behaviour: "slow-start", args: []string{"ms=" + slowness}, count: slow},
		{kind: "mute", behaviour: "mute", count: mute, start: patience},
		{kind: "dead", behaviour: "exit-now", args: []string{"message=error: F21_API_KEY is not set"}, count: dead},
	}
}

// markVariable is in the environment of all servers of a test, with a value
// that no other test has, so that their processes can be told.
const markVariable = "TOOLCRIB_TEST_MARK"

// servers are the crowds' servers, mixed, all marked.
func servers(t *testing.T, mark string, crowds []crowd) []config.Server {
	t.Helper()
	var all []config.Server
	for round, more := 0, true; more; round++ {
		more = false
		for _, c := range slices.Backward(crowds) { // the bad ones come first
			if round >= c.count {
				continue
			}
			more = true
			s := server(t, fmt.Sprintf("%s%d", c.kind, round), c.behaviour, c.args...)
			s.Env = maps.Clone(s.Env)
			s.Env[markVariable] = mark + "/" + s.Name
			s.StartTimeout, s.ProbeTimeout = c.start, c.start
			all = append(all, s)
		}
	}
	return all
}

// marked are the processes of a mark, as server names. There are none to be
// seen where the system does not show the environment of processes.
func marked(mark string) []string {
	var found []string
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended, or is somebody else's
		}
		for variable := range bytes.SplitSeq(b, []byte{0}) {
			if name, ok := bytes.CutPrefix(variable, []byte(markVariable+"="+mark+"/")); ok {
				found = append(found, string(name))
			}
		}
	}
	return found
}

// tools asks for the list of tools and returns the names, by server.
func (s *serving) tools() (map[string][]string, error) {
	status, body, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+metaModern+`}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
	var answer struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 {
		return nil, fmt.Errorf("status %d, %.300q: %w", status, body, err)
	}
	by := map[string][]string{}
	for _, tool := range answer.Result.Tools {
		server, name, _ := strings.Cut(tool.Name, "__")
		by[server] = append(by[server], name)
	}
	return by, nil
}

// within polls until ok, which says what is missing, and fails the test after
// limit.
func within(t *testing.T, limit time.Duration, what string, ok func() (missing string)) {
	t.Helper()
	began := time.Now()
	for {
		missing := ok()
		if missing == "" {
			t.Logf("%s after %v", what, time.Since(began).Round(10*time.Millisecond))
			return
		}
		if time.Since(began) > limit {
			t.Fatalf("not %s within %v: %s", what, limit, missing)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// listed says which servers of the kinds are missing in a list of tools.
func (s *serving) listed(crowds []crowd, kinds ...string) (missing string) {
	by, err := s.tools()
	if err != nil {
		return err.Error()
	}
	var absent []string
	for _, c := range crowds {
		for i := range c.count {
			name := fmt.Sprintf("%s%d", c.kind, i)
			if slices.Contains(kinds, c.kind) != slices.Contains(by[name], "echo") {
				absent = append(absent, name)
			}
		}
	}
	return strings.Join(absent, " ")
}

// TestF21 starts servers of which some are dead, some mute and some slow, as
// real processes: agents are answered, and nobody waits for those.
func TestF21(t *testing.T) {
	t.Parallel()
	holdsNobodyUp(t, fates(8, 2, 2, 2, "500", time.Second), 60*time.Second)
}

func TestF21Hundred(t *testing.T) {
	if !*long {
		t.Skip("100 processes; run with -long")
	}
	// The mute ones have as long as they like by default, a minute: whoever had
	// to wait for them would be late.
	holdsNobodyUp(t, fates(70, 10, 10, 10, "3000", 0), 50*time.Second)
}

func holdsNobodyUp(t *testing.T, crowds []crowd, goodIn time.Duration) {
	mark := t.TempDir()
	c := config.Config{Servers: servers(t, mark, crowds), HTTP: openHTTP, Disclosure: asIs}
	s := serveHTTP(t, c, Options{StateDir: t.TempDir()})

	began := time.Now()
	first, err := s.tools()
	// 10 s is the longest an agent waits; the rest is for a busy machine.
	if took := time.Since(began); err != nil || took > 20*time.Second {
		t.Fatalf("the first list came after %v: %v", took, err)
	}
	t.Logf("%d servers in the first list, after %v", len(first), time.Since(began).Round(10*time.Millisecond))
	if len(first) == 0 {
		t.Error("the first list is empty")
	}
	within(t, goodIn, "all good servers listed", func() string {
		by, err := s.tools()
		if err != nil {
			return err.Error()
		}
		for i := range crowds[0].count {
			if name := fmt.Sprintf("good%d", i); !slices.Contains(by[name], "echo") {
				return name
			}
		}
		return ""
	})
	within(t, time.Minute, "the slow ones as well, and nobody else", func() string { return s.listed(crowds, "good", "slow") })
	within(t, 3*time.Minute, "all failures known", func() string { return failures(s.app, crowds) })

	// Where there is a tool, it can be called: listing and calling do not
	// disturb each other.
	if status, answer := s.call("slow0__echo", `{"text":"hello"}`); status != 200 || !strings.Contains(answer, "hello") {
		t.Errorf("a slow server's tool: %d %s", status, answer)
	}
	if runtime.GOOS == "linux" && len(marked(mark)) == 0 {
		t.Error("the processes cannot be told: what is left could not be either")
	}
	if err := s.app.Close(t.Context()); err != nil {
		t.Error(err)
	}
	within(t, 20*time.Second, "no process left", func() string { return strings.Join(marked(mark), " ") })
}

// failures says which servers have no reason for a failure though they should,
// or have one though they should not.
func failures(a *App, crowds []crowd) (missing string) {
	snapshot := a.known.Snapshot()
	var wrong []string
	for _, c := range crowds {
		// What a user has to read to know what to do.
		want := map[string]string{"dead": "F21_API_KEY", "mute": "answer"}[c.kind]
		for i := range c.count {
			name := fmt.Sprintf("%s%d", c.kind, i)
			known := snapshot.Server(name)
			switch {
			case known == nil:
				wrong = append(wrong, name+" is unknown")
			case want == "" && known.Failure() != nil:
				wrong = append(wrong, name+": "+known.Failure().Reason)
			case want != "" && (known.Failure() == nil || !strings.Contains(known.Failure().Reason, want)):
				wrong = append(wrong, fmt.Sprintf("%s: %v", name, known.Failure()))
			}
		}
	}
	return strings.Join(wrong, "; ")
}

// TestF29GatewaysTogether opens eight gateways on one state directory: what one
// of them learns the others need not find out.
func TestF29GatewaysTogether(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are counted in /proc")
	}
	t.Parallel()
	mark, state := t.TempDir(), t.TempDir()
	crowds := []crowd{{kind: "good", behaviour: "good", count: 5}}
	c := config.Config{Servers: servers(t, mark, crowds), HTTP: openHTTP, Disclosure: asIs}
	var all []*serving
	for range 8 {
		all = append(all, serveHTTP(t, c, Options{StateDir: state}))
	}
	var done sync.WaitGroup
	for i, s := range all {
		done.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for ctx.Err() == nil {
				if s.listed(crowds, "good") == "" {
					return
				}
			}
			t.Errorf("gateway %d: not listed: %s", i, s.listed(crowds, "good"))
		})
	}
	done.Wait()
	starts := map[string]int{}
	for _, name := range marked(mark) {
		starts[name]++
	}
	if len(starts) == 0 {
		t.Error("no server was started")
	}
	for name, n := range starts {
		if n > 2 {
			t.Errorf("%s was started by %d gateways", name, n)
		}
	}
}
