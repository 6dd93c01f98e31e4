package index

import "toolcrib/internal/catalog"

// A Query is what to look for, and where.
type Query struct {
	Text     string // words, a name, select:a,b, server:x and category:y terms
	Server   string // only tools of this server, by identifier or original name; "" for all
	Category string // only tools of this category; "" for all
	Limit    int    // most hits, 0 for 10

	// Hidden tells why a tool is withheld from whoever asks, "" if it is not.
	// Nil withholds nothing.
	Hidden func(*catalog.Tool) string

	// Vector is that of Text by the model that Options.Vectors are of, nil if
	// there is none.
	Vector []float32

	// Favour tells from 0 to 1 how much experience speaks for a tool, such as
	// that it was called after searches before. Nil is no experience.
	Favour func(*catalog.Tool) float32
}

// A Result is the answer to a query.
type Result struct {
	Verdict     Verdict
	Hits        []Hit             // best first
	Total       int               // how many tools matched at all
	Withheld    []Withholding     // what a filter or Hidden kept back of what matched
	Down        []*catalog.Server // of Unavailable: whose tools they are
	Suggestions []string          // of a query that found little: what to try
}

// A Hit is a tool that was found.
type Hit struct {
	Tool      *catalog.Tool
	Relevance int      // 0 to 100
	Matched   []string // what spoke for it, the strongest first
}

// A Withholding is a reason, and how many good matches it kept back.
type Withholding struct {
	Why   string
	Count int
}

// A Verdict says how far a result can be relied on.
type Verdict uint8

const (
	None        Verdict = iota // nothing here does that
	Near                       // nothing sure; the hits are the closest
	Found                      // the first hits do that
	Withheld                   // there are matches, but a filter or a policy hides them
	Unavailable                // the best match's server is down
)

var verdictNames = [...]string{"none", "near", "found", "withheld", "unavailable"}

func (v Verdict) String() string { return verdictNames[v] }
