package index

import (
	"maps"
	"slices"
	"strings"
)

// A wordID is the number of a word in a dictionary.
type wordID = uint32

// A dictionary numbers the words of all tools. It never changes and only
// grows: an index adds the words that are new to a copy of its predecessor's, so
// that what was worked out for the tools of other servers holds.
type dictionary struct {
	ids   map[string]wordID
	words []word
	stems map[string]uint32
	forms [][]wordID // of each stem: the words that have it

	meanings []meaning // of each stem
	codes    []code    // of each stem, side by side because all are looked at
}

// A word is written in small letters, as it was found.
type word struct {
	text  string
	stem  uint32
	stop  bool
	class class
}

var emptyDictionary = &dictionary{}

// A lexicographer adds words to a dictionary that others read: the first new
// word makes a copy.
type lexicographer struct {
	*dictionary
	table  *Table
	copied bool
}

// id is the number of a word, a new one if there was none.
func (l *lexicographer) id(text string) wordID {
	if id, ok := l.ids[text]; ok {
		return id
	}
	if !l.copied {
		l.dictionary, l.copied = l.copy(), true
	}
	return l.add(strings.Clone(text), l.table)
}

func (d *dictionary) copy() *dictionary {
	c := &dictionary{
		ids: maps.Clone(d.ids), words: slices.Clone(d.words), stems: maps.Clone(d.stems), forms: slices.Clone(d.forms),
		meanings: slices.Clone(d.meanings), codes: slices.Clone(d.codes),
	}
	if c.ids == nil {
		c.ids, c.stems = map[string]wordID{}, map[string]uint32{}
	}
	return c
}

func (d *dictionary) add(text string, table *Table) wordID {
	root := stem(text)
	number, known := d.stems[root]
	if !known {
		number = uint32(len(d.forms))
		d.stems[root] = number
		d.forms = append(d.forms, nil)
		m := table.meaningOf(root)
		d.meanings, d.codes = append(d.meanings, m), append(d.codes, m.code)
	}
	id := wordID(len(d.words))
	d.ids[text] = id
	d.words = append(d.words, word{text: text, stem: number, stop: stopWords[text], class: verbs[text]})
	d.forms[number] = append(slices.Clip(d.forms[number]), id) // others hold the slice that was
	return id
}
