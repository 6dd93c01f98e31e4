package upstream

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
)

// Identity is the same as long as what a server offers may be expected to be:
// it covers how the server is reached and as whom, and not how it is supervised.
// Secrets enter it only as a few bits of a hash, enough to notice that they
// changed and of no use to find them out.
func (s *Spec) Identity() string {
	b, err := json.Marshal([]any{
		s.Name, s.Transport, s.Command, s.Args, s.Dir, s.URL,
		slices.Sorted(maps.Keys(s.Env)), faint(s.Env), slices.Sorted(maps.Keys(s.Header)), faint(s.Header),
	})
	if err != nil { // strings and lists of strings always marshal
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// faint is a hash of values that is too short to guess them from.
func faint(values map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		h.Write([]byte(name + "\x00" + values[name] + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:2])
}

// Identity of a server, "" if there is none of that name.
func (p *Pool) Identity(name string) string {
	s, err := p.server(name)
	if err != nil {
		return ""
	}
	return s.spec.Identity()
}
