package index

import (
	"cmp"
	"slices"

	"toolcrib/internal/catalog"
)

// alike is the least cosine of two tools that do about the same.
const alike = .6

// Similar are at most n tools that do about the same as the given one by their
// words, the nearest first, without itself and without those of the same text.
// There are none for a tool that is not of the index's snapshot.
func (x *Index) Similar(tool *catalog.Tool, n int) []*catalog.Tool {
	number, ok := x.numberOf(tool)
	if !ok || n <= 0 {
		return nil
	}
	own, scale := x.vectorOf(number)
	type near struct {
		tool   uint32
		cosine float32
	}
	var all []near
	for i := range x.parts {
		p := &x.parts[i]
		for j := range p.vectors {
			if cosine := float32(own.dot(&p.vectors[j])) * scale * p.scales[j]; cosine >= alike && p.start+uint32(j) != number {
				all = append(all, near{p.start + uint32(j), cosine})
			}
		}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.tool, b.tool)) })
	var similar []*catalog.Tool
	for _, c := range all {
		t := x.tool(c.tool)
		if t.Fingerprint() == tool.Fingerprint() || slices.ContainsFunc(similar, func(o *catalog.Tool) bool { return o.Fingerprint() == t.Fingerprint() }) {
			continue
		}
		if similar = append(similar, t); len(similar) == n {
			break
		}
	}
	return similar
}

func (x *Index) vectorOf(number uint32) (*vector, float32) {
	p := &x.parts[x.owner[number]]
	return &p.vectors[number-p.start], p.scales[number-p.start]
}

// numberOf is the number of a tool, by its id.
func (x *Index) numberOf(tool *catalog.Tool) (uint32, bool) {
	for i := range x.parts {
		p := &x.parts[i]
		if p.server.LuaName() != tool.Server().LuaName() {
			continue
		}
		for j := range p.server.Len() {
			if p.server.Tool(j).ID() == tool.ID() {
				return p.start + uint32(j), true
			}
		}
	}
	return 0, false
}
