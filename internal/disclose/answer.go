package disclose

import "encoding/json"

// An Answer is what a Browser says. All answers have one shape: what was asked
// for, metadata that says how many of how many, and what to do next.
type Answer struct {
	Names      []string    // at the level minimal, in place of Tools
	Tools      []Entry     // nil if the answer is not about tools
	Details    []Detail    // in place of Tools
	Servers    []Server    // of ListServers
	Categories []Category  // of Categories
	Scripts    []Entry     // of lists, where scripts are stored: by their names for execute
	Pagination *Pagination // of lists
	Metadata   Metadata    //
	Next       string      // the call to make next
}

// Metadata is what there is to know about an answer.
type Metadata struct {
	TotalCount    int      `json:"total_count"`            // there are
	FilteredCount int      `json:"filtered_count"`         // of them fit
	Shown         int      `json:"shown"`                  // of those are here
	DetailLevel   Level    `json:"detail_level,omitempty"` //
	Verdict       string   `json:"verdict,omitempty"`      // of a search
	Why           string   `json:"why,omitempty"`          // the verdict, where it needs a reason
	Categories    []string `json:"categories_available,omitempty"`
	Suggestions   []string `json:"suggestions,omitempty"`
	Ignored       []string `json:"ignored,omitempty"` // arguments that mean nothing here
}

// A Pagination is where in a list one is.
type Pagination struct {
	Page       int  `json:"page"`
	PageSize   int  `json:"page_size"`
	TotalTools int  `json:"total_tools"`
	TotalPages int  `json:"total_pages"`
	HasNext    bool `json:"has_next"`
	HasPrev    bool `json:"has_prev"`
}

// MarshalJSON writes the members that the answer has.
func (a *Answer) MarshalJSON() ([]byte, error) {
	shape := struct {
		Servers    any         `json:"servers,omitempty"`
		Categories any         `json:"categories,omitempty"`
		Tools      any         `json:"tools,omitempty"`
		Scripts    []Entry     `json:"scripts,omitempty"`
		Pagination *Pagination `json:"pagination,omitempty"`
		Metadata   *Metadata   `json:"metadata"`
		Next       string      `json:"next,omitempty"`
	}{Scripts: a.Scripts, Pagination: a.Pagination, Metadata: &a.Metadata, Next: a.Next}
	switch {
	case a.Servers != nil:
		shape.Servers = a.Servers
	case a.Categories != nil:
		shape.Categories = a.Categories
	case a.Details != nil:
		shape.Tools = a.Details
	case a.Names != nil:
		shape.Tools = a.Names
	default:
		shape.Tools = a.entries()
	}
	return marshal(shape)
}

func (a *Answer) entries() []Entry {
	if a.Tools == nil {
		return []Entry{}
	}
	return a.Tools
}

// JSON is the answer as an agent reads it.
func (a *Answer) JSON() json.RawMessage {
	return JSON(a)
}
