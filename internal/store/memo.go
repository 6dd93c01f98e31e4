package store

import (
	"encoding/json"
	"os"
	"time"
)

// Facts are what discovery found out about a server besides what it offers.
// They live in a file of their own: they are known before there is a listing,
// and stay when there never is one.
type Facts struct {
	Era  string `json:"era,omitempty"`  // of the protocol that it answered
	Rung string `json:"rung,omitempty"` // of the ladder that it answered on
}

// A memo is Facts on disk.
type memo struct {
	Server   string `json:"server"`
	Identity string `json:"identity"`
	Facts
}

// Remember keeps facts; those that are empty stay what they were. What is
// already known is not written again. Facts that the disk refuses are kept in
// memory. Two processes that learn different facts at the same moment may keep
// only one of them; the other is learned again.
func (s *Store) Remember(server, identity string, what Facts) {
	stem := stemOf(server, identity)
	defer s.lockWriting(stem)()
	known, _ := s.recall(stem, server, identity)
	facts := known
	if what.Era != "" {
		facts.Era = what.Era
	}
	if what.Rung != "" {
		facts.Rung = what.Rung
	}
	if facts == known {
		return
	}
	if s.dir != "" {
		err := s.writeMemo(stem, memo{Server: server, Identity: identity, Facts: facts})
		if err == nil {
			s.mu.Lock()
			delete(s.facts, stem)
			s.mu.Unlock()
			return
		}
		s.cannotSave(err)
	}
	s.mu.Lock()
	s.facts[stem] = facts
	s.mu.Unlock()
}

// Recall gives what is remembered of a server, if anything is.
func (s *Store) Recall(server, identity string) (Facts, bool) {
	return s.recall(stemOf(server, identity), server, identity)
}

func (s *Store) recall(stem, server, identity string) (Facts, bool) {
	s.mu.Lock()
	facts, ok := s.facts[stem]
	s.mu.Unlock()
	if ok {
		return facts, true
	}
	m, ok := s.readMemo(stem)
	if !ok || m.Server != server || m.Identity != identity {
		return Facts{}, false
	}
	return m.Facts, true
}

func (s *Store) readMemo(stem string) (m memo, ok bool) {
	if s.dir == "" {
		return m, false
	}
	path := s.path(stem + memoSuffix)
	b, info, err := readAll(path)
	if err == nil && len(b) == 0 {
		return m, false // made by Touch: used, and nothing to remember
	}
	var rest []byte
	if err == nil {
		_, rest, err = readChecked(b, memoKind)
	}
	if err == nil {
		if bad := json.Unmarshal(rest, &m); bad != nil {
			err = damaged("the memo cannot be read: " + bad.Error())
		}
	}
	if err != nil {
		s.failed(path, info, err)
		return memo{}, false
	}
	return m, true
}

func (s *Store) writeMemo(stem string, m memo) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	e := &encoded{header: header{Toolcrib: memoKind}, pieces: [][]byte{b}}
	if err := e.seal(); err != nil {
		return err
	}
	return s.replace(s.path(stem+memoSuffix), time.Time{}, e.write)
}

// touchEvery is how exactly the last use is known.
const touchEvery = 24 * time.Hour

// Touch notes that a listing is in use, so that it is not cleared away. It costs
// a look at a file, and once a day a change of its time.
func (s *Store) Touch(server, identity string) {
	if s.dir != "" {
		s.touch(stemOf(server, identity))
	}
}

func (s *Store) touch(stem string) {
	path := s.path(stem + memoSuffix)
	now := time.Now()
	info, err := os.Lstat(path)
	if err == nil && now.Sub(info.ModTime()).Abs() < touchEvery {
		return
	}
	if err != nil {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return // a store that cannot be written to is not cleared either
		}
		_ = f.Chmod(0o600) // whatever the umask left of it
		f.Close()
	}
	_ = os.Chtimes(path, now, now)
}
