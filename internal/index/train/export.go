package main

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"toolcrib/internal/index"
	"toolcrib/internal/index/trial"
)

// A source is a set of tools and the sets of queries over them.
type source struct {
	name    string
	tools   string // the set that has the tools
	queries []string
	dev     bool // for choosing, not for training
}

var sources = []source{
	{"toucan", "train/toucan", []string{"train/authored", "dev/authored"}, false},
	{"metatool", "train/metatool_full", []string{"train/metatool_full", "dev/metatool_multi"}, false},
	{"seal", "train/seal_dev", []string{"train/seal_dev", "train/seal_test_in_domain"}, false},
	{"bfcl", "train/bfcl", []string{"train/bfcl"}, false},
	{"stb", "train/stabletoolbench", []string{"train/stabletoolbench"}, false},
	{"corpus", "dev/corpus", []string{"dev/corpus"}, true},
	{"livemcp", "dev/livemcp_agent", []string{"dev/livemcp_agent"}, true},
}

const (
	gloveWords   = 120_000 // that are read
	tableRank    = 45_000  // up to which a word of GloVe is in the table though no tool has it
	leastTools   = 2       // that have a word that GloVe does not know
	maxOfQueries = 20      // words of a query
)

// An exporter writes arrays for table.py.
type exporter struct {
	out     string
	glove   map[string]*stemVector
	vocab   map[string]int // stems; those of the table come first
	stems   []string
	inTable int
	counts  map[string]int // in how many texts of training a stem is
	texts   int
}

// A loaded source is one with its index.
type loaded struct {
	source
	index   *index.Index
	tools   []trial.Text
	words   []string
	stems   []uint32
	queries map[string]*trial.Set
}

func load(data string, s source) (*loaded, error) {
	l := &loaded{source: s, queries: map[string]*trial.Set{}}
	for _, q := range s.queries {
		set, err := trial.Load(filepath.Join(data, q), filepath.Join(data, s.tools, "tools.jsonl"))
		if err != nil {
			return nil, err
		}
		if l.index == nil {
			l.index, l.tools = index.New(nil, set.Snapshot, nil), set.Texts
			l.words, l.stems = l.index.Words()
		}
		l.queries[q] = set
	}
	return l, nil
}

func export(data, glove, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	e := &exporter{out: out, vocab: map[string]int{}, counts: map[string]int{}}
	var err error
	if e.glove, err = readGlove(glove, gloveWords); err != nil {
		return err
	}
	var all []*loaded
	for _, s := range sources {
		l, err := load(data, s)
		if err != nil {
			return err
		}
		all = append(all, l)
		if !s.dev {
			e.count(l)
		}
	}
	e.choose()
	for _, l := range all {
		if err := e.tools(l); err != nil {
			return err
		}
		for _, q := range l.source.queries {
			if err := e.questions(l, q); err != nil {
				return err
			}
		}
	}
	return e.words()
}

// count counts in how many texts of training each stem is.
func (e *exporter) count(l *loaded) {
	once := func(words []string) {
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			e.counts[w]++
		}
		e.texts++
	}
	for _, t := range l.tools {
		var stems []string
		for _, id := range l.index.Read(t.Tool).Bag {
			stems = append(stems, index.Stem(l.words[id]))
		}
		once(stems)
	}
	for name, set := range l.queries {
		if filepath.Dir(name) != "train" {
			continue
		}
		for _, q := range set.Queries {
			var stems []string
			for _, w := range l.index.ReadQuery(q.Text) {
				stems = append(stems, index.Stem(w.Text))
			}
			once(stems)
		}
	}
}

// choose picks the stems of the table, the most frequent first.
func (e *exporter) choose() {
	for s, n := range e.counts {
		if e.glove[s] != nil || n >= leastTools {
			e.stems = append(e.stems, s)
		}
	}
	for s, v := range e.glove {
		if e.counts[s] == 0 && v.rank < tableRank {
			e.stems = append(e.stems, s)
		}
	}
	slices.SortFunc(e.stems, func(a, b string) int { return cmp.Or(cmp.Compare(e.counts[b], e.counts[a]), cmp.Compare(a, b)) })
	for i, s := range e.stems {
		e.vocab[s] = i
	}
	e.inTable = len(e.stems)
}

// id is the number of a stem; one that is not in the table gets a further one.
func (e *exporter) id(stem string) int32 {
	i, ok := e.vocab[stem]
	if !ok {
		i = len(e.stems)
		e.vocab[stem], e.stems = i, append(e.stems, stem)
	}
	return int32(i)
}

// words writes the stems, what GloVe says of them, what they weigh, and the
// vectors of those that are not in the table.
func (e *exporter) words() error {
	vectors := make([]float32, 0, e.inTable*gloveDimensions)
	weights := make([]float32, 0, e.inTable)
	for _, s := range e.stems[:e.inTable] {
		rank := gloveWords
		if v := e.glove[s]; v != nil {
			rank = v.rank
			for _, x := range v.vector {
				vectors = append(vectors, float32(x))
			}
		} else {
			vectors = append(vectors, make([]float32, gloveDimensions)...)
		}
		frequency := 1 / ((float64(rank) + 2.7) * 12)
		weight := 1e-3 / (1e-3 + frequency)
		if n := e.counts[s]; n > 0 {
			weight *= math.Log(1+float64(e.texts)/float64(1+n)) / 8
		}
		weights = append(weights, float32(weight))
	}
	var spelled []float32
	for _, s := range e.stems[e.inTable:] {
		spelled = append(spelled, index.Spell(s)...)
	}
	fmt.Printf("%d stems in the table, %d others\n", e.inTable, len(e.stems)-e.inTable)
	text, err := json.Marshal(e.stems[:e.inTable])
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(e.out, "words.json"), text, 0o644); err != nil {
		return err
	}
	return firstError(e.write("words.glove", half(vectors)), e.write("words.weight", weights), e.write("words.spelled", half(spelled)))
}

