package demo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestNotesLiveOnDisk(t *testing.T) {
	for era, version := range eras() {
		t.Run(era, func(t *testing.T) {
			dir := t.TempDir()
			changed := make(chan struct{}, 100)
			s := connect(t, version, &mcp.ClientOptions{
				ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- struct{}{} },
			}, "notes", dir)
			ctx := t.Context()
			saved := structured[brief](t, call(t, s, "add_note", map[string]any{"title": "Shopping list", "text": "Milk, Käse 🧀", "tags": []string{"home"}}))
			if !strings.HasPrefix(saved.ID, "shopping-list-") || saved.URI != noteScheme+saved.ID {
				t.Errorf("saved %+v", saved)
			}
			within(t, changed)
			full := structured[fullNote](t, call(t, s, "get_note", map[string]any{"id": saved.ID}))
			if full.Text != "Milk, Käse 🧀" || full.Title != "Shopping list" {
				t.Errorf("got %+v", full)
			}
			read, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: saved.URI})
			if err != nil || !strings.Contains(read.Contents[0].Text, "Käse") {
				t.Errorf("read %v, %v", read, err)
			}
			for query, want := range map[string]int{"MILK": 1, "home": 1, "shopping": 1, "work": 0} {
				if got := structured[briefs](t, call(t, s, "search_notes", map[string]any{"query": query})); got.Total != want {
					t.Errorf("search %s: %+v", query, got)
				}
			}
			prompt, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "summarize_notes", Arguments: map[string]string{"topic": "milk"}})
			if err != nil || len(prompt.Messages) != 2 {
				t.Errorf("prompt %v, %v", prompt, err)
			}

			// Another process on the same directory sees the note, as a resource too.
			other := connect(t, version, nil, "notes", dir)
			resources, err := other.ListResources(ctx, nil)
			if err != nil || len(resources.Resources) != 1 || resources.Resources[0].URI != saved.URI {
				t.Errorf("resources %v, %v", resources, err)
			}
			call(t, s, "delete_note", map[string]any{"id": saved.ID})
			refused(t, other, "get_note", map[string]any{"id": saved.ID}, "list_notes shows the ids")
			refused(t, s, "delete_note", map[string]any{"id": saved.ID}, "list_notes shows the ids")
			if _, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: saved.URI}); err == nil {
				t.Error("a deleted note can be read")
			}
			if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
				t.Errorf("left behind: %v, %v", files, err)
			}
			prompt, err = s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "summarize_notes"})
			if err != nil || len(prompt.Messages) != 1 {
				t.Errorf("prompt without notes %v, %v", prompt, err)
			}
		})
	}
}

func TestNotesStayInTheirDirectory(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "notes")
	if err := os.WriteFile(filepath.Join(parent, "secret.json"), []byte(`{"title":"secret"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := connect(t, "", nil, "notes", dir)
	if err := os.Symlink("../secret.json", filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"../secret", "..%2fsecret", "/etc/passwd", "", ".", "..", "a/b", "a\\b", "link", "A", "a.b", strings.Repeat("a", 100), "a\x00b", "-a"} {
		for _, tool := range []string{"get_note", "delete_note"} {
			if tool == "delete_note" && id == "link" {
				continue // removing the link removes only the link
			}
			if res := call(t, s, tool, map[string]any{"id": id}); !res.IsError {
				t.Errorf("%s %q: %s", tool, id, textOf(t, res))
			}
		}
	}
	for _, title := range []string{"../../etc/passwd", "CON", "con", "日本語", "🧀", "a/b\\c:d*e?", "..", strings.Repeat("x", 200)} {
		got := structured[brief](t, call(t, s, "add_note", map[string]any{"title": title, "text": ""}))
		if !validID(got.ID) {
			t.Errorf("title %q became id %q", title, got.ID)
		}
	}
	if files, err := os.ReadDir(parent); err != nil || len(files) != 2 {
		t.Errorf("outside the directory: %v, %v", files, err)
	}
	refused(t, s, "add_note", map[string]any{"title": " ", "text": ""}, "needs a title")
	refused(t, s, "add_note", map[string]any{"title": strings.Repeat("x", 201), "text": ""}, "shorten it")
	refused(t, s, "add_note", map[string]any{"title": "t", "text": strings.Repeat("x", maxNoteText+1)}, "split it")
	refused(t, s, "add_note", map[string]any{"title": "t", "text": "", "tags": make([]string, maxTags+1)}, "fewer")
}

func TestDamagedNotesAreCounted(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty.json": "", "half.json": `{"title":"h`, "other.txt": "x", ".tmp-x": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, "", nil, "notes", dir)
	if got := structured[briefs](t, call(t, s, "list_notes", nil)); got.Total != 0 || got.Unreadable != 2 {
		t.Errorf("listed %+v", got)
	}
	refused(t, s, "get_note", map[string]any{"id": "half"}, "damaged")
}

func TestLongestNoteReadsBack(t *testing.T) {
	st, err := openStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.close()
	text := strings.Repeat("\x01", maxNoteText) // six bytes each when escaped
	n, err := st.add("t", text, nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if back, err := st.get(n.ID); err != nil || back.Text != text {
		t.Errorf("read back %d bytes, %v", len(back.Text), err)
	}
}

func TestNotesAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 2 { // two processes
		st, err := openStore(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer st.close()
		for range 20 {
			all.Go(func() {
				if _, err := st.add("same title", "text", nil, time.Now()); err != nil {
					t.Error(err)
				}
				if _, unreadable, err := st.all(); err != nil || unreadable > 0 {
					t.Errorf("%d unreadable, %v", unreadable, err)
				}
			})
		}
	}
	all.Wait()
	st, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.close()
	if notes, _, err := st.all(); err != nil || len(notes) != 40 {
		t.Errorf("%d notes, %v", len(notes), err)
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"Shopping list", "../x", "", "ÄÖÜ", "a--b", "-", "con", strings.Repeat("a-", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, title string) {
		if id := slug(title) + "-abcd"; !validID(id) {
			t.Errorf("%q gives %q", title, id)
		}
	})
}
