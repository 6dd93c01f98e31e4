package config

// Trust is what becomes of what servers say of their tools.
type Trust struct {
	Pins     Pins
	NewTools NewTools
	Findings Findings
}

// Pins is what becomes of a definition that changed. The empty value is PinsOn.
type Pins string

// What may become of it.
const (
	PinsOn   Pins = "on"   // that of before counts until it is approved
	PinsWarn Pins = "warn" // it is taken, and told
	PinsOff  Pins = "off"
)

// NewTools is what becomes of tools that a server did not have at first. The empty
// value is NewToolsAllow.
type NewTools string

// What may become of them.
const (
	NewToolsAllow NewTools = "allow"
	NewToolsAsk   NewTools = "ask" // they wait for approval
)

// Findings is what becomes of tools in whose definitions something suspicious was
// found. The empty value is FindingsFlag.
type Findings string

// What may become of them.
const (
	FindingsFlag  Findings = "flag"  // it is told
	FindingsBlock Findings = "block" // they wait for approval
	FindingsOff   Findings = "off"
)

// Policy is who may see and call what.
type Policy struct {
	ReadOnly bool
	Default  Verdict // "" is allow
	Rules    []PolicyRule
	Limits   []PolicyLimit
	Profiles []PolicyProfile
}

// Verdict is what a rule says.
type Verdict string

// A PolicyRule is one of policy.rules; the first that fits counts.
type PolicyRule struct {
	At Position
	Terms
	Verdict Verdict
	Why     string
}

// Audit is where decisions are written down. It is off without a file.
type Audit struct {
	File string // as it is written, a relative path starts at the configuration
	Size int    // in MiB, at which another file is begun; 0 is 10
	Keep int    // how many older ones are kept; 0 is 5
}

func (d *decoder) trust(n *node) Trust {
	var t Trust
	d.fields(n, "trust", []field{
		{"pins", func(n *node) { t.Pins = Pins(d.oneOf(n, "trust.pins", "on", "warn", "off")) }},
		{"new_tools", func(n *node) { t.NewTools = NewTools(d.oneOf(n, "trust.new_tools", "allow", "ask")) }},
		{"findings", func(n *node) { t.Findings = Findings(d.oneOf(n, "trust.findings", "flag", "block", "off")) }},
	})
	return t
}

var verdicts = []string{"allow", "deny", "ask"}

func (d *decoder) policy(n *node) Policy {
	var p Policy
	d.fields(n, "policy", []field{
		{"read_only", func(n *node) { p.ReadOnly = d.boolean(n, "policy.read_only") }},
		{"default", func(n *node) { p.Default = Verdict(d.oneOf(n, "policy.default", verdicts...)) }},
		{"rules", func(n *node) { p.Rules = d.policyRules(n) }},
		{"limits", func(n *node) { p.Limits = d.policyLimits(n) }},
		{"profiles", func(n *node) { p.Profiles = d.policyProfiles(n) }},
	})
	return p
}

func (d *decoder) policyRules(n *node) (out []PolicyRule) {
	d.list(n, "policy.rules", func(item *node) {
		r := PolicyRule{At: item.at}
		before := len(d.problems)
		d.fields(item, "a rule of the policy", append(d.terms(&r.Terms), []field{
			{"verdict", func(n *node) { r.Verdict = Verdict(d.oneOf(n, "verdict", verdicts...)) }},
			{"why", func(n *node) { r.Why = d.text(n, "why") }},
		}...))
		switch {
		case len(d.problems) > before || item.about != nil:
		case r.Verdict == "":
			d.problem(item.at, "a rule of the policy needs a verdict: allow, deny or ask")
		default:
			out = append(out, r)
		}
	})
	return out
}

func (d *decoder) audit(n *node) Audit {
	var a Audit
	d.fields(n, "audit", []field{
		{"file", func(n *node) {
			if a.File = d.value(n, "audit.file"); a.File != "" {
				a.File = d.path(a.File, d.variables.dir)
			}
		}},
		{"size", func(n *node) { a.Size = d.integer(n, "audit.size", 1, 10_000) }},
		{"keep", func(n *node) { a.Keep = d.integer(n, "audit.keep", 1, 10_000) }},
	})
	return a
}

func init() {
	for path, key := range map[string]Key{
		"trust":           {"what becomes of what servers say of their tools", ""},
		"trust.pins":      {"a definition that changed: on, that of before counts until toolcrib trust approves the new one; warn, it is taken and told; off", "on"},
		"trust.new_tools": {"tools that a server did not have at first: allow; ask, they wait for toolcrib trust", "allow"},
		"trust.findings":  {"tools in whose definitions something suspicious is found: flag; block, they wait for toolcrib trust; off", "flag"},

		"policy":                 {"who may see and call what", ""},
		"policy.read_only":       {"true: only tools that their servers mark read-only, whatever the rules say", "false"},
		"policy.default":         {"of what no rule is about: allow, deny or ask", "allow"},
		"policy.rules":           {"the first that fits counts; what a rule does not name is any", ""},
		"policy.rules[].verdict": {"allow, deny, or ask: the user is asked at each call", ""},
		"policy.rules[].why":     {"what whoever is refused is told", ""},

		"audit":      {"a line for each decision", ""},
		"audit.file": {"where; without it nothing is written", ""},
		"audit.size": {"in MiB, at which another file is begun", "10"},
		"audit.keep": {"how many older files are kept", "5"},
	} {
		keyTable[path] = key
	}
}

// guarded is what c says of trust, as a file of ours would say it.
func (c Config) guarded(root *node) {
	root.set("trust", part(pair{"pins", text(string(c.Trust.Pins))}, pair{"new_tools", text(string(c.Trust.NewTools))}, pair{"findings", text(string(c.Trust.Findings))}))
	var rules *node
	for _, r := range c.Policy.Rules {
		if r.At == (Position{}) {
			continue // the entry of a server says it
		}
		rules = rules.and(part(append(r.Terms.pairs(), pair{"verdict", text(string(r.Verdict))}, pair{"why", text(r.Why)})...))
	}
	root.set("policy", part(append([]pair{{"read_only", truly(c.Policy.ReadOnly)}, {"default", text(string(c.Policy.Default))}, {"rules", rules}}, c.Policy.more()...)...))
	root.set("login", part(pair{"store", text(string(c.Logins.Store))}))
	root.set("audit", part(pair{"file", text(c.Audit.File)}, pair{"size", number(c.Audit.Size)}, pair{"keep", number(c.Audit.Keep)}))
}
