package catalog

import (
	"slices"
	"strings"
)

// A bearer is something that needs an identifier among others.
type bearer struct {
	name string // the original one
	key  string // tells it from all others; what a suffix is made of

	// again is set for one whose name another had before it. It never gets
	// the plain identifier.
	again bool
}

// A clash is several names that have one identifier.
type clash struct {
	identifier string
	names      []string // sorted
}

// identifiers gives each of the bearers an identifier of its own. A name that is
// alone with its identifier gets it. Of several, the one that already is that
// identifier keeps it, and the others get a suffix made of their key: so what
// each gets depends on what the others are, but not on their order.
func identifiers(bearers []bearer) (ids []string, clashes []clash) {
	ids = make([]string, len(bearers))
	taken := make(map[string]int, len(bearers)) // an identifier to who has it first
	several := map[string][]int{}
	for i, b := range bearers {
		id := Identifier(b.name)
		ids[i] = id
		if one, ok := taken[id]; !ok {
			taken[id] = i
		} else if several[id] == nil {
			several[id] = []int{one, i}
		} else {
			several[id] = append(several[id], i)
		}
	}
	var renamed []int
	for id, who := range several {
		c := clash{identifier: id}
		for _, i := range who {
			if !bearers[i].again {
				c.names = append(c.names, bearers[i].name)
			}
		}
		for _, i := range who {
			if bearers[i].again || len(c.names) > 1 && bearers[i].name != id {
				renamed = append(renamed, i)
			}
		}
		if len(c.names) > 1 {
			slices.Sort(c.names)
			clashes = append(clashes, c)
		}
	}
	// A suffixed identifier could be what another is called in the first place,
	// or be suffixed to: in a fixed order, each takes one that is free.
	slices.SortFunc(renamed, func(a, b int) int { return strings.Compare(bearers[a].key, bearers[b].key) })
	for _, i := range renamed {
		ids[i] = freeIdentifier(ids[i], bearers[i].key, taken)
		taken[ids[i]] = i
	}
	slices.SortFunc(clashes, func(a, b clash) int { return strings.Compare(a.identifier, b.identifier) })
	return ids, clashes
}

// freeIdentifier is id with the shortest suffix that nobody has. Whoever chose
// names to be in the way of all of them gets underscores.
func freeIdentifier(id, key string, taken map[string]int) string {
	free := func(id string) bool { _, has := taken[id]; return !has }
	hash := shortHash(key, 64)
	for _, digits := range []int{6, 10, 16, 64} {
		if one := withSuffix(id, hash[:digits]); free(one) {
			return one
		}
	}
	one := withSuffix(id, hash)
	for !free(one) {
		one += "_"
	}
	return one
}
