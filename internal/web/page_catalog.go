package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// catalogBody is the catalog: a page of it, or what a search found.
type catalogBody struct {
	Query      string
	Server     string
	Category   string
	Tag        string
	State      string
	Filtered   bool // anything of the above but Query is set
	Search     *SearchResult
	Page       *ToolPage // in place of Search
	Total      int       // tools that there are
	Servers    []string
	Categories []Category
	Shelves    []Category // the largest of Categories
	Tags       []Tag
	States     []string
}

const (
	catalogHits = 25
	catalogPage = 50
	catalogTags = 60

	catalogShelves = 14
)

var toolStates = []string{"available", "unavailable", "not_callable", "held", "findings"}

func (p *pages) catalog(r *http.Request, who Caller, _ Me) (string, any, *Problem) {
	q := r.URL.Query()
	b := catalogBody{
		Query: strings.TrimSpace(q.Get("q")), Server: q.Get("server"), Category: q.Get("category"), Tag: q.Get("tag"), State: q.Get("state"),
		Categories: p.source.Categories(who), Tags: commonest(p.source.Tags(who), catalogTags), States: toolStates,
		Total: p.source.Overview(who).Tools.Total,
	}
	b.Shelves = largest(b.Categories, catalogShelves)
	b.Filtered = b.Server != "" || b.Category != "" || b.Tag != "" || b.State != ""
	for _, s := range p.source.Servers(who) {
		b.Servers = append(b.Servers, s.Name)
	}
	var problem *Problem
	if b.Query != "" && b.Tag == "" && b.State == "" {
		b.Search, problem = p.source.Search(r.Context(), who, SearchQuery{Text: b.Query, Server: b.Server, Category: b.Category, Most: catalogHits})
	} else {
		// What a search cannot be narrowed down by is looked for word by word.
		page, _ := strconv.Atoi(q.Get("page")) // what is no number is the first page
		b.Page, problem = p.source.Tools(who, ToolQuery{
			Server: b.Server, Category: b.Category, Tag: b.Tag, State: b.State, Text: b.Query, Page: max(1, page), Size: catalogPage,
		})
	}
	return "Catalog", b, problem
}

// largest are the categories of most tools.
func largest(list []Category, most int) []Category {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Category) int { return b.Tools - a.Tools })
	return list[:min(len(list), most)]
}

// commonest are the tags of most tools.
func commonest(tags []Tag, most int) []Tag {
	tags = slices.Clone(tags)
	slices.SortStableFunc(tags, func(a, b Tag) int { return b.Tools - a.Tools })
	return tags[:min(len(tags), most)]
}
