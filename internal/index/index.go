// Package index finds tools by what somebody wants to do.
//
//	Snapshot ─► New ─► Index ─► Search(Query) ─► Result: verdict, hits, what was withheld
//
// A search goes through these stages, each a file or two:
//
//	words, stem, query    what the query says: words, names, select:, server:, category:
//	lexical               BM25F over names, descriptions, parameters and servers
//	near, vector, table   the best match of each word by trained vectors of words
//	choose                the sixty tools that have most of both
//	features, coverage    what is known of the query and each of them together
//	rank                  a small trained network puts them in order
//	evidence, verdict     how sure that is: found, near, withheld, unavailable, none
//
// One Index belongs to one Snapshot and never changes: any number of searchers
// read it without a lock. New takes over from the index before what it worked out for
// servers that list the same tools again (part), so that a change of one costs about
// as much as that one.
//
// The package asks nobody and calls nothing; it decides neither who may see a
// tool, which a query's Hidden tells it, nor how a tool is shown. The folder train has the
// program that makes table.bin, rank.bin and verdict_weights.go, trial measures, embed
// asks somebody's own model.
package index

import (
	"slices"
	"sync"
	"sync/atomic"

	"toolcrib/internal/catalog"
)

// Options say how to search. The zero value is what everybody should use.
type Options struct {
	Table   *Table   // nil for the one that the binary has
	Weights *Weights // likewise

	// Vectors gives the vector of a tool by somebody's own model, nil if it is
	// not known. A query that has a vector too is compared with them.
	Vectors func(*catalog.Tool) []float32
}

// An Index is a snapshot made ready for searching.
type Index struct {
	snapshot    *catalog.Snapshot
	words       *dictionary
	parts       []placed
	owner       []uint32  // of each tool, in the order of the snapshot: its part
	lists       []posting // their ids are of tools
	from        []uint32  // of each word: where its list begins
	tools       []uint32  // of each stem: how many tools have it
	idfs        []float32 // of each stem: how much it tells
	callsServer []bool    // of each stem: whether some servers, but few, are called so
	table       *Table
	weights     *Weights
	scratch     *sync.Pool

	starts    []uint32 // of each stem, the tools that begin with it: number and field
	startFrom []uint32 // of each stem: where its part of starts begins
	nearby    []atomic.Pointer[[]neighbour]
	own       *ownVectors // nil if nobody has any
}

// A placed part is one with its place in an index.
type placed struct {
	*part
	server *catalog.Server
	start  uint32 // the number of its first tool
}

// New indexes a snapshot, taking over from previous, which may be nil, what
// did not change. Options may be nil.
func New(previous *Index, snapshot *catalog.Snapshot, options *Options) *Index {
	x := &Index{snapshot: snapshot, table: defaultTable()}
	if options != nil && options.Table != nil {
		x.table = options.Table
	}
	if x.weights = defaultWeights(); options != nil && options.Weights != nil {
		x.weights = options.Weights
	}
	before := map[string]*part{}
	words := &lexicographer{dictionary: emptyDictionary, table: x.table}
	if previous != nil && previous.table == x.table && !previous.wasteful() {
		words.dictionary = previous.words
		for _, p := range previous.parts {
			before[p.server.Name()] = p.part
		}
	}
	for i, s := range snapshot.Servers() {
		p := before[s.Name()]
		if !p.of(s) {
			p = newPart(s, words)
		}
		x.parts = append(x.parts, placed{p, s, uint32(len(x.owner))})
		for range p.documents {
			x.owner = append(x.owner, uint32(i))
		}
	}
	x.words = words.dictionary
	x.invert()
	x.collectStarts()
	x.idfs = make([]float32, len(x.tools))
	for stem, tools := range x.tools {
		x.idfs[stem] = x.idf(tools)
	}
	if options != nil {
		x.own = collectOwn(snapshot.Tools(), options.Vectors)
	}
	x.findServerNames()
	x.nearby = make([]atomic.Pointer[[]neighbour], len(x.words.forms))
	x.scratch = &sync.Pool{New: func() any { return newScratch(x) }}
	return x
}

// Snapshot is what the index was made of.
func (x *Index) Snapshot() *catalog.Snapshot { return x.snapshot }

// wasteful tells whether most words of the dictionary are of tools that are
// gone. Then the next index begins with an empty one.
func (x *Index) wasteful() bool {
	const worthIt = 10_000
	used := 0
	for w := range x.words.words {
		if x.from[w] < x.from[w+1] {
			used++
		}
	}
	return len(x.words.words) > worthIt && used < len(x.words.words)/2
}

// invert makes the lists of tools by word.
func (x *Index) invert() {
	x.from = make([]uint32, len(x.words.words)+1)
	x.tools = make([]uint32, len(x.words.forms))
	for _, p := range x.parts {
		for i := range p.postings {
			x.from[p.postings[i].id+1]++
		}
	}
	for w := 1; w < len(x.from); w++ {
		x.from[w] += x.from[w-1]
	}
	x.lists = make([]posting, x.from[len(x.from)-1])
	next := make([]uint32, len(x.words.words))
	copy(next, x.from)
	for _, p := range x.parts {
		for i, d := range p.documents {
			tool := p.start + uint32(i)
			for _, o := range p.postings[d.postings.from:d.postings.to] {
				at := next[o.id]
				next[o.id]++
				x.lists[at] = posting{tool, o.own, o.shared, o.where}
				if o.where&firstForm != 0 {
					x.tools[x.words.words[o.id].stem]++
				}
			}
		}
	}
}

// collectStarts makes the lists of tools by stem for matching vectors.
func (x *Index) collectStarts() {
	x.startFrom = make([]uint32, len(x.words.forms)+1)
	each := func(do func(stem, entry uint32)) {
		for _, p := range x.parts {
			for i, d := range p.documents {
				tool := p.start + uint32(i)
				for j, id := range p.words[d.start.from:d.start.to] {
					do(x.words.words[id].stem, tool<<startBits|uint32(p.fields[int(d.fields)+j]))
				}
			}
		}
	}
	each(func(stem, _ uint32) { x.startFrom[stem+1]++ })
	for s := 1; s < len(x.startFrom); s++ {
		x.startFrom[s] += x.startFrom[s-1]
	}
	x.starts = make([]uint32, x.startFrom[len(x.startFrom)-1])
	next := slices.Clone(x.startFrom)
	each(func(stem, entry uint32) {
		x.starts[next[stem]] = entry
		next[stem]++
	})
}

// tool is the tool of a number.
func (x *Index) tool(number uint32) *catalog.Tool {
	p := &x.parts[x.owner[number]]
	return p.server.Tool(int(number - p.start))
}

// list are the tools that have a word.
func (x *Index) list(w wordID) []posting { return x.lists[x.from[w]:x.from[w+1]] }

// findServerNames finds the words that tell servers apart: of their names, those
// that are rare.
func (x *Index) findServerNames() {
	x.callsServer = make([]bool, len(x.tools))
	servers := make([]int, len(x.tools))
	for _, p := range x.parts {
		for stem := range p.serverStems(x.words) {
			servers[stem]++
		}
	}
	for stem, n := range servers {
		x.callsServer[stem] = n > 0 && n <= max(3, len(x.parts)/50)
	}
}
