package demo

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Limits of the store.
const (
	maxNotes    = 1000
	maxNoteText = 64 << 10
	maxTitle    = 200
	maxTags     = 20
	maxNoteFile = 512 << 10 // a note's text may grow sixfold when it is escaped
)

// note is one note, as it is on disk.
type note struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Text    string    `json:"text"`
	Tags    []string  `json:"tags"`
	Created time.Time `json:"created"`
}

// store keeps each note as a JSON file of its own in one directory. Everything
// goes through an os.Root, so that no name can lead outside.
type store struct {
	mu   sync.Mutex
	root *os.Root
}

func openStore(dir string) (*store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the notes directory: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the notes directory: %w", err)
	}
	return &store{root: root}, nil
}

func (s *store) close() error { return s.root.Close() }

// add saves a new note and returns it with its id.
func (s *store) add(title, text string, tags []string, now time.Time) (note, error) {
	title = strings.TrimSpace(title)
	switch {
	case title == "":
		return note{}, errors.New("a note needs a title")
	case utf8.RuneCountInString(title) > maxTitle:
		return note{}, fmt.Errorf("the title is longer than %d characters: shorten it", maxTitle)
	case len(text) > maxNoteText:
		return note{}, fmt.Errorf("the text is longer than %d bytes: split it into several notes", maxNoteText)
	case len(tags) > maxTags:
		return note{}, fmt.Errorf("more than %d tags: use fewer", maxTags)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	names, err := s.names()
	if err != nil {
		return note{}, err
	}
	if len(names) >= maxNotes {
		return note{}, fmt.Errorf("there are %d notes, which is all that fit: delete some with delete_note", len(names))
	}
	// The random end keeps two notes of one title, or two processes on one
	// directory, from meeting in one file.
	n := note{
		ID:    slug(title) + "-" + strings.ToLower(rand.Text()[:4]),
		Title: title, Text: text, Tags: append([]string{}, tags...), Created: now.UTC().Truncate(time.Second),
	}
	return n, s.write(n)
}

// write saves a note by renaming a whole file, so that no reader sees half of it.
func (s *store) write(n note) error {
	b, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	temporary := ".tmp-" + rand.Text()
	f, err := s.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("save the note: %w", err)
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = s.root.Rename(temporary, n.ID+".json")
	}
	if err != nil {
		_ = s.root.Remove(temporary)
		return fmt.Errorf("save the note: %w", err)
	}
	return nil
}

// names lists the ids of all notes, sorted.
func (s *store) names() ([]string, error) {
	d, err := s.root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("read the notes directory: %w", err)
	}
	defer d.Close()
	files, err := d.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("read the notes directory: %w", err)
	}
	var ids []string
	for _, f := range files {
		if id, ok := strings.CutSuffix(f.Name(), ".json"); ok && validID(id) && f.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// all reads every note, the newest first, and says how many files are no notes.
func (s *store) all() (notes []note, unreadable int, err error) {
	s.mu.Lock()
	ids, err := s.names()
	s.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	for _, id := range ids[:min(len(ids), maxNotes)] {
		n, err := s.get(id)
		if err != nil {
			unreadable++
			continue
		}
		notes = append(notes, n)
	}
	slices.SortStableFunc(notes, func(a, b note) int { return b.Created.Compare(a.Created) })
	return notes, unreadable, nil
}

// get reads one note.
func (s *store) get(id string) (note, error) {
	missing := fmt.Errorf("no note %q: list_notes shows the ids", shorten(id))
	if !validID(id) {
		return note{}, missing
	}
	f, err := s.root.Open(id + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return note{}, missing
	}
	if err != nil {
		return note{}, fmt.Errorf("read note %s: %w", id, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxNoteFile))
	if err != nil {
		return note{}, fmt.Errorf("read note %s: %w", id, err)
	}
	var n note
	if err := json.Unmarshal(b, &n); err != nil {
		return note{}, fmt.Errorf("note %s cannot be read, its file is damaged: %w", id, err)
	}
	n.ID = id // the name of the file decides
	if n.Tags == nil {
		n.Tags = []string{}
	}
	return n, nil
}

// delete removes a note.
func (s *store) delete(id string) error {
	missing := fmt.Errorf("no note %q: list_notes shows the ids", shorten(id))
	if !validID(id) {
		return missing
	}
	err := s.root.Remove(id + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return missing
	}
	return err
}

// validID says whether id can be the name of a note's file.
func validID(id string) bool {
	if id == "" || len(id) > 80 || id[0] == '-' {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return filepath.IsLocal(id) // on Windows not every such name is a file
}

// slug makes the beginning of an id of a title.
func slug(title string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(title) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "note"
}
