package index

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// evidence is what speaks for and against that the best hits are what was
// wanted, by number.
type evidence [evidenceCount]float32

const (
	bestScore      = iota // of the ranking
	lead1                 // of the best over the second
	lead10                // of the best over the sixth to tenth
	topMatching           // features of the best hit
	topIdeal              //
	topDescribed          //
	topDirection          //
	topNameCovered        //
	topNameMatched        //
	topVerb               //
	someMatching          // the greatest among the first five
	someIdeal             //
	someDescribed         //
	someDirection         //
	someByName            //
	someByLead            //
	topMissing            // share of the query's meaning that the best hit lacks
	leastMissing          // that the best in this of the first five lacks
	topLacks              // weight of the one word that the best hit lacks most
	leastLacks            // likewise of the first five
	rareMissing           // as topMissing, rare words counting more
	leastRare             // as leastMissing, likewise
	firstWord             // match of the first word, mostly a verb, in the name and lead of the best
	someFirst             // of the first five
	everyMissing          // share of the query's meaning that no tool at all has
	everyLacks            // weight of the one word that no tool at all has anything like
	unknownShare          // of the query's words that no tool has, rare ones counting more
	properLacking         // weight of proper names that none of the best hits has
	properUnknown         // of those that no tool has
	length                // of the query
	wantsChange           // the query is out for a change
	topClash              // the best hit changes where it should look, or looks where it should change
	someClash             // share of the first five that do
	bestAgreeing          // least that a hit lacks that does not
	placeLacking          // weight of names after on, in or at that none of the best hits has
	topElsewhere          // the query names a server, and the best hit is of another
	allElsewhere          // share of the first five that are
	topStrict             // share of rare words that the best hit has, or nearly
	someStrict            // the greatest of the first five
	changeMissing         // leastMissing, if a change is wanted
	changeLacks           // topLacks, likewise
	together              // share of the first five that are of the best hit's server
	coherence             // mean cosine of the others of the first five with the best
	serverNamed           // the query has a word that the best hit's server is called by
	evidenceCount
)

// nearly is how like a word must be to stand for another without doubt.
const nearly = .45

// closest is how many of the best hits are looked at for what the best lacks.
const closest = 5

// evidence looks at a ranking, whose first is the best; it is not empty.
func (e *examiner) evidence(ranked []candidate) (v evidence) {
	top := &ranked[0]
	v[bestScore] = top.score / 10
	if len(ranked) > 1 {
		v[lead1] = min(3, top.score-ranked[1].score)
	}
	if n := min(10, len(ranked)); n > closest {
		var sum float32
		for i := closest; i < n; i++ {
			sum += ranked[i].score
		}
		v[lead10] = min(6, top.score-sum/float32(n-closest))
	}
	f := &top.features
	v[topMatching], v[topIdeal], v[topDescribed], v[topDirection] = f[matching], f[ofIdeal], f[inDescriptions], f[direction]
	v[topNameCovered], v[topNameMatched], v[topVerb], v[length] = f[nameCovered], f[nameMatched], f[verb], f[queryLength]
	for i := range ranked[:min(closest, len(ranked))] {
		f := &ranked[i].features
		v[someMatching], v[someIdeal] = max(v[someMatching], f[matching]), max(v[someIdeal], f[ofIdeal])
		v[someDescribed], v[someDirection] = max(v[someDescribed], f[inDescriptions]), max(v[someDirection], f[direction])
		v[someByName], v[someByLead] = max(v[someByName], f[matchedByName]), max(v[someByLead], f[matchedByLead])
	}
	e.lacking(ranked[:min(closest, len(ranked))], &v)
	e.agreeing(ranked[:min(closest, len(ranked))], &v)
	return v
}

// agreeing looks at what the best hits have in common: what is found for a
// request that nothing is made for is scattered.
func (e *examiner) agreeing(ranked []candidate, v *evidence) {
	v[serverNamed] = ranked[0].features[inServers]
	top, scale := e.vectorOf(ranked[0].tool)
	for i := 1; i < len(ranked); i++ {
		other, otherScale := e.vectorOf(ranked[i].tool)
		v[coherence] += float32(top.dot(other)) * scale * otherScale / float32(len(ranked)-1)
		if e.owner[ranked[i].tool] == e.owner[ranked[0].tool] {
			v[together] += 1 / float32(len(ranked)-1)
		}
	}
}

