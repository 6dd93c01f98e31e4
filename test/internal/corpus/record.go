package corpus

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

// recorded are the names of the tools that each server listed, one server a
// line. They were written down by another client than ours: the handshake of
// 2025-11-25 and tools/list, without any capability of the client's.
//
//go:embed recorded.jsonl
var recorded []byte

// A record is what a server once answered.
type record struct {
	Name    string
	Package string
	Version string
	Tools   []string
}

// readRecords reads one record a line, by name.
func readRecords(lines []byte) (map[string]record, error) {
	all := map[string]record{}
	in := bufio.NewScanner(bytes.NewReader(lines))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r record
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("recorded listing %d: %w", len(all)+1, err)
		}
		all[r.Name] = r
	}
	return all, in.Err()
}

// Tools are the names that the server lists to us, sorted.
func (s Server) Tools() ([]string, error) {
	records, err := readRecords(recorded)
	if err != nil {
		return nil, err
	}
	r, ok := records[s.Name]
	if !ok {
		return nil, fmt.Errorf("there is no record of %s: take it out of servers.go, or add one", s.Name)
	}
	names := append(slices.Clone(r.Tools), s.Adds...)
	slices.Sort(names)
	return names, nil
}
