package config

// A PolicyLimit is one of policy.limits; all that fit a call count.
type PolicyLimit struct {
	At Position
	Terms
	PerMinute int // 0 is no limit
	PerHour   int
	AtOnce    int
	Each      []string // caller, server, tool: what has a count of its own
}

// A PolicyProfile is one of policy.profiles; the first that fits a caller counts.
type PolicyProfile struct {
	Name     string
	Who      []string
	Scopes   []string
	ReadOnly bool
	Default  Verdict // "" is that of the policy
}

const mostCalls = 1_000_000

func (d *decoder) policyLimits(n *node) (out []PolicyLimit) {
	d.list(n, "policy.limits", func(item *node) {
		l := PolicyLimit{At: item.at}
		before := len(d.problems)
		d.fields(item, "a limit of the policy", append(d.terms(&l.Terms), []field{
			{"per_minute", func(n *node) { l.PerMinute = d.integer(n, "per_minute", 1, mostCalls) }},
			{"per_hour", func(n *node) { l.PerHour = d.integer(n, "per_hour", 1, mostCalls) }},
			{"at_once", func(n *node) { l.AtOnce = d.integer(n, "at_once", 1, mostCalls) }},
			{"each", func(n *node) { l.Each = d.words(n, "each", "caller", "server", "tool") }},
		}...))
		switch {
		case len(d.problems) > before || item.about != nil:
		case l.PerMinute+l.PerHour+l.AtOnce == 0:
			d.problem(item.at, "a limit of the policy needs per_minute, per_hour or at_once")
		default:
			out = append(out, l)
		}
	})
	return out
}

func (d *decoder) policyProfiles(n *node) (out []PolicyProfile) {
	d.list(n, "policy.profiles", func(item *node) {
		var p PolicyProfile
		before := len(d.problems)
		d.fields(item, "a profile of the policy", append([]field{
			{"name", func(n *node) { p.Name = d.text(n, "name") }},
			{"read_only", func(n *node) { p.ReadOnly = d.boolean(n, "read_only") }},
			{"default", func(n *node) { p.Default = Verdict(d.oneOf(n, "default", verdicts...)) }},
		}, d.callers(&p.Who, &p.Scopes)...))
		switch {
		case len(d.problems) > before || item.about != nil:
		case !validName(p.Name):
			d.problem(item.at, "a profile of the policy needs a name, by which a verdict is explained")
		case len(p.Who)+len(p.Scopes) == 0:
			d.problem(item.at, "profile %q needs who or scopes; what holds for all goes directly under policy", clip(p.Name))
		case !p.ReadOnly && p.Default == "":
			d.problem(item.at, "profile %q says nothing: it needs read_only: true or a default", clip(p.Name))
		default:
			out = append(out, p)
		}
	})
	return out
}

func init() {
	for name, key := range termKeys {
		keyTable["policy.rules[]."+name], keyTable["policy.limits[]."+name] = key, key
	}
	for path, key := range map[string]Key{
		"policy.limits":              {"how often calls may be made; all that fit a call count", ""},
		"policy.limits[].per_minute": {"calls in a minute; so many may come at once, and they come back evenly", ""},
		"policy.limits[].per_hour":   {"calls in an hour, likewise", ""},
		"policy.limits[].at_once":    {"calls under way at a time", ""},
		"policy.limits[].each":       {"caller, server, tool: each of them has a count of its own; without it all calls that fit are counted together", ""},

		"policy.profiles":             {"what holds for some callers; the first that fits counts", ""},
		"policy.profiles[].name":      {"by which a verdict is explained", ""},
		"policy.profiles[].who":       termKeys["who"],
		"policy.profiles[].scopes":    termKeys["scopes"],
		"policy.profiles[].read_only": {"true: they may use only tools that their servers mark read-only, whatever the rules say", "false"},
		"policy.profiles[].default":   {"of what no rule is about, in place of policy.default", ""},
	} {
		keyTable[path] = key
	}
}

// more are the limits and profiles, as a file of ours would say them.
func (p *Policy) more() []pair {
	var limits, profiles *node
	for _, l := range p.Limits {
		limits = limits.and(part(append(l.Terms.pairs(), pair{"per_minute", number(l.PerMinute)}, pair{"per_hour", number(l.PerHour)}, pair{"at_once", number(l.AtOnce)}, pair{"each", texts(l.Each)})...))
	}
	for _, one := range p.Profiles {
		profiles = profiles.and(part(pair{"name", text(one.Name)}, pair{"who", texts(one.Who)}, pair{"scopes", texts(one.Scopes)}, pair{"read_only", truly(one.ReadOnly)}, pair{"default", text(string(one.Default))}))
	}
	return []pair{{"limits", limits}, {"profiles", profiles}}
}

// and is a list, nil if it is empty, with one more item.
func (n *node) and(item *node) *node {
	if n == nil {
		n = &node{kind: listNode}
	}
	n.items = append(n.items, item)
	return n
}
