package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
)

// A Verdict is what a policy says of a tool and a caller.
type Verdict string

// The verdicts.
const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
	Ask   Verdict = "ask" // the user is asked at each call
)

// LocalUser is the subject of a caller that nobody authenticated: on standard input
// it is whoever started the gateway.
const LocalUser = "local"

// A Rule is about some tools and some callers. All that it names has to fit, of
// lists one item; what it does not name is any. Names are patterns with * and ?.
type Rule struct {
	Who         []string // subjects
	Servers     []string
	Tools       []string // names, or ids server.tool
	Categories  []string
	Tags        []string
	Annotations []Annotation
	Verdict     Verdict
	Why         string // told to whoever is refused; may be ""
	Where       string // it stands in the configuration, for people
}

// An Annotation is what a server says of a tool's behaviour.
type Annotation string

// The annotations.
const (
	ReadOnly    Annotation = "read-only"   // it says so
	Writes      Annotation = "writes"      // it does not say that it is read-only
	Destructive Annotation = "destructive" // it says so
	OpenWorld   Annotation = "open-world"  // it says so
)

// A Policy is who may see and call what. It never changes. The zero value allows
// everything.
type Policy struct {
	Rules    []Rule  // the first that fits decides
	Default  Verdict // of what no rule is about; "" is Allow
	ReadOnly bool    // whatever the rules say, a tool that is not marked read-only is denied
	Block    bool    // tools in whose definitions something was found are withheld
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

// A Profile is the rules that concern one caller: callers of the same rules have
// the same one.
type Profile struct {
	Key   string
	rules []*Rule
	of    *Policy
}

// Profile is that of a subject.
func (p *Policy) Profile(subject string) *Profile {
	out := &Profile{of: p}
	var key strings.Builder
	for i := range p.Rules {
		r := &p.Rules[i]
		if len(r.Who) == 0 || slices.ContainsFunc(r.Who, func(who string) bool { return fits(who, subject) }) {
			out.rules = append(out.rules, r)
			fmt.Fprintf(&key, "%d,", i)
		}
	}
	out.Key = key.String()
	return out
}

// Open tells that the profile allows everything.
func (p *Profile) Open() bool {
	return len(p.rules) == 0 && !p.of.ReadOnly && (p.of.Default == "" || p.of.Default == Allow)
}

// Decide is the verdict on a tool.
func (p *Profile) Decide(t *catalog.Tool) Decision {
	if p.of.ReadOnly && t.Annotations().ReadOnly != catalog.Yes {
		return Decision{Deny, "only tools that their servers mark read-only may be used here", "policy.read_only"}
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
		if len(r.Tools) == 0 && len(r.Categories) == 0 && len(r.Tags) == 0 && len(r.Annotations) == 0 && r.fitsServer(s) {
			return r.decision()
		}
	}
	return p.byDefault()
}

// Unknown is the verdict on a tool that its server has not listed: as for the server,
// unless a rule could be about it.
func (p *Profile) Unknown(server, tool string) Decision {
	if p.of.ReadOnly {
		return Decision{Deny, "only tools that their servers mark read-only may be used here", "policy.read_only"}
	}
	for _, r := range p.rules {
		if !r.fitsServer(server) || len(r.Tools) > 0 && !r.fitsTool(server, tool) {
			continue
		}
		if r.Verdict == Allow && (len(r.Categories) > 0 || len(r.Tags) > 0 || len(r.Annotations) > 0) {
			continue // nobody knows whether it is about this one
		}
		return r.decision()
	}
	return p.byDefault()
}

func (p *Profile) byDefault() Decision {
	switch p.of.Default {
	case Deny:
		return Decision{Deny, "no rule allows it", "policy.default"}
	case Ask:
		return Decision{Ask, "no rule allows it without asking", "policy.default"}
	}
	return Decision{Verdict: Allow, By: "policy.default"}
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

func (r *Rule) fits(t *catalog.Tool) bool {
	return r.fitsServer(t.Server().Name()) &&
		(len(r.Tools) == 0 || r.fitsTool(t.Server().Name(), t.Name()) || r.fitsTool(t.Server().LuaName(), t.LuaName())) &&
		anyOf(r.Categories, func(c string) bool { return fits(c, t.Category()) }) &&
		anyOf(r.Tags, func(tag string) bool {
			return slices.ContainsFunc(t.Tags(), func(has string) bool { return fits(tag, has) })
		}) &&
		(len(r.Annotations) == 0 || slices.ContainsFunc(r.Annotations, func(a Annotation) bool { return a.holds(t.Annotations()) }))
}

func (r *Rule) fitsServer(server string) bool {
	return anyOf(r.Servers, func(name string) bool { return fits(name, server) || fits(name, catalog.Identifier(server)) })
}

func (r *Rule) fitsTool(server, tool string) bool {
	return anyOf(r.Tools, func(name string) bool { return fits(name, tool) || fits(name, server+"."+tool) })
}

// anyOf tells whether one of a list fits; an empty list fits all.
func anyOf(list []string, fits func(string) bool) bool {
	return len(list) == 0 || slices.ContainsFunc(list, fits)
}

func (a Annotation) holds(said catalog.Annotations) bool {
	switch a {
	case ReadOnly:
		return said.ReadOnly == catalog.Yes
	case Writes:
		return said.ReadOnly != catalog.Yes
	case Destructive:
		return said.Destructive == catalog.Yes && said.ReadOnly != catalog.Yes
	case OpenWorld:
		return said.OpenWorld == catalog.Yes
	}
	return false
}

// fits tells whether a name fits a pattern. Capitals do not matter: a rule that
// denies must not be passed by writing.
func fits(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	ok, err := path.Match(strings.ToLower(escape(pattern)), strings.ToLower(slashless(name)))
	return err == nil && ok
}

// Only * and ? mean something, and both fit a slash too.
func escape(pattern string) string {
	return slashless(strings.NewReplacer(`\`, `\\`, `[`, `\[`).Replace(pattern))
}

func slashless(text string) string { return strings.ReplaceAll(text, "/", "\x00") }
