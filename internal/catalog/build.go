package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Build makes a snapshot of listings. The tools are copied; the rest of a
// listing is not to be changed afterwards. Whoever keeps listings keeps
// Server.Listing, and has the tools in memory once.
func Build(listings []Listing, rules Rules, now time.Time) *Snapshot {
	return (*Snapshot)(nil).Next(listings, rules, now)
}

// Next makes the snapshot that follows s: of these listings, all that there
// are. What s worked out for a listing that says the same is taken over, so it
// costs about as much as what has changed. s may be nil.
func (s *Snapshot) Next(listings []Listing, rules Rules, now time.Time) *Snapshot {
	if s == nil {
		s = &Snapshot{}
	}
	next := &Snapshot{built: now, rules: rules.clone()}
	listings, doubled := newestOfEach(listings)
	next.problems = doubled
	names, clashes := serverIdentifiers(listings)
	next.problems = append(next.problems, clashes...)

	sameRules := sameShelves(s.rules, next.rules)
	for i, l := range listings {
		before := s.byName[l.Server]
		if !sameRules {
			before = nil
		}
		next.servers = append(next.servers, newServer(l, names[i], next.rules, before))
	}
	slices.SortFunc(next.servers, func(a, b *Server) int { return strings.Compare(a.lua, b.lua) })
	next.index()
	next.version = next.hash()
	return next
}

// sameShelves tells whether two sets of rules say the same of tools.
func sameShelves(a, b Rules) bool {
	a.Aliases, b.Aliases = nil, nil
	return reflect.DeepEqual(a, b)
}

func newServer(l Listing, lua string, rules Rules, before *Server) *Server {
	s := &Server{lua: lua, listing: l}
	if before == nil {
		before = &Server{}
	}
	if before.shelf.same(l) {
		s.shelf = before.shelf
	} else {
		s.shelf = newShelf(l, rules.forServer(l.Server), before.shelf)
	}
	s.listing.Tools = s.shelf.found
	if s.shelf == before.shelf && s.lua == before.lua {
		s.tools = slices.Clone(before.tools)
	} else {
		s.tools = newTools(lua, s.shelf.entries)
	}
	for i := range s.tools {
		s.tools[i].server = s
	}
	return s
}

// newTools gives entries their ids. Those are parts of one text: a hundred
// thousand small ones would be as many things to keep track of.
func newTools(server string, entries []*entry) []Tool {
	size := 0
	for _, e := range entries {
		size += len(server) + 1 + len(e.lua)
	}
	var b strings.Builder
	b.Grow(size)
	for _, e := range entries {
		b.WriteString(server)
		b.WriteByte('.')
		b.WriteString(e.lua)
	}
	rest := ToolID(b.String())
	tools := make([]Tool, len(entries))
	for i, e := range entries {
		end := len(server) + 1 + len(e.lua)
		tools[i] = Tool{entry: e, id: rest[:end]}
		rest = rest[end:]
	}
	return tools
}

// newestOfEach keeps one listing a server, in the order of their names.
func newestOfEach(listings []Listing) ([]Listing, []Problem) {
	sorted := slices.Clone(listings)
	slices.SortStableFunc(sorted, func(a, b Listing) int {
		if c := strings.Compare(a.Server, b.Server); c != 0 {
			return c
		}
		if c := b.Taken.Compare(a.Taken); c != 0 {
			return c
		}
		return strings.Compare(a.Identity, b.Identity)
	})
	var told []Problem
	kept := sorted[:0]
	for _, l := range sorted {
		if n := len(kept); n > 0 && kept[n-1].Server == l.Server {
			if m := len(told); m == 0 || told[m-1].Server != l.Server {
				told = append(told, Problem{Kind: DuplicateEntry, Server: l.Server, Text: "server " + quote(l.Server) +
					" was listed twice; the newer listing counts; refresh it if its tools look wrong"})
			}
			continue
		}
		kept = append(kept, l)
	}
	return kept, told
}

func serverIdentifiers(listings []Listing) ([]string, []Problem) {
	bearers := make([]bearer, len(listings))
	for i, l := range listings {
		bearers[i] = bearer{name: l.Server, key: l.Server}
	}
	ids, clashes := identifiers(bearers)
	var told []Problem
	for _, c := range clashes {
		told = append(told, Problem{Kind: NameClash, Text: "servers " + quoteAll(c.names) + " have the same Lua identifier " + c.identifier +
			"; a hash was put to each that is not called so itself; rename one in the configuration"})
	}
	return ids, told
}

// hash is of all that the snapshot tells, but for when it was learned.
func (s *Snapshot) hash() string {
	h := sha256.New()
	var w hashWriter
	for _, server := range s.servers {
		w.reset()
		l := &server.listing
		for _, text := range []string{l.Server, l.Identity, server.lua, server.shelf.version, l.Era, l.Version, l.Instructions} {
			w.text(text)
		}
		w.bytes(l.ServerInfo)
		w.bytes(l.Capabilities)
		w.flag(l.Private)
		for _, list := range [][]json.RawMessage{l.Prompts, l.Resources, l.Templates} {
			w.number(uint64(len(list)))
			for _, one := range list {
				w.bytes(one)
			}
		}
		w.flag(l.Failure != nil)
		if f := l.Failure; f != nil {
			w.text(f.Reason)
			w.text(f.Since.UTC().Format(time.RFC3339Nano))
		}
		h.Write(w.b)
	}
	return hex.EncodeToString(h.Sum(nil))
}
