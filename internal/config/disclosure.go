package config

// Disclosure is what agents see, and how much of it.
type Disclosure struct {
	Surface      Surface
	AutoTokens   int       // of the surface auto: what all definitions may take to be shown as they are
	FirstCall    FirstCall // what comes with a caller's first call
	MaxResult    int       // characters of a result that is handed on in one piece
	Essential    []string  // words of the tools that the summary names; nil is the default
	CallerHeader string    // HTTP header that tells one conversation from another
}

// Surface is the set of tools that agents see. The empty value is Standard.
type Surface string

// The surfaces.
const (
	Standard    Surface = "standard"    // tools to find, read and call all others
	Lean        Surface = "lean"        // the four of them that are enough
	Passthrough Surface = "passthrough" // every tool of every server, one to one
	Auto        Surface = "auto"        // Passthrough while that is small, else Standard
)

// FirstCall is what comes with a caller's first call. The empty value is
// FirstCallBrief.
type FirstCall string

// What may come with it.
const (
	FirstCallBrief FirstCall = "brief" // kinds of tools, and some of each
	FirstCallFull  FirstCall = "full"  // every tool
	FirstCallOff   FirstCall = "off"
)

func (d *decoder) disclosure(n *node) Disclosure {
	var out Disclosure
	d.fields(n, "disclosure", []field{
		{"surface", func(n *node) {
			out.Surface = Surface(d.oneOf(n, "disclosure.surface", "standard", "lean", "passthrough", "auto"))
		}},
		{"auto_tokens", func(n *node) { out.AutoTokens = d.integer(n, "disclosure.auto_tokens", 1, 10_000_000) }},
		{"first_call", func(n *node) {
			out.FirstCall = FirstCall(d.oneOf(n, "disclosure.first_call", "brief", "full", "off"))
		}},
		{"max_result", func(n *node) { out.MaxResult = d.integer(n, "disclosure.max_result", 1000, 100_000_000) }},
		{"essential", func(n *node) {
			if out.Essential = d.texts(n, "disclosure.essential"); out.Essential == nil {
				out.Essential = []string{} // none, and not the default
			}
		}},
		{"caller_header", func(n *node) { out.CallerHeader = d.text(n, "disclosure.caller_header") }},
	})
	return out
}
