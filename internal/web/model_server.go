package web

import "time"

// States of a server.
const (
	ServerReady         = "ready"
	ServerIdle          = "idle" // not running; starts when it is needed
	ServerStarting      = "starting"
	ServerFailed        = "failed"
	ServerNeedsLogin    = "needs_login"
	ServerDisabled      = "disabled"
	ServerNeedsApproval = "needs_approval" // from a project's own file: not started before somebody trusts it
)

// A Server is one configured server in a list.
type Server struct {
	Name      string    `json:"name"` // as configured
	Lua       string    `json:"lua"`  // first half of its tools' ids
	Title     string    `json:"title,omitempty"`
	State     string    `json:"state" enum:"ready,idle,starting,failed,needs_login,disabled,needs_approval"`
	Since     time.Time `json:"since,omitzero"`   // of State
	Reason    string    `json:"reason,omitempty"` // why it failed, without secrets
	Next      string    `json:"next,omitempty"`   // what to do about that
	Transport string    `json:"transport" enum:"stdio,http,sse"`
	Tools     int       `json:"tools"`
	Restarts  int       `json:"restarts"` // starts after the first
	Calls     int64     `json:"calls"`    // of its tools since the gateway started
	Errors    int64     `json:"errors"`   // of those
	Listed    time.Time `json:"listed,omitzero"`
	Stale     bool      `json:"stale"` // the listing is older than it holds
}

// A ServerDetail is all there is to know of one server.
type ServerDetail struct {
	Server
	Version      string    `json:"version,omitempty"`      // as it says itself
	Description  string    `json:"description,omitempty"`  // likewise
	Instructions string    `json:"instructions,omitempty"` // likewise
	Protocol     string    `json:"protocol,omitempty"`     // version that it speaks
	Provenance   string    `json:"provenance,omitempty"`   // how its tools were learned
	Source       string    `json:"source,omitempty"`       // the file that it is from, with its line
	Aliases      []string  `json:"aliases,omitempty"`      // other names of the same server
	Retry        time.Time `json:"retry,omitzero"`         // failed: not tried again before
	Holds        float64   `json:"holds_s,omitempty"`      // how long a listing does, in seconds
	Refresh      time.Time `json:"refresh,omitzero"`       // from then on it is listed again, when somebody asks or in the background
	Stderr       string    `json:"stderr,omitempty"`       // the end of what it wrote, without secrets
	Config       string    `json:"config,omitempty"`       // its entry as YAML, without secrets
	Limits       Limits    `json:"limits"`
	Findings     []Finding `json:"findings"` // in its tools' definitions
	Held         []Held    `json:"held"`     // definitions that wait for approval
}

// Limits of a server, in seconds.
type Limits struct {
	MaxInFlight  int     `json:"max_in_flight"`
	CallTimeout  float64 `json:"call_timeout_s"`
	QueueTimeout float64 `json:"queue_timeout_s"`
	StartTimeout float64 `json:"start_timeout_s"`
	IdleTimeout  float64 `json:"idle_timeout_s"` // 0: it is never stopped
}

// A Refreshed is how listing a server anew went.
type Refreshed struct {
	Server Server  `json:"server"` // as it stands now
	TookMS float64 `json:"took_ms"`
}
