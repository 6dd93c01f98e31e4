package disclose

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer"
	"go.uber.org/goleak"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A listed server, as testdata and the listings of real servers have them.
type listed struct {
	Name         string
	Server       string
	ServerInfo   json.RawMessage
	Instructions string
	Found        catalog.Provenance
	Failure      *catalog.Failure
	Tools        []json.RawMessage
}

func (l listed) listing() catalog.Listing {
	if l.Found == "" {
		l.Found = catalog.Protocol
	}
	out := catalog.Listing{Server: l.Server + l.Name, ServerInfo: l.ServerInfo, Instructions: l.Instructions, Failure: l.Failure, Taken: time.Unix(1, 0)}
	for _, raw := range l.Tools {
		out.Tools = append(out.Tools, catalog.Found{Raw: raw, Provenance: l.Found, Confidence: 1})
	}
	return out
}

// fixed is the catalog of testdata.
func fixed(t testing.TB) *catalog.Snapshot {
	t.Helper()
	raw, err := os.ReadFile("testdata/listings.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []listed
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var listings []catalog.Listing
	for _, l := range list {
		listings = append(listings, l.listing())
	}
	return catalog.Build(listings, catalog.Rules{}, time.Unix(2, 0))
}

// real is what many public servers answered. It is not part of the project:
// tests that want it are skipped without.
func real(t testing.TB) *catalog.Snapshot {
	t.Helper()
	s, err := readReal()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no listings of real servers: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var readReal = sync.OnceValues(func() (*catalog.Snapshot, error) {
	f, err := os.Open("../../../shared/data/servers/listings.jsonl")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var listings []catalog.Listing
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l listed
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, err
		}
		listings = append(listings, l.listing())
	}
	if testing.Short() {
		listings = listings[len(listings)*7/8:]
	}
	return catalog.Build(listings, catalog.Rules{}, time.Unix(2, 0)), lines.Err()
})

func browser(s *catalog.Snapshot, change func(*Options)) *Browser {
	find := sync.OnceValue(func() *index.Index { return index.New(nil, s, nil) })
	o := Options{Snapshot: func() *catalog.Snapshot { return s }, Index: find}
	if change != nil {
		change(&o)
	}
	return New(&o)
}

var codecs = sync.OnceValue(func() []tokenizer.Codec {
	var out []tokenizer.Codec
	for _, e := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase} {
		c, err := tokenizer.Get(e)
		if err != nil {
			panic(err)
		}
		out = append(out, c)
	}
	return out
})

// tokens is how many tokens a text has under the worse of two tokenizers.
func tokens(t testing.TB, text string) int {
	t.Helper()
	most := 0
	for _, c := range codecs() {
		n, err := c.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, n)
	}
	return most
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: write it with go test -update, and read it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
