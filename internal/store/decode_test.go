package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"toolcrib/internal/catalog"
)

// written gives the file of pieces, whatever is in them.
func written(t testing.TB, pieces ...[]byte) []byte {
	t.Helper()
	e := &encoded{header: header{Toolcrib: listingKind, Taken: epoch}, pieces: pieces}
	var file bytes.Buffer
	if err := e.seal(); err != nil {
		t.Fatal(err)
	}
	if err := e.write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Files whose sum is right can still be wrong.
func TestWrongOutline(t *testing.T) {
	for _, c := range []string{
		`[]`, `"x"`, `{"tools":[{"sizes":[3]}]}`, `{"tools":[{"sizes":[1]}]}`, `{"tools":[{"sizes":[-1]}]}`,
		`{"tools":[{"sizes":[2,9223372036854775807]}]}`, `{"prompts":[2,2]}`, `{"prompts":[2],"resources":[2]}`,
		`{"serverInfo":-1}`, `{"serverInfo":2,"capabilities":1}`, `{}`, `{"templates":[0,2]}`, `{"serverInfo":1e3}`,
	} {
		if l, _, err := decodeListing(written(t, []byte(c), []byte(`{}`))); err == nil {
			t.Errorf("%s reads as %v", c, l)
		}
	}
	for _, c := range []string{`{"tools":[{"sizes":[2]}]}`, `{"serverInfo":2}`, `{"prompts":[2],"listing":{"tools":[{"raw":5}],"prompts":[1]}}`} {
		if l, _, err := decodeListing(written(t, []byte(c), []byte(`{}`))); err != nil || len(l.Tools)+len(l.Prompts)+len(l.ServerInfo)/2 != 1 {
			t.Errorf("%s: %v %v", c, l, err)
		}
	}
}

// FuzzDecode reads any bytes: as a file, and as what follows a header that is
// right. Nothing panics, what is taken in memory is in proportion to the
// bytes, and what is read can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, l := range []catalog.Listing{{}, {Server: "git", Taken: epoch}, everything()} {
		e, err := encodeListing(l)
		if err != nil {
			f.Fatal(err)
		}
		var file bytes.Buffer
		if err := e.write(&file); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
		f.Add(file.Bytes()[len(e.line):])
	}
	f.Add([]byte{})
	f.Add([]byte(`{"tools":[{"sizes":[2,2]},{"found":{"confidence":0.5},"sizes":[2]}],"prompts":[2]}` + "\n{}\n{}\n{}\n{}\n"))
	f.Add([]byte(`{"toolcrib":"listing","format":1,"size":9223372036854775807,"sha256":"","check":""}` + "\n"))
	f.Add([]byte(`{"tools":[{"sizes":[` + fmt.Sprint(1<<62) + `]}]}` + "\n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, _ = decodeListing(b)
		file := b
		if rest, ok := bytes.CutSuffix(b, newline); ok && len(rest) > 0 {
			file = written(t, rest)
		}
		l, _, err := decodeListing(file)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(1<<20+200*len(b)) {
			t.Errorf("%d bytes took %d", len(b), used)
		}
		if err != nil {
			return
		}
		e, err := encodeListing(l)
		if err != nil {
			return // an empty definition is read as it is, and not saved again
		}
		var again bytes.Buffer
		if err := e.write(&again); err != nil {
			t.Fatal(err)
		}
		l2, _, err := decodeListing(again.Bytes())
		if err != nil {
			t.Fatalf("what was just written cannot be read: %v", err)
		}
		if d := cmp.Diff(l, l2, cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
		if len(l.Tools) > 0 && !json.Valid(e.pieces[0]) {
			t.Error("the outline is not JSON")
		}
	})
}
