package index

import "math"

// features are what is known of a query and a tool together, by number.
type features [featureCount]float32

// What the features are. Shares of words are by weight: rare ones count more.
const (
	ofBest         = iota // BM25 against that of the best tool
	ofIdeal               // BM25 against that of a tool with all words
	matching              // of the query's words by vectors
	matchingGap           // to the tool that is matched best
	direction             // cosine of the means
	directionGap          // to the best
	nameCovered           // coverage
	nameShared            // share of the name's words that the query has
	leadShared            // likewise of the first sentence
	inDescriptions        // share of the query's words that name or description has
	inParameter           // that parameters have
	inNames               // that the name has
	inServers             // that the server's name has
	serverShared          // share of the server's words that the query has
	nameMatched           // as nameShared, by vectors
	leadMatched           // as leadShared, by vectors
	matchedByName         // share of the query that name words match
	matchedByLead         // that words of the first sentence match
	weakest               // match of the query's word that is matched worst
	pairs                 // neighbours in the query that are neighbours in the tool
	verb                  // does the name do what the query does
	nameLength            // words in the name
	leadLength            // words in the first sentence
	queryLength           // words in the query
	strangers             // share of the query's words that no tool has
	serverBest            // early score of the server's best tool, against the best
	serverGap             // to its server's best
	lexicalLong           // ofBest, of long queries
	matchingLong          // matching, of long queries
	featureCount
)

// examine works out the features of all candidates.
func (e *examiner) examine() {
	for i := range e.ranked {
		e.candidate(&e.ranked[i])
	}
	for i := range e.search.withheld {
		if e.search.withheld[i].named == "" {
			e.candidate(&e.search.withheld[i])
		}
	}
	e.compare(e.ranked, e.search.withheld)
}

// An examiner looks at candidates.
type examiner struct {
	*search
	*scratch
	mean      vector
	meanScale float32
	weights   float32 // of the query's words for vectors
	bestScore float32
	long      float32
	matchedBy [2][maxQueryWords]float32 // of each term: its best match in the name, in the lead
}

// prepare notes which stems the query has and which are like them.
func (e *examiner) prepare() {
	e.mean, e.meanScale = mean(e.terms)
	e.likes = e.likes[:0]
	n := len(e.terms)
	for i := range e.terms {
		t := &e.terms[i]
		e.weights += t.meaning.inQuery
		if t.stem != unknown {
			e.termOf[t.stem] = uint8(i + 1)
			e.touched = append(e.touched, t.stem)
		}
		for _, near := range t.near {
			row := e.rowOf[near.stem]
			if row == 0 {
				for range n {
					e.likes = append(e.likes, 0)
				}
				row = uint32(len(e.likes) / n)
				e.rowOf[near.stem] = row
				e.touched = append(e.touched, near.stem)
			}
			e.likes[int(row-1)*n+i] = near.like
		}
	}
	for i := range e.ranked {
		e.bestScore = max(e.bestScore, e.ranked[i].lexical)
	}
	for i := range e.search.withheld {
		e.bestScore = max(e.bestScore, e.search.withheld[i].lexical)
	}
	e.long = float32(math.Log(float64(1+n))) / 4
}

// forget leaves the scratch as it was.
func (e *examiner) forget() {
	for _, stem := range e.touched {
		e.termOf[stem], e.rowOf[stem] = 0, 0
	}
	e.touched = e.touched[:0]
}

// like are how much a stem has to do with each term, nil for nothing.
func (e *examiner) like(stem uint32) []float32 {
	row := int(e.rowOf[stem])
	if row == 0 {
		return nil
	}
	n := len(e.terms)
	return e.likes[(row-1)*n : row*n]
}

func (e *examiner) candidate(c *candidate) {
	p := &e.parts[e.owner[c.tool]]
	number := c.tool - p.start
	d := &p.documents[number]
	f := &c.features
	f[ofBest] = c.lexical / max(e.bestScore, 1e-6)
	f[ofIdeal] = c.lexical / max(e.idfs, 1e-6) / (2 * (saturation + 1))
	f[matching] = c.match
	f[direction] = float32(e.mean.dot(&p.vectors[number])) * e.meanScale * p.scales[number]
	f[nameCovered] = e.coverage(c.tool, e.all, e.classes)
	e.places(p, d, f)
	clear(e.matchedBy[0][:len(e.terms)])
	clear(e.matchedBy[1][:len(e.terms)])
	f[nameShared], f[nameMatched] = e.explained(p.words[d.name.from:d.name.to], 0)
	f[leadShared], f[leadMatched] = e.explained(p.words[d.lead.from:d.lead.to], 1)
	f[weakest] = 1
	for i := range e.terms {
		weight := e.terms[i].meaning.inQuery / max(e.weights, 1e-6)
		name, lead := e.matchedBy[0][i], e.matchedBy[1][i]
		f[matchedByName] += weight * name
		f[matchedByLead] += weight * lead
		f[weakest] = min(f[weakest], max(name, lead))
	}
	f[pairs] = min(4, e.pairs(p.words[d.name.from:d.name.to])+e.pairs(p.words[d.lead.from:d.lead.to])) / 4
	f[verb] = e.verb(p.words[d.name.from:d.name.to])
	f[nameLength] = float32(d.name.to-d.name.from) / 8
	f[leadLength] = float32(math.Log(float64(1+d.lead.to-d.lead.from))) / 4
	f[queryLength] = e.long
	f[lexicalLong], f[matchingLong] = f[ofBest]*e.long, f[matching]*e.long
}

