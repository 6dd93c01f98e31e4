package disclose

import (
	"fmt"

	"toolcrib/internal/catalog"
)

// withheld is why a tool that somebody names is not there for them, nil if it is not
// there at all. They know its name, so that it exists is no news.
func (b *Browser) withheld(at *catalog.Server, tool string) *Problem {
	if b.o.Whole == nil || b.o.Hidden == nil {
		return nil
	}
	whole := b.o.Whole()
	t := whole.Resolve(tool)
	if at != nil {
		t = whole.Find(at.LuaName(), tool)
	}
	if t == nil {
		return nil
	}
	why := b.o.Hidden(t)
	if why == "" {
		return nil
	}
	return &Problem{
		Message: fmt.Sprintf("%s is withheld: %s", t.ID(), Cut(Line(why), 2*maxReason)),
		Next:    "Tell the user, who can allow it, or do without: search_tools finds others.",
	}
}

// shown are those of tools that whoever asks may see, so many at most.
func (b *Browser) shown(tools []*catalog.Tool, most int) []*catalog.Tool {
	var out []*catalog.Tool
	for _, t := range tools {
		if len(out) < most && (b.o.Hidden == nil || b.o.Hidden(t) == "") {
			out = append(out, t)
		}
	}
	return out
}
