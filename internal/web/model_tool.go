package web

import (
	"encoding/json"
	"time"
)

// Pin states of a tool's definition.
const (
	PinSettled  = "settled"  // as it was first seen
	PinApproved = "approved" // by a person
	PinHeld     = "held"     // its server says something else by now; the definition of before counts
	PinWaits    = "waits"    // it cannot be called before somebody approves
)

// A Tool is one tool in a list.
type Tool struct {
	ID          string   `json:"id"` // server.tool, as a script writes it
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty"`
	Server      string   `json:"server"` // as configured
	Signature   string   `json:"signature,omitempty"`
	Description string   `json:"description,omitempty"` // its beginning, in the server's own words
	Category    string   `json:"category,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	State       string   `json:"state" enum:"available,unavailable,not_callable"`
	Pin         string   `json:"pin" enum:"settled,approved,held,waits"`
	Findings    int      `json:"findings"` // suspicious things that nobody has approved
	ReadOnly    bool     `json:"read_only"`
	Destructive bool     `json:"destructive"`
}

// A ToolPage is a page of the list of tools.
type ToolPage struct {
	Tools []Tool `json:"tools"`
	Page  Page   `json:"page"`
}

// A ToolDetail is all there is to know of one tool.
type ToolDetail struct {
	Tool
	Text         string          `json:"text,omitempty"`                // the whole description
	Why          string          `json:"why,omitempty"`                 // why it cannot be called now
	Verdict      string          `json:"verdict" enum:"allow,ask,deny"` // of the policy, for whoever asks
	Reason       string          `json:"reason,omitempty"`              // of that verdict
	Parameters   []Parameter     `json:"parameters"`                    // what the schema says, flat
	Schema       json.RawMessage `json:"schema,omitempty"`              // of its arguments, raw
	Output       json.RawMessage `json:"output_schema,omitempty"`
	OutputSeen   string          `json:"output_seen,omitempty"` // the shape of real answers
	Annotations  json.RawMessage `json:"annotations,omitempty"`
	ExampleJSON  json.RawMessage `json:"example_json,omitempty"` // arguments that fit
	ExampleLua   string          `json:"example_lua,omitempty"`
	Related      []RelatedTool   `json:"related"`
	Provenance   string          `json:"provenance"`
	Confidence   float64         `json:"confidence,omitempty"` // of a tool that its server did not list
	Fingerprint  string          `json:"fingerprint"`
	Notes        []string        `json:"notes,omitempty"` // what to be careful about
	FindingsList []Finding       `json:"findings_list"`
	Held         *Held           `json:"held,omitempty"` // what waits for approval
	Calls        int64           `json:"calls"`          // that the recent activity has
}

// A Parameter is one argument of a tool, for reading.
type Parameter struct {
	Name        string          `json:"name"` // with dots where it is inside of another
	Type        string          `json:"type,omitempty"`
	Required    bool            `json:"required"`
	Description string          `json:"description,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Enum        json.RawMessage `json:"enum,omitempty"` // a list
}

// A RelatedTool is one that goes with another, and why.
type RelatedTool struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// A ToolQuery is which tools a list has.
type ToolQuery struct {
	Server   string // all if ""
	Category string
	Tag      string
	State    string // available, unavailable, not_callable, held, findings
	Text     string // in the id, name or description
	Page     int    // from 1; 0 is 1
	Size     int    // 0 is 50; at most 200
}

// A Category of tools.
type Category struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Tools       int    `json:"tools"`
}

// A Tag that tools have.
type Tag struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
}

// A SearchQuery is what somebody looks for.
type SearchQuery struct {
	Text     string
	Server   string
	Category string
	Most     int // 0 is 10; at most 50
}

// A SearchResult is what a search found.
type SearchResult struct {
	Query       string   `json:"query"`
	Verdict     string   `json:"verdict" enum:"found,near,withheld,unavailable,none"`
	Why         string   `json:"why,omitempty"`  // what the verdict means here
	Next        string   `json:"next,omitempty"` // what to do about it
	Total       int      `json:"total"`          // that fit; Hits has the best of them
	Hits        []Hit    `json:"hits"`
	Suggestions []string `json:"suggestions,omitempty"` // other words
	TookMS      float64  `json:"took_ms"`
}

