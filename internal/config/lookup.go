package config

import (
	"cmp"
	"slices"
)

// Server is the entry of that name, or the one that has it as an alias.
func (c Config) Server(name string) (Server, bool) {
	i := slices.IndexFunc(c.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		i = slices.IndexFunc(c.Servers, func(s Server) bool { return slices.Contains(s.Aliases, name) })
	}
	if i < 0 {
		return Server{}, false
	}
	return c.Servers[i], true
}

// Runs tells whether a server may be started.
func (s Server) Runs() bool { return !s.Disabled && !s.Untrusted }

// Nearest are the names of servers, three at most, that are most like one that
// there is not.
func (c Config) Nearest(name string) []string {
	type candidate struct {
		name string
		off  int
	}
	var all []candidate
	for _, s := range c.Servers {
		all = append(all, candidate{s.Name, distance(flatten(name), flatten(s.Name))})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.off, b.off) })
	var names []string
	for _, c := range all[:min(len(all), 3)] {
		names = append(names, c.name)
	}
	return names
}
