package main

// A kind of run says how it is judged.
type kind int

const (
	direct   kind = iota // only measured: what the server can do without us
	straight             // everything has to pass, and nothing less than directly
	crossed              // all but the listed scenarios have to pass
	client               // everything has to pass
)

const (
	modernRevision = "2026-07-28"
	legacyRevision = "2025-11-25"
)

// A planned run is one requirement set against one endpoint.
type planned struct {
	name     string // gateways of the same name are one process
	kind     kind
	revision string
	scored   int    // how many scenarios the revision requires; a changed suite must not pass unnoticed
	upstream string // stdio, modern-http or legacy-http
	era      string // what the gateway is told of the upstream; "" lets it find out
	sessions string // how agents share the upstream; "" is the default
	baseline string // straight: the direct run to compare with
	list     string // crossed: the list in the document
}

// plan is all runs, in order. The direct ones come first.
func plan() []planned {
	const modernScenarios, legacyScenarios = 37, 30
	return []planned{
		{name: "direct, modern HTTP", kind: direct, revision: modernRevision, scored: modernScenarios, upstream: "modern-http"},
		{name: "direct, legacy HTTP", kind: direct, revision: legacyRevision, scored: legacyScenarios, upstream: "legacy-http"},

		{name: "stdio", kind: straight, revision: modernRevision, scored: modernScenarios, upstream: "stdio", baseline: "direct, modern HTTP"},
		{name: "stdio", kind: straight, revision: legacyRevision, scored: legacyScenarios, upstream: "stdio", baseline: "direct, legacy HTTP"},
		{name: "modern HTTP", kind: straight, revision: modernRevision, scored: modernScenarios, upstream: "modern-http", baseline: "direct, modern HTTP"},
		{name: "legacy HTTP", kind: straight, revision: legacyRevision, scored: legacyScenarios, upstream: "legacy-http", baseline: "direct, legacy HTTP"},

		{name: "crossed, modern-only HTTP", kind: crossed, revision: legacyRevision, scored: legacyScenarios, upstream: "modern-http", era: "modern", list: "legacy-on-modern"},
		{name: "crossed, modern-only stdio", kind: crossed, revision: legacyRevision, scored: legacyScenarios, upstream: "stdio", era: "modern", list: "legacy-on-modern"},
		{name: "crossed, legacy-only stdio", kind: crossed, revision: modernRevision, scored: modernScenarios, upstream: "stdio", era: "legacy", sessions: "per_agent", list: "modern-on-legacy-stdio"},
		{name: "crossed, legacy-only HTTP", kind: crossed, revision: modernRevision, scored: modernScenarios, upstream: "legacy-http", era: "legacy", sessions: "per_agent", list: "modern-on-legacy-http"},

		{name: "client", kind: client, revision: modernRevision, scored: 32},
		{name: "client", kind: client, revision: legacyRevision, scored: 18},
	}
}
