package index

import "fmt"

// explain tells what spoke for a candidate: how it was called for, which words
// of the query it has and where, which words of it are like others.
func (s *search) explain(c *candidate) []string {
	var said []string
	if c.named != "" {
		said = append(said, c.named)
	}
	p := &s.parts[s.owner[c.tool]]
	d := &p.documents[c.tool-p.start]
	for i := range s.terms {
		t := &s.terms[i]
		if where, ok := s.whereIs(p, d, t); ok {
			said = append(said, where.String()+": "+t.said())
			continue
		}
		like, word := float32(0), wordID(0)
		for _, id := range p.words[d.start.from:d.start.to] {
			for _, n := range t.near {
				if n.stem == s.words.words[id].stem && n.like > like {
					like, word = n.like, id
				}
			}
		}
		if like >= worthTelling {
			said = append(said, fmt.Sprintf("%s ~ %s", t.text, s.words.words[word].text))
		}
	}
	return said
}

// worthTelling is how like two words are that a person would take for alike.
const worthTelling = .3

func (s *search) whereIs(p *placed, d *document, t *term) (places, bool) {
	if t.stem == unknown {
		return 0, false
	}
	var where places
	for _, o := range p.postings[d.postings.from:d.postings.to] {
		if s.words.words[o.id].stem == t.stem {
			where |= o.where
		}
	}
	return where, where != 0
}

// said is a word as it was written, and as it was taken.
func (t *term) said() string {
	if t.meant == "" {
		return t.text
	}
	return t.meant + " for " + t.text
}
