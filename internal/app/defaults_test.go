package app

import (
	"fmt"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/discovery"
	"toolcrib/internal/gateway"
	"toolcrib/internal/guard"
	"toolcrib/internal/probe"
	"toolcrib/internal/script"
	"toolcrib/internal/upstream"
)

// What is printed as a default is what holds.
func TestDefaultsAreThoseThatHold(t *testing.T) {
	want := map[string]any{
		"servers.*.disabled":      false,
		"servers.*.era":           config.EraAuto,
		"servers.*.sessions":      upstream.Shared,
		"servers.*.max_in_flight": upstream.DefaultMaxInFlight,
		"servers.*.start_timeout": upstream.DefaultStartTimeout,
		"servers.*.probe_timeout": upstream.DefaultProbeTimeout,
		"servers.*.call_timeout":  upstream.DefaultCallTimeout,
		"servers.*.queue_timeout": upstream.DefaultQueueTimeout,
		"servers.*.idle_timeout":  upstream.DefaultIdleTimeout,
		"disclosure.surface":      config.Standard,
		"disclosure.auto_tokens":  gateway.DefaultAutoTokens,
		"disclosure.first_call":   config.FirstCallBrief,
		"disclosure.max_result":   defaultMaxResult,
		"discovery.ttl":           discovery.DefaultTTL,
		"discovery.parallel":      discovery.DefaultParallel,
		"discovery.timeout":       probe.DefaultTimeout,
		"discovery.probe":         true,
		"discovery.cache":         true,
		"http.auth":               config.AuthToken,
		"http.page":               string(config.PageRead),

		"scripts.*.parameters.*.required": false,

		"trust.pins":      guard.PinsOn,
		"trust.new_tools": config.NewToolsAllow,
		"trust.findings":  config.FindingsFlag,

		"policy.read_only":            false,
		"policy.profiles[].read_only": false,
		"policy.default":              guard.Allow,

		"login.store": config.StoreAuto,

		"audit.size": guard.DefaultAuditSize >> 20,
		"audit.keep": guard.DefaultAuditKeep,

		"search.learn": true,

		"execute.time":          script.Defaults().Wall,
		"execute.work":          script.Defaults().Ticks,
		"execute.memory":        script.Defaults().Memory >> 20,
		"execute.calls":         script.Defaults().Calls,
		"execute.calls_at_once": script.Defaults().InFlight,
		"execute.printed":       script.Defaults().Print >> 10,
		"execute.read_only":     false,

		"tracing.arguments": false,
		"tracing.results":   false,
	}
	for _, d := range config.Defaults() {
		value, ok := want[d.Path]
		if !ok {
			t.Errorf("%s = %s: add where it comes from", d.Path, d.Default)
			continue
		}
		if fmt.Sprint(value) != d.Default {
			t.Errorf("%s is said to be %s and is %v", d.Path, d.Default, value)
		}
		delete(want, d.Path)
	}
	for path := range want {
		t.Errorf("%s has a default that is not told", path)
	}
}