// places tells which words of the query a tool has, by where it has them.
func (e *examiner) places(p *placed, d *document, f *features) {
	var seen, described, named [maxQueryWords + 1]bool
	total := max(e.idfs, 1e-6)
	for _, o := range p.postings[d.postings.from:d.postings.to] {
		i := e.termOf[e.words.words[o.id].stem]
		if i == 0 {
			continue
		}
		share := e.terms[i-1].idf / total
		if o.where&(atName|atDescription) != 0 && !described[i] {
			described[i] = true
			f[inDescriptions] += share
		}
		if o.where&atName != 0 && !named[i] {
			named[i] = true
			f[inNames] += share
		}
		if o.where&(atParameters|atParameterTexts) != 0 && !seen[i] {
			seen[i] = true
			f[inParameter] += share
		}
		if o.where&atServer != 0 && o.where&firstForm != 0 {
			f[inServers] += share
		}
	}
	var words, shared float32
	for _, o := range p.postings[d.postings.from:d.postings.to] {
		if o.where&atServer != 0 {
			words++
			if e.termOf[e.words.words[o.id].stem] != 0 {
				shared++
			}
		}
	}
	if words > 0 {
		f[serverShared] = shared / words
	}
	for i := range e.terms {
		if e.terms[i].stem == unknown {
			f[strangers] += e.terms[i].idf / total
		}
	}
}

// explained is the share of words that the query has, and by vectors.
func (e *examiner) explained(words []wordID, place int) (shared, matched float32) {
	var sum float32
	for _, id := range words {
		w := &e.words.words[id]
		if w.stop {
			continue
		}
		weight := e.Index.idfs[w.stem]
		sum += weight
		if e.termOf[w.stem] != 0 {
			shared += weight
		}
		best := float32(0)
		for i, like := range e.like(w.stem) {
			best = max(best, like)
			e.matchedBy[place][i] = max(e.matchedBy[place][i], like)
		}
		matched += weight * best
	}
	if sum == 0 {
		return 0, 0
	}
	return shared / sum, matched / sum
}

// pairs counts words side by side that are side by side in the query.
func (e *examiner) pairs(words []wordID) (n float32) {
	last := uint8(0)
	for _, id := range words {
		w := &e.words.words[id]
		if w.stop {
			continue
		}
		term := e.termOf[w.stem]
		if term != 0 && last != 0 && term == last+1 {
			n++
		}
		last = term
	}
	return n
}

// verb compares what the name does with what the query does.
func (e *examiner) verb(name []wordID) float32 {
	var classes class
	for _, id := range name {
		w := &e.words.words[id]
		if w.class == 0 {
			continue
		}
		for i := range e.all {
			if e.all[i].class != 0 && e.all[i].stem == w.stem {
				return 1
			}
		}
		classes |= w.class
	}
	switch {
	case classes == 0 || e.classes == 0:
		return 0
	case classes&e.classes != 0:
		return .5
	}
	return -.5
}

// compare fills in what depends on the other candidates, those too that are
// withheld: what somebody may not see does not make the rest better.
func (e *examiner) compare(lists ...[]candidate) {
	var match, mean, early float32
	servers := make(map[uint32]float32, 32)
	for _, all := range lists {
		for i := range all {
			c := &all[i]
			match, mean = max(match, c.features[matching]), max(mean, c.features[direction])
			early = max(early, c.early)
			servers[e.owner[c.tool]] = max(servers[e.owner[c.tool]], c.early)
		}
	}
	for _, all := range lists {
		for i := range all {
			c := &all[i]
			c.features[matchingGap] = c.features[matching] - match
			c.features[directionGap] = c.features[direction] - mean
			best := servers[e.owner[c.tool]]
			c.features[serverBest] = best / max(early, 1e-6)
			c.features[serverGap] = (c.early - best) / max(early, 1e-6)
		}
	}
}
