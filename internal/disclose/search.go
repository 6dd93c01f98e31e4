package disclose

import (
	"context"
	"fmt"
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// A Search is what an agent looks for.
type Search struct {
	Query    string
	Category string
	Server   string
	Level    Level // Brief if it is not Full
	Most     int   // hits; 0 is 10
}

// MaxResults is the most hits of one search.
const MaxResults = 50

// searchTokens is what an answer of ten hits may take, by Tokens.
const searchTokens = 900

// rooms are what each hit may take: the first that keeps the answer within its
// budget is used, and if none does, hits are left out from the end.
var rooms = []room{
	{signature: 60, description: 36, signals: 2},
	{signature: 44, description: 30, signals: 2},
	{signature: 34, description: 22, signals: 1},
	{signature: 26, description: 16},
	{signature: 18, description: 10},
}

// Search answers with the tools that do what is looked for, the best first.
func (b *Browser) Search(ctx context.Context, q Search) (*Answer, *Problem) {
	x := b.o.Index()
	s := x.Snapshot()
	if b.o.Hidden != nil {
		s = b.o.Snapshot() // without what whoever asks is not to know
	}
	query := index.Query{Text: q.Query, Category: q.Category, Limit: min(q.Most, MaxResults), Hidden: b.o.Hidden, Favour: b.o.Favour}
	if query.Limit <= 0 {
		query.Limit = 10
	}
	if q.Server != "" {
		at, problem := b.server(s, q.Server)
		if problem != nil {
			return nil, problem
		}
		query.Server = at.LuaName()
	}
	if q.Category != "" && len(s.InCategory(q.Category)) == 0 {
		return nil, b.noCategory(s, q.Category)
	}
	if strings.TrimSpace(q.Query) == "" {
		return nil, &Problem{
			Message: "the query is empty", Nearest: essentialIDs(s, b.o.Essential, 3),
			Next: `Say in words what the tool should do: {"query":"create an issue"}.` + b.Advise("list_categories", " list_categories shows what there is.", ""),
		}
	}
	if b.o.Vector != nil {
		query.Vector = b.o.Vector(ctx, q.Query)
	}
	r := x.Search(ctx, &query)
	a := &Answer{Metadata: Metadata{TotalCount: s.Len(), FilteredCount: r.Total, Verdict: r.Verdict.String()}}
	for _, suggestion := range r.Suggestions {
		if category, is := strings.CutPrefix(suggestion, "category:"); is && len(s.InCategory(category)) == 0 {
			continue // one that whoever asks is not to know
		}
		a.Metadata.Suggestions = append(a.Metadata.Suggestions, Cut(Line(suggestion), maxTitle))
	}
	b.judge(a, s, r)
	if q.Level == Full {
		a.fullHits(r.Hits)
	} else {
		a.fitHits(r.Hits, searchTokens*max(10, query.Limit)/10)
	}
	return a, nil
}

// judge says what the verdict means, and what to do about it.
func (b *Browser) judge(a *Answer, s *catalog.Snapshot, r *index.Result) {
	first := ""
	if len(r.Hits) > 0 {
		first = string(r.Hits[0].Tool.ID())
	}
	switch r.Verdict {
	case index.Found:
		a.Next = fmt.Sprintf(`call_tool {"tool":"%s","arguments":{...}}, or tool_details {"tools":"%s"} first.`, first, first)
	case index.Near:
		a.Metadata.Why = "nothing here does that for sure; these are closest"
		a.Next = fmt.Sprintf(`If one of them does, tool_details {"tools":"%s"}; else search in other words.`, first)
	case index.Withheld:
		var why []string
		for _, w := range r.Withheld {
			why = append(why, fmt.Sprintf("%d: %s", w.Count, Cut(Line(w.Why), maxTitle)))
		}
		a.Metadata.Why = "matches are withheld: " + strings.Join(few(why), "; ")
		a.Next = "Search without the filter, or ask the user to allow what is withheld."
	case index.Unavailable:
		var down []string
		for _, at := range r.Down {
			if f := at.Failure(); f != nil {
				down = append(down, fmt.Sprintf("server %s is down since %s: %s", at.LuaName(), stamp(f.Since), Cut(Line(f.Reason), maxReason)))
			}
		}
		a.Metadata.Why = strings.Join(down[:min(len(down), 3)], "; ")
		a.Next = "The last known tools are shown. A call tries the server again" + b.Advise("list_servers", "; list_servers says how it stands.", ".")
	default:
		a.Metadata.Why = "nothing here does that"
		a.Metadata.Categories = mostCommon(s, shownNames)
		a.Next = "Stop looking: tell the user, or do without. " + b.Advise("list_categories", "list_categories shows what there is.", `"categories_available" are the kinds of tools there are.`)
		if s.Len() == 0 {
			a.Metadata.Why, a.Next = "no server has listed tools yet", b.noTools(s)
		}
	}
}

func (a *Answer) fullHits(hits []index.Hit) {
	a.Tools, a.Metadata.DetailLevel, a.Metadata.Shown = make([]Entry, len(hits)), Full, len(hits)
	left := fullBudget
	for i, h := range hits {
		a.Tools[i] = fullEntry(h.Tool, &left)
		a.Tools[i].Relevance, a.Tools[i].Matched = max(1, h.Relevance), matched(h, 2)
	}
}

// fitHits puts as much of the hits into the answer as the budget allows.
func (a *Answer) fitHits(hits []index.Hit, tokens int) {
	a.Metadata.DetailLevel = Brief
	for _, r := range rooms {
		a.Tools, a.Metadata.Shown = make([]Entry, len(hits)), len(hits)
		for i, h := range hits {
			a.Tools[i] = briefEntry(h.Tool, r)
			a.Tools[i].Relevance, a.Tools[i].Matched = max(1, h.Relevance), matched(h, r.signals)
		}
		if Tokens(string(a.JSON())) <= tokens {
			return
		}
	}
	for len(a.Tools) > 1 && Tokens(string(a.JSON())) > tokens {
		a.Tools = a.Tools[:len(a.Tools)-1]
		a.Metadata.Shown = len(a.Tools)
	}
}

func matched(h index.Hit, most int) string {
	return Cut(Line(strings.Join(h.Matched[:min(len(h.Matched), most)], ", ")), 60)
}
