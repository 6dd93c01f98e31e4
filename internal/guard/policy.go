package guard

import (
	"fmt"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
)

// A Verdict is what a policy says of a tool and a caller.
type Verdict string

// The verdicts.
const (
	Allow   Verdict = "allow"
	Deny    Verdict = "deny"
	Ask     Verdict = "ask"   // the user is asked at each call
	Limited Verdict = "limit" // it is allowed, and too often called
)

// LocalUser is the subject of a caller that nobody authenticated: on standard input
// it is whoever started the gateway. TokenUser is that of whoever sends the gateway's
// own token.
const (
	LocalUser = "local"
	TokenUser = "token"
)

// A Rule is a verdict on some tools and some callers.
type Rule struct {
	Terms
	Verdict Verdict
	Why     string // told to whoever is refused; may be ""
	Where   string // it stands in the configuration, for people
}

// A Role is what holds for some callers in place of what the policy says of all.
type Role struct {
	Name     string
	Who      []string
	Scopes   []string
	ReadOnly bool    // they are denied tools that are not marked read-only
	Default  Verdict // "" is that of the policy
}

// A Policy is who may see and call what. It never changes. The zero value allows
// everything.
type Policy struct {
	Rules    []Rule  // the first that fits decides
	Roles    []Role  // the first that fits a caller counts
	Limits   []Limit // all that fit count
	Default  Verdict // of what no rule is about; "" is Allow
	ReadOnly bool    // whatever the rules say, a tool that is not marked read-only is denied
	Block    bool    // tools in whose definitions something was found are withheld
}

// byScopes tells whether it matters which scopes a caller has.
func (p *Policy) byScopes() bool {
	return p.anyCallers(func(_, scopes []string) bool { return len(scopes) > 0 })
}

// personal tells whether it matters who a caller is.
func (p *Policy) personal() bool {
	return p.anyCallers(func(who, scopes []string) bool { return len(who)+len(scopes) > 0 })
}

// anyCallers tells whether something is true of the callers of a rule, role or limit.
func (p *Policy) anyCallers(is func(who, scopes []string) bool) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return is(r.Who, r.Scopes) }) ||
		slices.ContainsFunc(p.Roles, func(r Role) bool { return is(r.Who, r.Scopes) }) ||
		slices.ContainsFunc(p.Limits, func(l Limit) bool { return is(l.Who, l.Scopes) })
}

// A Decision is a verdict and what it is from.
type Decision struct {
	Verdict Verdict
	Why     string // for whoever is refused or asked
	By      string // the rule, for people and the audit
}

// Subject is what rules call a caller.
func Subject(authenticated string) string {
	if authenticated == "" {
		return LocalUser
	}
	return authenticated
}

// A Profile is what of a policy concerns one caller: callers of whom the same holds
// have the same one.
type Profile struct {
	Key    string
	rules  []*Rule
	limits []*bound
	role   *Role // may be nil
	of     *Policy
}

// Profile is that of a subject with a token that has some scopes.
func (p *Policy) Profile(subject string, scopes ...string) *Profile {
	out := &Profile{of: p}
	var key strings.Builder
	for i := range p.Rules {
		if r := &p.Rules[i]; r.concern(subject, scopes) {
			out.rules = append(out.rules, r)
			fmt.Fprintf(&key, "%d,", i)
		}
	}
	for i := range p.Roles {
		if r := &p.Roles[i]; (&Terms{Who: r.Who, Scopes: r.Scopes}).concern(subject, scopes) {
			out.role = r
			fmt.Fprintf(&key, "role %d,", i)
			break
		}
	}
	for i := range p.Limits {
		if l := &p.Limits[i]; l.concern(subject, scopes) {
			out.limits = append(out.limits, &bound{l, l.text()})
			fmt.Fprintf(&key, "limit %d,", i)
		}
	}
	out.Key = key.String()
	return out
}

// Role is the name of the caller's role, "" if it has none.
func (p *Profile) Role() string {
	if p.role == nil {
		return ""
	}
	return p.role.Name
}

// Open tells that the profile allows everything.
func (p *Profile) Open() bool {
	return len(p.rules) == 0 && p.readOnly() == "" && p.byDefault().Verdict == Allow
}

// readOnly is what has the caller use nothing but read-only tools, "" if nothing does.
func (p *Profile) readOnly() string {
	switch {
	case p.of.ReadOnly:
		return "policy.read_only"
	case p.role != nil && p.role.ReadOnly:
		return "policy.profiles " + p.role.Name
	}
	return ""
}

// Decide is the verdict on a tool.
func (p *Profile) Decide(t *catalog.Tool) Decision {
	if by := p.readOnly(); by != "" && t.Annotations().ReadOnly != catalog.Yes {
		return onlyReading(by)
	}
	for _, r := range p.rules {
		if r.fits(t) {
			return r.decision()
		}
	}
	return p.byDefault()
}

// DecideServer is the verdict on all else of a server: its prompts and resources, and
// its tools that are not known yet. Only rules about whole servers count.
func (p *Profile) DecideServer(s string) Decision {
	for _, r := range p.rules {
		if r.wholeServers() && r.fitsServer(s) {
			return r.decision()
		}
	}
	return p.byDefault()
}

// allowsSome tells whether a rule lets something of a server be seen.
func (p *Profile) allowsSome(server string) bool {
	return slices.ContainsFunc(p.rules, func(r *Rule) bool { return r.Verdict != Deny && r.fitsServer(server) })
}

// Unknown is the verdict on a tool that its server has not listed: as for the server,
// unless a rule could be about it.
func (p *Profile) Unknown(server, tool string) Decision {
	if by := p.readOnly(); by != "" {
		return onlyReading(by)
	}
	for _, r := range p.rules {
		if !r.fitsServer(server) || len(r.Tools) > 0 && !r.fitsTool(server, tool) {
			continue
		}
		if r.Verdict == Allow && r.looks() {
			continue // nobody knows whether it is about this one
		}
		return r.decision()
	}
	return p.byDefault()
}

func onlyReading(by string) Decision {
	return Decision{Deny, "only tools that their servers mark read-only may be used here", by}
}

func (p *Profile) byDefault() Decision {
	verdict, by := p.of.Default, "policy.default"
	if p.role != nil && p.role.Default != "" {
		verdict, by = p.role.Default, "policy.profiles "+p.role.Name
	}
	switch verdict {
	case Deny:
		return Decision{Deny, "no rule allows it", by}
	case Ask:
		return Decision{Ask, "no rule allows it without asking", by}
	}
	return Decision{Verdict: Allow, By: by}
}

func (r *Rule) decision() Decision {
	why := r.Why
	if why == "" && r.Verdict == Deny {
		why = "a rule of the policy denies it"
	}
	if why == "" && r.Verdict == Ask {
		why = "a rule of the policy has the user asked"
	}
	return Decision{r.Verdict, why, r.Where}
}
