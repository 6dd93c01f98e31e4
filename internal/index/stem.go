package index

import "strings"

// stem takes endings off a word so that its forms meet: creates, created,
// creating and creation are creat. It follows the Porter2 algorithm for English; words of
// other languages and words with digits are left alone.
func stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	if odd, ok := oddStems[word]; ok {
		return odd
	}
	s := newStemmer(word)
	s.plural()
	if _, done := settledStems[string(s.b)]; !done {
		s.participle()
		s.finalY()
		s.suffix(secondSteps, s.r1)
		s.suffix(thirdSteps, s.r1)
		s.fourth()
		s.fifth()
	}
	for i, c := range s.b {
		if c == 'Y' {
			s.b[i] = 'y'
		}
	}
	return string(s.b)
}

// A stemmer is a word on its way. Y stands for a y that is a consonant.
type stemmer struct {
	b      []byte
	r1, r2 int // where the regions begin that endings may be taken from
}

func newStemmer(word string) *stemmer {
	s := &stemmer{b: []byte(word)}
	for i, c := range s.b {
		if c == 'y' && (i == 0 || vowel(s.b[i-1])) {
			s.b[i] = 'Y'
		}
	}
	s.r1 = s.region(0)
	for _, prefix := range []string{"gener", "commun", "arsen"} {
		if strings.HasPrefix(word, prefix) {
			s.r1 = len(prefix)
		}
	}
	s.r2 = s.region(s.r1)
	return s
}

// region is the place after the first consonant that follows a vowel.
func (s *stemmer) region(from int) int {
	for i := from + 1; i < len(s.b); i++ {
		if !vowel(s.b[i]) && vowel(s.b[i-1]) {
			return i + 1
		}
	}
	return len(s.b)
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (s *stemmer) ends(suffix string) bool { return strings.HasSuffix(string(s.b), suffix) }

func (s *stemmer) cut(n int) { s.b = s.b[:len(s.b)-n] }

func (s *stemmer) hasVowel(end int) bool {
	for _, c := range s.b[:max(end, 0)] {
		if vowel(c) {
			return true
		}
	}
	return false
}

// short tells whether the word ends in a short syllable and has no region 1.
func (s *stemmer) short() bool { return s.r1 >= len(s.b) && s.shortSyllable(len(s.b)) }

func (s *stemmer) shortSyllable(end int) bool {
	b := s.b[:end]
	if end == 2 {
		return vowel(b[0]) && !vowel(b[1])
	}
	if end < 3 {
		return false
	}
	last := b[end-1]
	return !vowel(b[end-3]) && vowel(b[end-2]) && !vowel(last) && last != 'w' && last != 'x' && last != 'Y'
}

func (s *stemmer) plural() {
	n := len(s.b)
	switch {
	case s.ends("sses"):
		s.cut(2)
	case s.ends("ied"), s.ends("ies"):
		if n > 4 {
			s.cut(2)
		} else {
			s.cut(1)
		}
	case s.ends("us"), s.ends("ss"):
	case s.ends("s"):
		if s.hasVowel(n - 2) {
			s.cut(1)
		}
	}
}

func (s *stemmer) participle() {
	n := len(s.b)
	for _, e := range []string{"eedly", "eed"} {
		if s.ends(e) {
			if n-len(e) >= s.r1 {
				s.cut(len(e) - 2)
			}
			return
		}
	}
	for _, e := range []string{"ingly", "edly", "ing", "ed"} {
		if !s.ends(e) {
			continue
		}
		if !s.hasVowel(n - len(e)) {
			return
		}
		s.cut(len(e))
		switch {
		case s.ends("at"), s.ends("bl"), s.ends("iz"):
			s.b = append(s.b, 'e')
		case s.double():
			s.cut(1)
		case s.short():
			s.b = append(s.b, 'e')
		}
		return
	}
}

func (s *stemmer) double() bool {
	n := len(s.b)
	return n > 1 && s.b[n-1] == s.b[n-2] && strings.IndexByte("bdfgmnprt", s.b[n-1]) >= 0
}

func (s *stemmer) finalY() {
	n := len(s.b)
	if n > 2 && (s.b[n-1] == 'y' || s.b[n-1] == 'Y') && !vowel(s.b[n-2]) {
		s.b[n-1] = 'i'
	}
}

// An ending is what a step replaces, and with what.
type ending struct{ from, to string }

var secondSteps = []ending{
	{"ization", "ize"},
	{"ational", "ate"},
	{"fulness", "ful"},
	{"ousness", "ous"},
	{"iveness", "ive"},
	{"tional", "tion"},
	{"biliti", "ble"},
	{"lessli", "less"},
	{"entli", "ent"},
	{"ation", "ate"},
	{"alism", "al"},
	{"aliti", "al"},
	{"ousli", "ous"},
	{"iviti", "ive"},
	{"fulli", "ful"},
	{"enci", "ence"},
	{"anci", "ance"},
	{"abli", "able"},
	{"izer", "ize"},
	{"ator", "ate"},
	{"alli", "al"},
	{"bli", "ble"},
	{"ogi", "og"},
	{"li", ""},
}

var thirdSteps = []ending{
	{"ational", "ate"},
	{"tional", "tion"},
	{"alize", "al"},
	{"icate", "ic"},
	{"iciti", "ic"},
	{"ative", ""},
	{"ical", "ic"},
	{"ness", ""},
	{"ful", ""},
}

// suffix replaces the longest ending that fits, if it is in the region.
func (s *stemmer) suffix(steps []ending, region int) {
	for _, e := range steps {
		if !s.ends(e.from) {
			continue
		}
		at := len(s.b) - len(e.from)
		if at < region || !s.fits(e.from, at) {
			return
		}
		s.b = append(s.b[:at], e.to...)
		return
	}
}

func (s *stemmer) fits(from string, at int) bool {
	switch from {
	case "ogi":
		return at > 0 && s.b[at-1] == 'l'
	case "li":
		return at > 0 && strings.IndexByte("cdeghkmnrt", s.b[at-1]) >= 0
	case "ative":
		return at >= s.r2
	}
	return true
}

var fourthSteps = []string{
	"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al", "er", "ic",
}

func (s *stemmer) fourth() {
	for _, e := range fourthSteps {
		if !s.ends(e) {
			continue
		}
		at := len(s.b) - len(e)
		if at < s.r2 || e == "ion" && (at == 0 || s.b[at-1] != 's' && s.b[at-1] != 't') {
			return
		}
		s.cut(len(e))
		return
	}
}

func (s *stemmer) fifth() {
	n := len(s.b)
	if n == 0 {
		return
	}
	switch s.b[n-1] {
	case 'e':
		if n-1 >= s.r2 || n-1 >= s.r1 && !s.shortSyllable(n-1) {
			s.cut(1)
		}
	case 'l':
		if n-1 >= s.r2 && n > 1 && s.b[n-2] == 'l' {
			s.cut(1)
		}
	}
}

// oddStems are words that the rules would spoil.
var oddStems = map[string]string{
	"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
	"ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
	"atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
	"kubernetes": "kubernetes", "postgres": "postgres", "redis": "redis", "jenkins": "jenkins", "aws": "aws", "dns": "dns",
	"ios": "ios", "css": "css", "sms": "sms", "gas": "gas", "indices": "index", "indexes": "index", "vertices": "vertex",
}

// settledStems are finished once the plural is off.
var settledStems = setOf("inning outing canning herring earring proceed exceed succeed")