// tools writes the tools of a source.
func (e *exporter) tools(l *loaded) error {
	const start = 32
	var starts []int32
	var fields []uint8
	bags := rows[int32]{ends: []int32{0}}
	var weights []float32
	posts := rows[int32]{ends: []int32{0}}
	var own, shared []uint8
	var servers, twins []int32
	serverIDs, twinIDs := map[string]int32{}, map[string]int32{}
	for _, t := range l.tools {
		r := l.index.Read(t.Tool)
		for i := range start {
			if i < len(r.Start) {
				starts, fields = append(starts, e.id(index.Stem(l.words[r.Start[i]]))), append(fields, r.Fields[i])
			} else {
				starts, fields = append(starts, -1), append(fields, 0)
			}
		}
		for i, w := range r.Bag {
			bags.values = append(bags.values, e.id(index.Stem(l.words[w])))
			weights = append(weights, r.Weights[i])
		}
		bags.end()
		for _, p := range r.Postings {
			posts.values = append(posts.values, int32(p.Word))
			own, shared = append(own, p.Own), append(shared, p.Shared)
		}
		posts.end()
		servers = append(servers, number(serverIDs, t.Tool.Server().Name()))
		twins = append(twins, number(twinIDs, t.Name+"\x00"+t.Description))
	}
	stems := make([]int32, len(l.stems))
	for i, s := range l.stems {
		stems[i] = int32(s)
	}
	return firstError(
		e.write(l.name+".start", starts), e.write(l.name+".field", fields),
		e.write(l.name+".bag", bags.values), e.write(l.name+".bagend", bags.ends), e.write(l.name+".bagweight", weights),
		e.write(l.name+".post", posts.values), e.write(l.name+".postend", posts.ends), e.write(l.name+".own", own), e.write(l.name+".shared", shared),
		e.write(l.name+".server", servers), e.write(l.name+".twin", twins), e.write(l.name+".stem", stems),
	)
}

// questions writes the queries of a set.
func (e *exporter) questions(l *loaded, name string) error {
	places := map[any]int32{}
	for i, t := range l.tools {
		places[t.Tool.ID()] = int32(i)
	}
	words := rows[int32]{ends: []int32{0}}
	var corpusWords, corpusStems []int32
	var weights []float32
	gold := rows[int32]{ends: []int32{0}}
	var needs []int32
	var kinds []int32
	kindIDs := map[string]int32{}
	for _, q := range l.queries[name].Queries {
		for _, w := range l.index.ReadQuery(q.Text) {
			words.values = append(words.values, e.id(index.Stem(w.Text)))
			corpusWords, corpusStems = append(corpusWords, int32(w.Word)), append(corpusStems, int32(w.Stem))
			weights = append(weights, w.Weight)
		}
		words.end()
		for n, need := range q.Needs {
			for _, t := range need {
				gold.values, needs = append(gold.values, places[t.ID()]), append(needs, int32(n))
			}
		}
		gold.end()
		kinds = append(kinds, number(kindIDs, q.Kind))
	}
	base := "q." + filepath.Base(name)
	if filepath.Dir(name) == "dev" {
		base = "dev." + filepath.Base(name)
	}
	kindNames, err := json.Marshal(kindIDs)
	if err != nil {
		return err
	}
	return firstError(
		e.write(base+".word", words.values), e.write(base+".end", words.ends), e.write(base+".cword", corpusWords), e.write(base+".cstem", corpusStems),
		e.write(base+".weight", weights), e.write(base+".gold", gold.values), e.write(base+".goldend", gold.ends), e.write(base+".need", needs),
		e.write(base+".kind", kinds), os.WriteFile(filepath.Join(e.out, base+".kinds.json"), kindNames, 0o644),
	)
}

// rows are slices of different lengths one after another.
type rows[T any] struct {
	values []T
	ends   []int32
}

func (r *rows[T]) end() { r.ends = append(r.ends, int32(len(r.values))) }

func number(ids map[string]int32, text string) int32 {
	id, ok := ids[text]
	if !ok {
		id = int32(len(ids))
		ids[text] = id
	}
	return id
}

// half makes 16-bit numbers of v, in thousandths of a 32nd.
func half(v []float32) []int16 {
	out := make([]int16, len(v))
	for i, x := range v {
		out[i] = int16(math.Round(float64(min(max(x, -1), 1)) * 32000))
	}
	return out
}

func (e *exporter) write(name string, array any) error {
	suffix := map[string]string{"[]int32": "i4", "[]uint8": "u1", "[]float32": "f4", "[]int16": "i2"}[fmt.Sprintf("%T", array)]
	f, err := os.Create(filepath.Join(e.out, name+"."+suffix))
	if err != nil {
		return err
	}
	if err := binary.Write(f, binary.LittleEndian, array); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
