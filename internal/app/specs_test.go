package app

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolcrib/internal/config"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

func TestSpecs(t *testing.T) {
	got := specs(config.Config{Servers: []config.Server{
		{
			Name: "a", Type: config.Stdio, Command: "x", Args: []string{"y"}, Env: map[string]string{"A": "1"}, Dir: "/d",
			Era: config.EraLegacy, Sessions: config.SessionsPerAgent, MaxInFlight: 3, StartTimeout: 1, ProbeTimeout: 2,
			CallTimeout: 3, QueueTimeout: 4, IdleTimeout: config.Never,
		},
		{Name: "off", Type: config.Stdio, Command: "x", Disabled: true},
		{Name: "b", Type: config.Streamable, URL: "http://h", Headers: map[string]string{"K": "v"}, Era: config.EraModern},
		{Name: "c", Type: config.SSE, URL: "http://h", Era: config.EraAuto, Sessions: config.SessionsShared},
	}})
	want := []upstream.Spec{
		{
			Name: "a", Transport: upstream.Stdio, Command: "x", Args: []string{"y"}, Env: map[string]string{"A": "1"}, Dir: "/d",
			Era: wire.Legacy, Sharing: upstream.PerAgent, MaxInFlight: 3, StartTimeout: 1, ProbeTimeout: 2,
			CallTimeout: 3, QueueTimeout: 4, IdleTimeout: -1 * time.Nanosecond,
		},
		{Name: "b", Transport: upstream.HTTP, URL: "http://h", Header: map[string]string{"K": "v"}, Era: wire.Modern},
		{Name: "c", Transport: upstream.SSE, URL: "http://h", Sharing: upstream.Shared},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
