package store

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"toolcrib/internal/catalog"
)

var long = flag.Bool("long", false, "run faults as often as their figures say")

// roleVariable in the environment makes the test binary be one of roles.
const roleVariable = "TOOLCRIB_STORE_TEST"

// A role is what a process beside the test does, in a directory. Its error goes
// to stderr.
type role func(dir string, in io.Reader, out io.Writer) error

var roles = map[string]role{}

func TestMain(m *testing.M) {
	if name := os.Getenv(roleVariable); name != "" {
		if err := roles[name](os.Args[1], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child is a process that plays a role. It is killed with the test.
func child(t *testing.T, name, dir string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	if roles[name] == nil {
		t.Fatalf("no role %q", name)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.CommandContext(t.Context(), self, dir)
	cmd.Env = append(os.Environ(), roleVariable+"="+name)
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	return cmd, stderr
}

// A recorder keeps what is logged as a warning.
type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (r *recorder) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, strings.TrimSpace(string(b)))
	return len(b), nil
}

func (r *recorder) warnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines...)
}

func (r *recorder) options() *Options {
	return &Options{Log: slog.New(slog.NewTextHandler(r, &slog.HandlerOptions{Level: slog.LevelWarn}))}
}

// opened is a store that must not warn.
func opened(t testing.TB, dir string) *Store {
	t.Helper()
	var r recorder
	s := Open(dir, r.options())
	t.Cleanup(func() {
		if w := r.warnings(); len(w) > 0 {
			t.Errorf("warnings: %q", w)
		}
	})
	return s
}

func save(t testing.TB, s *Store, l catalog.Listing) {
	t.Helper()
	if err := s.Save(l); err != nil {
		t.Fatal(err)
	}
}

// epoch is when listings were taken: a while ago, whatever the clock says.
var epoch = time.Now().Add(-10 * 24 * time.Hour).UTC().Round(0)

// sample is a listing of about so many bytes, whose every definition says mark.
func sample(server, mark string, taken time.Time, size int) catalog.Listing {
	l := catalog.Listing{
		Server: server, Identity: "npx " + server, Taken: taken, TTL: 5 * time.Minute,
		Era: "modern", Version: "2026-07-28", Instructions: mark,
		ServerInfo: json.RawMessage(`{"name":"` + server + `"}`),
	}
	description := strings.Repeat("what it does, in many words; ", 24)
	for done := 0; done < size; {
		raw := fmt.Appendf(nil, `{"name":"tool_%d","title":%q,"description":%q,"inputSchema":{"type":"object"}}`, len(l.Tools), mark, description)
		done += len(raw)
		l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
	}
	return l
}

// consistent says whether a listing is one that sample made, whole.
func consistent(l catalog.Listing) error {
	want := []byte(fmt.Sprintf(`"title":%q,`, l.Instructions))
	if len(l.Tools) == 0 {
		return fmt.Errorf("%s has no tools", l.Server)
	}
	for i, tool := range l.Tools {
		if !json.Valid(tool.Raw) || !bytes.Contains(tool.Raw, want) {
			return fmt.Errorf("tool %d of %s is not of %q: %s", i, l.Server, l.Instructions, tool.Raw)
		}
	}
	return nil
}

// files lists a directory by the ends of names.
func files(t testing.TB, dir, suffix string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	return names
}

// listingPath is where the only listing in dir is.
func listingPath(t testing.TB, s *Store, l catalog.Listing) string {
	t.Helper()
	path := s.path(stemOf(l.Server, l.Identity) + listingSuffix)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}
