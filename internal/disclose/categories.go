package disclose

import "toolcrib/internal/catalog"

// A Category is a kind of tools, as it is shown.
type Category = catalog.Category

// Categories answers with all categories that have tools.
func (b *Browser) Categories() *Answer {
	s := b.o.Snapshot()
	a := &Answer{
		Categories: []Category{}, Metadata: Metadata{TotalCount: s.Len(), FilteredCount: s.Len()},
		Next: `list_tools {"category":"...","detail_level":"brief"} lists one.`,
	}
	for _, c := range s.Categories() {
		a.Categories = append(a.Categories, Category{Name: Line(c.Name), Description: Cut(Line(c.Description), 200), Count: c.Count})
	}
	a.Metadata.Shown = len(a.Categories)
	if s.Len() == 0 {
		a.Next = "No server has listed tools yet. " + b.noTools(s)
	}
	return a
}
