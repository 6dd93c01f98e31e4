package config

// Tracing is what traces carry besides who did what, and how it ended. Where they
// are sent is for the OTEL_* variables to say.
type Tracing struct {
	Arguments bool // of calls
	Results   bool // of calls
}

func (d *decoder) tracing(n *node) Tracing {
	var out Tracing
	d.fields(n, "tracing", []field{
		{"arguments", func(n *node) { out.Arguments = d.boolean(n, "tracing.arguments") }},
		{"results", func(n *node) { out.Results = d.boolean(n, "tracing.results") }},
	})
	return out
}
