package web

import "time"

// A Caller is who asks, as the entrance found out.
type Caller struct {
	Subject string   // authenticated name, "" where nobody has to say who they are
	Scopes  []string // what its token allows, where tokens say that
}

// Me is who asks, and what they can do here.
type Me struct {
	Subject string `json:"subject,omitempty"` // "" where nobody has to log in
	Login   bool   `json:"login"`             // there is something to log out of
	Actions bool   `json:"actions"`           // what does something is enabled
	Decides bool   `json:"decides"`           // they showed the key, without which nothing is decided that counts for all
	Version string `json:"version"`           // of the gateway
}

// Health is how the gateway stands, with reasons.
type Health struct {
	Status   string   `json:"status" enum:"ready,degraded,stopping"`
	Problems []Reason `json:"problems"` // none when it is ready
}

// A Reason is why the gateway is not all it could be.
type Reason struct {
	Server string    `json:"server,omitempty"` // "": it is about the configuration
	Since  time.Time `json:"since,omitzero"`
	Text   string    `json:"text"`
	Next   string    `json:"next,omitempty"` // what to do about it
}

// An Overview is all at a glance.
type Overview struct {
	Version string       `json:"version"`
	Started time.Time    `json:"started"`
	Health  Health       `json:"health"`
	Servers ServerCounts `json:"servers"`
	Tools   ToolCounts   `json:"tools"`
	Totals  Counts       `json:"totals"`  // since the start
	Minutes []Minute     `json:"minutes"` // the last 60, the oldest first; the last one is running
}

// ServerCounts are how many servers are in which state.
type ServerCounts struct {
	Total         int `json:"total"`
	Ready         int `json:"ready"`
	Idle          int `json:"idle"`
	Starting      int `json:"starting"`
	Failed        int `json:"failed"`
	NeedsLogin    int `json:"needs_login"`
	Disabled      int `json:"disabled"`
	NeedsApproval int `json:"needs_approval"`
}

// ToolCounts are how many tools there are, and how many of what kind.
type ToolCounts struct {
	Total       int `json:"total"`
	Unavailable int `json:"unavailable"` // of servers that are down
	Held        int `json:"held"`        // whose definitions wait for approval
	Findings    int `json:"findings"`    // with something suspicious that nobody has approved
	Categories  int `json:"categories"`
	Tags        int `json:"tags"`
}

// Counts are what was done in some time.
type Counts struct {
	Calls    int64 `json:"calls"`    // of tools at servers
	Errors   int64 `json:"errors"`   // of those, that did not end well
	Refused  int64 `json:"refused"`  // of those errors, by the policy or its user
	Searches int64 `json:"searches"` //
	Scripts  int64 `json:"scripts"`  //
	KeptOut  int64 `json:"kept_out"` // tokens of definitions that agents did not have to read
	Spent    int64 `json:"spent"`    // tokens of what they read instead
}

// A Minute is what was done in one minute.
type Minute struct {
	Start time.Time `json:"start"`
	Counts
	MedianMS float64 `json:"median_ms"` // of calls; 0 if there were none
	SlowMS   float64 `json:"slow_ms"`   // 95 of 100 calls were faster
}

// A Problem is why there is no answer. It is the shape of all errors.
type Problem struct {
	Status  int      `json:"status"`            // of HTTP
	Code    string   `json:"code"`              // one word, for programs: see docs/api.md
	Message string   `json:"error"`             // what is wrong
	Where   string   `json:"where,omitempty"`   // the part of the request that it is about
	Nearest []string `json:"nearest,omitempty"` // what may have been meant
	Next    string   `json:"next"`              // what to do about it
}

func (p *Problem) Error() string { return p.Message + ": " + p.Next }

// Codes of problems.
const (
	CodeBadRequest   = "bad_request"
	CodeUnauthorized = "unauthorized"
	CodeForbidden    = "forbidden"      // this host, origin or caller may not
	CodeActionsOff   = "actions_off"    // http.page is not actions
	CodeKeyNeeded    = "key_needed"     // a person decides this: the key was not shown, or is another
	CodeRefused      = "refused"        // by the policy, or by whoever was asked
	CodeNotFound     = "not_found"      //
	CodeNotAllowed   = "not_allowed"    // not with this method
	CodeChanged      = "changed"        // it is not what it was when it was read
	CodeTooLarge     = "too_large"      //
	CodeTooMany      = "too_many"       // try again later
	CodeUpstream     = "server_failed"  // the server could not do it
	CodeTimeout      = "timeout"        //
	CodeInternal     = "internal_error" //
	CodeStopping     = "stopping"       // the gateway ends
)

// A Page is where in a list one is.
type Page struct {
	Number  int  `json:"number"`   // from 1
	Size    int  `json:"size"`     //
	Total   int  `json:"total"`    // that fit the filters
	Pages   int  `json:"pages"`    //
	HasNext bool `json:"has_next"` //
	HasPrev bool `json:"has_prev"` //
}
