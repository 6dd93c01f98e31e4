package web

import (
	"encoding/json"
	"time"
)

// Kinds of activity.
const (
	KindCall      = "call"      // of a tool, a prompt or a resource of a server
	KindSearch    = "search"    //
	KindScript    = "script"    // its calls have it as their parent
	KindLook      = "look"      // at lists and details, by one of the gateway's own tools
	KindList      = "list"      // of all tools, by an agent
	KindDiscovery = "discovery" // a server was listed, or that was tried
	KindReload    = "reload"    // of the configuration
)

// Outcomes of activities.
const (
	OutcomeOK          = "ok"
	OutcomeToolError   = "tool_error"  // the tool says itself that it failed
	OutcomeRefused     = "refused"     // the request was not right
	OutcomeDenied      = "denied"      // by the policy, or by whoever was asked
	OutcomeUnreachable = "unreachable" // no server to do it
	OutcomeBusy        = "busy"        // the server has too much to do
	OutcomeTimeout     = "timeout"
	OutcomeCancelled   = "cancelled"
	OutcomeFailed      = "failed" // anything else
)

// An Activity is something that was done.
type Activity struct {
	ID      uint64    `json:"id"`               // grows with time
	Parent  uint64    `json:"parent,omitempty"` // the script that it was done in
	Kind    string    `json:"kind" enum:"call,search,script,look,list,discovery,reload"`
	Start   time.Time `json:"start"`
	TookMS  float64   `json:"took_ms"`
	Caller  string    `json:"caller,omitempty"` // who; "" of a caller without a name, or of the gateway's own account
	Client  string    `json:"client,omitempty"` // the program that it is, as it says itself
	Method  string    `json:"method,omitempty"` // of the protocol, where it is not tools/call
	Server  string    `json:"server,omitempty"` // as configured
	Tool    string    `json:"tool,omitempty"`   // as its server or the gateway calls it
	ToolID  string    `json:"tool_id,omitempty"`
	Outcome string    `json:"outcome" enum:"ok,tool_error,refused,denied,unreachable,busy,timeout,cancelled,failed"`
	Error   string    `json:"error,omitempty"` // without secrets
	In      int       `json:"bytes_in"`        // of the request
	Out     int       `json:"bytes_out"`       // of the answer
	KeptOut int       `json:"kept_out,omitempty"`
	Calls   int       `json:"calls,omitempty"` // made in the course of it

	Query   string   `json:"query,omitempty"`   // of a search, without secrets
	Verdict string   `json:"verdict,omitempty"` // likewise
	Top     []string `json:"top,omitempty"`     // likewise: ids of the best hits
	Found   int      `json:"found,omitempty"`   // of a search: how many fit; of a discovery: how many tools
	Cached  bool     `json:"cached,omitempty"`  // of a discovery: another gateway had just learned it
	Rung    string   `json:"rung,omitempty"`    // of a discovery: how the tools were learned
}

// An ActivityPage is a piece of the recent activity, the newest first.
type ActivityPage struct {
	Activities []Activity `json:"activities"`
	Before     uint64     `json:"before,omitempty"` // to ask for what is older; 0 if nothing is
	Latest     uint64     `json:"latest"`           // the last id that was given out
	Kept       int        `json:"kept"`             // how many are remembered at most
}

// An ActivityQuery is which activities a list has.
type ActivityQuery struct {
	Kind    string
	Server  string
	Tool    string // id or name
	Outcome string // one of them, or error for all but ok
	Caller  string
	Text    string // in the tool, query or error
	Parent  uint64
	Before  uint64 // only older ones
	Most    int    // 0 is 50; at most 200
}

// An ActivityDetail is one activity with its timeline.
type ActivityDetail struct {
	Activity
	Steps     []Step          `json:"steps"`               // in the order of time
	Children  []Activity      `json:"children"`            // calls that a script made, the oldest first
	Arguments json.RawMessage `json:"arguments,omitempty"` // only where tracing.arguments is set; text as JSON
	Result    json.RawMessage `json:"result,omitempty"`    // only where tracing.results is set
}

// A Step is a part of an activity's time.
type Step struct {
	Name   string  `json:"name" enum:"received,asked,queued,started,sent,answered"`
	AtMS   float64 `json:"at_ms"`   // since the start
	TookMS float64 `json:"took_ms"` //
	Note   string  `json:"note,omitempty"`
}

// An Event is one message of the event stream.
type Event struct {
	ID   uint64 // of an activity; 0 of what cannot be asked for again
	Kind string // activity, server, catalog, config, missed
	Data any    // Activity, Server, CatalogChange, ConfigChange, Missed
}

// Kinds of events.
const (
	EventActivity = "activity"
	EventServer   = "server"  // a server's state changed
	EventCatalog  = "catalog" // there are other tools than before
	EventConfig   = "config"  // another configuration is in use, or one cannot be
	EventMissed   = "missed"  // some events were lost, because they were not read in time
)

// A CatalogChange says that there are other tools than before.
type CatalogChange struct {
	Version string `json:"version"` // of the catalog
	Tools   int    `json:"tools"`
}

// A ConfigChange says that another configuration came.
type ConfigChange struct {
	Used     bool            `json:"used"`     // else the one of before still counts
	Problems []ConfigProblem `json:"problems"` //
}

// Missed says how many events were lost.
type Missed struct {
	Count uint64 `json:"count"`
}
