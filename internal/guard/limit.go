package guard

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// A Limit is how often calls that fit it may be made, and how many at once. It is
// about tools, and where it names servers at most, about prompts and resources too.
type Limit struct {
	Terms
	PerMinute int // 0 is no limit
	PerHour   int
	AtOnce    int
	Each      []Share // what has a count of its own; without it all are counted together
	Where     string  // it stands in the configuration, for people
}

// A Share is what calls are counted by.
type Share string

// The shares.
const (
	EachCaller Share = "caller"
	EachServer Share = "server"
	EachTool   Share = "tool"
)

// A rate is so many calls in so much time.
type rate struct {
	calls int
	in    time.Duration
	unit  string
}

func (l *Limit) rates() []rate {
	return slices.DeleteFunc([]rate{{l.PerMinute, time.Minute, "minute"}, {l.PerHour, time.Hour, "hour"}}, func(r rate) bool { return r.calls <= 0 })
}

// String is what it allows.
func (l *Limit) String() string {
	var parts []string
	for _, r := range l.rates() {
		parts = append(parts, fmt.Sprintf("%d calls per %s", r.calls, r.unit))
	}
	if l.AtOnce > 0 {
		parts = append(parts, fmt.Sprintf("%d at once", l.AtOnce))
	}
	text := strings.Join(parts, ", ")
	if len(l.Each) > 0 {
		each := make([]string, len(l.Each))
		for i, s := range l.Each {
			each[i] = string(s)
		}
		text += " for each " + strings.Join(each, " and ")
	}
	return text
}

// text tells it from all others, wherever it stands: a policy that is edited elsewhere
// starts no count anew.
func (l *Limit) text() string {
	same := *l
	same.Where = ""
	return fmt.Sprintf("%+v", same)
}

// A bound is a limit with what its counts are kept under.
type bound struct {
	*Limit
	id string
}

// limitsOf are the limits on a tool; on one that is not known, all that may be about it.
func (p *Profile) limitsOf(t *catalog.Tool, server, tool string) (out []*bound) {
	for _, l := range p.limits {
		if t != nil && l.fits(t) || t == nil && l.fitsServer(server) && (len(l.Tools) == 0 || l.fitsTool(server, tool)) {
			out = append(out, l)
		}
	}
	return out
}

// limitsOfServer are those on all else of a server.
func (p *Profile) limitsOfServer(server string) (out []*bound) {
	for _, l := range p.limits {
		if l.wholeServers() && l.fitsServer(server) {
			out = append(out, l)
		}
	}
	return out
}

// An excess is a limit that a call would go beyond.
type excess struct {
	limit *Limit
	wait  time.Duration // until it would not; 0: until one of those under way has ended
}

// seconds after which to try again.
func (e *excess) seconds() int { return max(1, int(math.Ceil(e.wait.Seconds()))) }

func (e *excess) why() string {
	when := fmt.Sprintf("try again in %d s", e.seconds())
	if e.wait == 0 {
		when = "try again when one of those under way has ended"
	}
	return fmt.Sprintf("no more than %s are allowed; %s", e.limit, when)
}

func (e *excess) decision() Decision { return Decision{Limited, e.why(), e.limit.Where} }

// error is what whoever called is told, with the seconds for programs.
func (e *excess) error(what string) error {
	data := fmt.Appendf(nil, `{"retry_after_seconds":%d,"limit":%s}`, e.seconds(), wire.Quote(e.limit.String()))
	return wire.Errorf(wire.CodeLimited, "%s is called too often: %s (by %s)", what, e.why(), e.limit.Where).WithData(data)
}
