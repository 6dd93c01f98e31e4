package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/internal/catalog"
)

// A Set is tools, and queries that are to find them.
type Set struct {
	Name     string
	Snapshot *catalog.Snapshot
	Queries  []Query
	Texts    []Text // of the tools, as the file has them
}

// A Query is one question and the answers that will do.
type Query struct {
	ID    string
	Text  string
	Kind  string
	Needs [][]*catalog.Tool // each is met by any of its tools
	None  bool              // nothing is made for it
}

// A Text is one tool in the file.
type Text struct {
	ID          string          `json:"id"`
	Server      string          `json:"server"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Tool        *catalog.Tool   `json:"-"`
}

// Load reads the set in a folder. tools is the file of tools where the folder
// has none of its own; it may be "".
func Load(dir, tools string) (*Set, error) {
	set := &Set{Name: filepath.Base(filepath.Clean(dir))}
	own := filepath.Join(dir, "tools.jsonl")
	if _, err := os.Stat(own); err == nil {
		tools = own
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the set %s: %w", dir, err)
	} else if tools == "" {
		return nil, fmt.Errorf("the set %s has no tools.jsonl; name the file of its tools with --tools", dir)
	}
	if err := set.readTools(tools); err != nil {
		return nil, err
	}
	return set, set.readQueries(filepath.Join(dir, "queries.jsonl"))
}

func (s *Set) readTools(file string) error {
	err := eachLine(file, func(line []byte) error {
		var t Text
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		if t.ID == "" || t.Name == "" {
			return errors.New("a tool needs an id and a name")
		}
		s.Texts = append(s.Texts, t)
		return nil
	})
	if err != nil {
		return err
	}
	return s.place()
}

// place puts the tools into listings, as their servers would list them.
func (s *Set) place() error {
	type slot struct{ listing, name string }
	var order []string
	listings := map[string]*catalog.Listing{}
	taken := map[slot]bool{}
	places := make([]slot, len(s.Texts))
	for i, t := range s.Texts {
		home := slot{homeOf(t), t.Name}
		for base, n := home.listing, 2; taken[home]; n++ { // one server lists a name once
			home.listing = fmt.Sprintf("%s %d", base, n)
		}
		taken[home], places[i] = true, home
		l := listings[home.listing]
		if l == nil {
			l = &catalog.Listing{Server: home.listing}
			if t.Server != "" && t.Server != home.listing {
				l.ServerInfo, _ = json.Marshal(map[string]string{"name": t.Server})
			}
			listings[home.listing], order = l, append(order, home.listing)
		}
		raw, err := json.Marshal(map[string]any{"name": t.Name, "description": t.Description, "inputSchema": schema(t.InputSchema)})
		if err != nil {
			return fmt.Errorf("tool %s: %w", t.ID, err)
		}
		l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
	}
	all := make([]catalog.Listing, len(order))
	for i, name := range order {
		all[i] = *listings[name]
	}
	s.Snapshot = catalog.Build(all, catalog.Rules{}, time.Time{})
	for i, p := range places {
		if s.Texts[i].Tool = s.Snapshot.Find(p.listing, p.name); s.Texts[i].Tool == nil {
			return fmt.Errorf("tool %s has a definition that cannot be read", s.Texts[i].ID)
		}
	}
	return nil
}

// homeOf is the server that lists a tool: two may bear one name, their ids
// tell them apart.
func homeOf(t Text) string {
	if home, _, ok := strings.Cut(t.ID, "::"); ok && home != "" {
		return home
	}
	if t.Server != "" {
		return t.Server
	}
	return "tools"
}

func schema(raw json.RawMessage) any {
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]string{"type": "object"}
	}
	return raw
}

func (s *Set) readQueries(file string) error {
	byID := make(map[string]*catalog.Tool, len(s.Texts))
	for _, t := range s.Texts {
		byID[t.ID] = t.Tool
	}
	return eachLine(file, func(line []byte) error {
		var q struct {
			ID, Query, Kind string
			Gold            []json.RawMessage
			None            bool
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		query := Query{ID: q.ID, Text: q.Query, Kind: q.Kind, None: q.None}
		for _, entry := range q.Gold {
			need, err := readNeed(entry, byID)
			if err != nil {
				return err
			}
			query.Needs = append(query.Needs, need)
		}
		if len(query.Needs) == 0 && !q.None {
			return errors.New(`a query needs gold, or "none": true`)
		}
		s.Queries = append(s.Queries, query)
		return nil
	})
}

// readNeed reads an id or a list of them.
func readNeed(raw json.RawMessage, byID map[string]*catalog.Tool) ([]*catalog.Tool, error) {
	var ids []string
	if err := json.Unmarshal(raw, &ids); err != nil {
		var id string
		if err := json.Unmarshal(raw, &id); err != nil {
			return nil, fmt.Errorf("an entry of gold is neither an id nor a list of ids: %s", raw)
		}
		ids = []string{id}
	}
	var need []*catalog.Tool
	for _, id := range ids {
		t := byID[id]
		if t == nil {
			return nil, fmt.Errorf("gold names %q, which is no tool of the set", id)
		}
		need = append(need, t)
	}
	if len(need) == 0 {
		return nil, errors.New("an entry of gold is an empty list")
	}
	return need, nil
}

// maxLine is the longest line of a file of a set.
const maxLine = 16 << 20

// eachLine calls read with each line that is not empty. Errors say where.
func eachLine(file string, read func(line []byte) error) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read the set: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		if err := read(lines.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}
