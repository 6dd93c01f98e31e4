package script

import "time"

// A Call is a line of the ledger: what a script did, or began to do.
type Call struct {
	Server  string        `json:"server"`
	Tool    string        `json:"tool"`
	Line    int           `json:"line,omitempty"` // of the script
	Status  Status        `json:"status"`
	Took    time.Duration `json:"-"`
	Millis  int64         `json:"ms"`
	Error   string        `json:"error,omitempty"`
	Awaited bool          `json:"awaited"`
}

// A Status is how a call ended.
type Status string

// The statuses.
const (
	StatusOK        Status = "ok"
	StatusFailed    Status = "error"
	StatusCancelled Status = "cancelled"   // it was under way; whether it took effect is not known
	StatusNotSent   Status = "not_started" // it was never sent
)

// ledger is the calls as they stand now. Those under way are told as cancelled: it is
// asked for when the script is over.
func (f *flight) ledger() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	entries := make([]Call, len(f.calls))
	for i, c := range f.calls {
		e := Call{Server: c.server, Tool: c.tool, Line: c.line, Awaited: c.awaited}
		switch {
		case c.started.IsZero():
			e.Status = StatusNotSent
		case !c.done:
			e.Status, e.Took = StatusCancelled, now.Sub(c.started)
		default:
			e.Status, e.Took = StatusOK, c.ended.Sub(c.started)
			if c.fault != nil {
				e.Status, e.Error = StatusFailed, clip(c.fault.Message, 300)
			}
			if c.fault != nil && c.fault.Code == CodeCancelled {
				e.Status = StatusCancelled
			}
		}
		e.Millis = e.Took.Milliseconds()
		entries[i] = e
	}
	return entries
}

// clip shortens a text for a list.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return string(wholeRunes([]byte(text[:most]))) + "..."
}
