package guard_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/guard"
)

// others are tools of other servers that the poisoned definitions meddle with.
var others = map[string]bool{
	"send_email": true, "create_issue": true, "read_file": true, "create_pull_request": true, "execute_sql": true, "transfer_funds": true,
}

func isOther(name string) bool { return others[name] }

func lines(t testing.TB, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][]byte
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		out = append(out, append([]byte(nil), s.Bytes()...))
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func tool(t testing.TB, server string, raw json.RawMessage) *catalog.Tool {
	t.Helper()
	s := catalog.Build([]catalog.Listing{{Server: server, Tools: []catalog.Found{{Raw: raw, Provenance: catalog.Protocol}}}}, catalog.Rules{}, time.Time{})
	if s.Len() != 1 {
		t.Fatalf("no tool in %s", raw)
	}
	return s.Tools()[0]
}

// S08: of 50 poisoned definitions at least 95 % are flagged; here all are, each as
// what it is.
func TestS08PoisonedDefinitionsAreFlagged(t *testing.T) {
	all := lines(t, "testdata/poisoned.jsonl")
	if len(all) != 50 {
		t.Fatalf("%d poisoned definitions, expected 50", len(all))
	}
	for i, line := range all {
		var one struct {
			Kind guard.Kind
			Tool json.RawMessage
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		found := guard.Scan(tool(t, "poison", one.Tool), isOther)
		if len(found) == 0 {
			t.Errorf("line %d is not flagged: %s", i+1, one.Tool)
			continue
		}
		is := false
		for _, f := range found {
			is = is || f.Kind == one.Kind
			if f.What == "" || f.Where == "" || strings.ContainsAny(f.Excerpt, "\x1b\n\u202e\u200b") {
				t.Errorf("line %d: finding %+v", i+1, f)
			}
		}
		if !is {
			t.Errorf("line %d is no %s: %+v", i+1, one.Kind, found)
		}
	}
}

func TestS08HonestDefinitionsAreNot(t *testing.T) {
	for i, line := range lines(t, "testdata/honest.jsonl") {
		if found := guard.Scan(tool(t, "honest", line), func(name string) bool { return others[name] && name != "create_issue" }); len(found) > 0 {
			t.Errorf("line %d: %+v", i+1, found)
		}
	}
}

// S08: at most 2 % of real tools are flagged.
func TestS08RealTools(t *testing.T) {
	var listings []catalog.Listing
	for _, line := range lines(t, filepath.Join("..", "..", "..", "shared", "data", "servers", "listings.jsonl")) {
		var one struct {
			Name  string
			Tools []json.RawMessage
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		l := catalog.Listing{Server: one.Name}
		for _, raw := range one.Tools {
			l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol})
		}
		listings = append(listings, l)
	}
	if testing.Short() {
		listings = listings[len(listings)*3/4:]
	}
	s := catalog.Build(listings, catalog.Rules{}, time.Time{})
	flagged := 0
	names := guard.NewNames(s)
	for _, tool := range s.Tools() {
		if found := guard.Scan(tool, names.Others(tool.Server())); len(found) > 0 {
			flagged++
			t.Logf("%s: %+v", tool.ID(), found)
		}
	}
	t.Logf("%d of %d real tools are flagged", flagged, s.Len())
	if flagged*50 > s.Len() {
		t.Errorf("%d of %d real tools are flagged, more than 2 %%", flagged, s.Len())
	}
}

func FuzzScan(f *testing.F) {
	for _, line := range lines(f, "testdata/poisoned.jsonl") {
		f.Add(line)
	}
	f.Add([]byte(`{"name":"x","inputSchema":{"properties":{"a":[{"default":"$(x)"}]}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := catalog.Build([]catalog.Listing{{Server: "f", Tools: []catalog.Found{{Raw: raw, Provenance: catalog.Protocol}}}}, catalog.Rules{}, time.Time{})
		for _, one := range s.Tools() {
			for _, found := range guard.Scan(one, isOther) {
				if strings.ContainsAny(found.Excerpt, "\x1b\u202e\U000E0041") {
					t.Errorf("an excerpt that cannot be shown: %q", found.Excerpt)
				}
			}
		}
	})
}