// lacking looks at what the query says and the best hits do not.
func (e *examiner) lacking(ranked []candidate, v *evidence) {
	written := readWriting(e.request.text)
	var weights, rare [maxQueryWords]float32
	var all, allRare float32
	for i := range e.terms {
		t := &e.terms[i]
		if written.data[t.text] {
			continue // what is to be worked on says little about which tool does it
		}
		weights[i], rare[i] = t.meaning.inQuery, t.idf
		all += weights[i]
		allRare += rare[i]
	}
	all, allRare = max(all, .1), max(allRare, .1)
	var had [maxQueryWords]float32 // by any of the best hits
	want := wanted(e.request.text)
	if want == changes {
		v[wantsChange] = 1
	}
	v[bestAgreeing] = 1
	for n := range ranked {
		var missing, lacks, missingRare float32
		has, first := e.has(&ranked[n])
		for i := range e.terms {
			had[i] = max(had[i], has[i])
			missing += weights[i] * (1 - has[i])
			missingRare += rare[i] * (1 - has[i])
			lacks = max(lacks, weights[i]*(1-has[i]))
		}
		missing, missingRare = missing/all, missingRare/allRare
		strict := float32(0)
		for i := range e.terms {
			if has[i] >= nearly {
				strict += rare[i] / allRare
			}
		}
		if n == 0 {
			v[topStrict] = strict
		}
		v[someStrict] = max(v[someStrict], strict)
		if e.elsewhere(has[:]) {
			v[allElsewhere] += 1 / float32(len(ranked))
			if n == 0 {
				v[topElsewhere] = 1
			}
		}
		p := &e.parts[e.owner[ranked[n].tool]]
		if does := e.does(p, &p.documents[ranked[n].tool-p.start]); does != unclear && want != unclear && does != want {
			v[someClash] += 1 / float32(len(ranked))
			if n == 0 {
				v[topClash] = 1
			}
		} else {
			v[bestAgreeing] = min(v[bestAgreeing], missing)
		}
		if n == 0 {
			v[topMissing], v[leastMissing], v[topLacks], v[leastLacks] = missing, missing, lacks, lacks
			v[rareMissing], v[leastRare], v[firstWord], v[someFirst] = missingRare, missingRare, first, first
		}
		v[leastMissing], v[leastLacks] = min(v[leastMissing], missing), min(v[leastLacks], lacks)
		v[leastRare], v[someFirst] = min(v[leastRare], missingRare), max(v[someFirst], first)
	}
	if want == changes {
		v[changeMissing], v[changeLacks] = v[leastMissing], v[topLacks]
	}
	for i := range e.terms {
		t := &e.terms[i]
		like := float32(0)
		for _, n := range t.near {
			like = max(like, n.like)
		}
		v[everyMissing] += weights[i] * (1 - like) / all
		v[everyLacks] = max(v[everyLacks], weights[i]*(1-like))
		if t.stem == unknown {
			v[unknownShare] += rare[i] / allRare
		}
		if written.placed[t.text] && had[i] < 1 {
			v[placeLacking] += weights[i]
		}
		if written.proper[t.text] && had[i] < 1 {
			v[properLacking] += weights[i]
			if t.stem == unknown {
				v[properUnknown] += weights[i]
			}
		}
	}
}

// elsewhere tells whether the query has a word that a server is called by, and
// that a tool with these words has nowhere.
func (e *examiner) elsewhere(has []float32) bool {
	for i := range e.terms {
		if t := &e.terms[i]; t.stem != unknown && e.callsServer[t.stem] && has[i] < 1 {
			return true
		}
	}
	return false
}

// has is how much of each word of the query a tool has, and how well its name
// or lead match the first word.
func (e *examiner) has(c *candidate) (has [maxQueryWords]float32, first float32) {
	p := &e.parts[e.owner[c.tool]]
	d := &p.documents[c.tool-p.start]
	for _, o := range p.postings[d.postings.from:d.postings.to] {
		if i := e.termOf[e.words.words[o.id].stem]; i != 0 {
			has[i-1] = 1
		}
	}
	for _, id := range p.words[d.start.from:d.start.to] {
		for i, like := range e.like(e.words.words[id].stem) {
			has[i] = max(has[i], like)
		}
	}
	for _, span := range []span{d.name, d.lead} {
		for _, id := range p.words[span.from:span.to] {
			if likes := e.like(e.words.words[id].stem); likes != nil {
				first = max(first, likes[0])
			}
		}
	}
	return has, first
}

// writing is what the way a query is written tells of its words.
type writing struct {
	proper map[string]bool // begin with a capital, though no sentence begins with them
	data   map[string]bool // are quoted, or are no words: what is to be worked on
	placed map[string]bool // are proper, and stand after a word for a place
}

var placing = setOf("on in at via using through from my our into onto")

func readWriting(text string) writing {
	w := writing{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	begins, quoted, before := true, false, ""
	for field := range strings.FieldsSeq(text) {
		opens := strings.IndexAny(field, "\"“«`") == 0
		r, _ := utf8.DecodeRuneInString(field)
		odd := strings.ContainsAny(field, "0123456789@/#\\_=") || strings.Contains(strings.Trim(field, ".,:;!?\"'()"), ".")
		eachWord(field, func(word string) bool {
			if quoted || opens || odd {
				w.data[word] = true
			} else if unicode.IsUpper(r) && !begins {
				w.proper[word] = true
				if placing[before] {
					w.placed[word] = true
				}
			}
			return true
		})
		if opens {
			quoted = true
		}
		if quoted && strings.ContainsAny(field[1:], "\"”»`") {
			quoted = false
		}
		before = strings.ToLower(strings.Trim(field, ".,:;!?\"'()"))
		last := field[len(field)-1]
		begins = last == '.' || last == '!' || last == '?' || last == ':'
	}
	return w
}

// likely is 1 where x is far above 0, 0 where it is far below.
func likely(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