// A Hit is a tool that a search found.
type Hit struct {
	Tool
	Relevance int      `json:"relevance"` // 1 to 100
	Matched   []string `json:"matched"`   // what spoke for it, the strongest first
}

// A CallRequest calls a tool. Arguments are an object.
type CallRequest struct {
	Arguments json.RawMessage `json:"arguments"`
}

// A CallResult is what a tool answered.
type CallResult struct {
	Tool     string          `json:"tool"` // its id
	Result   json.RawMessage `json:"result"`
	IsError  bool            `json:"is_error"` // the tool says itself that it failed
	TookMS   float64         `json:"took_ms"`
	Activity uint64          `json:"activity,omitempty"` // under which it was noted
}

// A Finding is something suspicious in a definition.
type Finding struct {
	Tool     string `json:"tool"`              // its id
	Server   string `json:"server"`            // as configured
	Kind     string `json:"kind"`              // one word
	Where    string `json:"where"`             // in the definition
	What     string `json:"what"`              // in plain words
	Excerpt  string `json:"excerpt,omitempty"` // the server's own words, made visible
	Accepted bool   `json:"accepted"`          // a person has read and approved it
}

// A Held is a definition that waits for approval.
type Held struct {
	ID          string          `json:"id"`               // of the tool: server.tool
	Server      string          `json:"server"`           // as configured
	Tool        string          `json:"tool"`             // as its server calls it
	New         bool            `json:"new"`              // its server did not have it at first
	Serves      bool            `json:"serves"`           // meanwhile it can be called by the definition of before
	Rejected    bool            `json:"rejected"`         // somebody decided against it; the definition of before stays
	Since       time.Time       `json:"since,omitzero"`   //
	Before      json.RawMessage `json:"before,omitempty"` // nil of a new tool
	Now         json.RawMessage `json:"now"`
	Diff        []DiffLine      `json:"diff"`
	Fingerprint string          `json:"fingerprint"` // of Now: whoever approves says what they have read
	Command     string          `json:"command"`     // that approves it in a terminal
}

// A DiffLine is one line of the difference of two definitions.
type DiffLine struct {
	Op   string `json:"op" enum:"same,add,remove"`
	Text string `json:"text"` // what cannot be seen is written as its number
}

// An Untrusted is a server of a project's own file that is not started before
// somebody trusts it, which is done in a terminal alone.
type Untrusted struct {
	Server  string `json:"server"`
	Source  string `json:"source"`  // the file that it is from
	Config  string `json:"config"`  // its entry as YAML, without secrets
	Command string `json:"command"` // to run
}

// ProjectSettings are what a project's own file says besides its servers. They do not
// count before somebody approves them, which is done in a terminal alone.
type ProjectSettings struct {
	File    string   `json:"file"`
	Parts   []string `json:"parts"`   // their keys
	Config  string   `json:"config"`  // as YAML, without secrets
	Command string   `json:"command"` // to run
}

// Trust is everything that waits for a person to look at it.
type Trust struct {
	Held      []Held           `json:"held"`
	Findings  []Finding        `json:"findings"`
	Untrusted []Untrusted      `json:"untrusted"`
	Settings  *ProjectSettings `json:"settings,omitempty"`
	Pins      string           `json:"pins" enum:"on,warn,off"`               // what becomes of a definition that changed
	Policy    string           `json:"findings_policy" enum:"flag,block,off"` // what becomes of what is suspicious
}

// An ApproveRequest says which definition was read: Held.Fingerprint.
type ApproveRequest struct {
	Fingerprint string `json:"fingerprint"`
}

// An Approved is what became of a definition.
type Approved struct {
	ID  string `json:"id"`
	Pin string `json:"pin" enum:"settled,approved,held,waits"`
}
