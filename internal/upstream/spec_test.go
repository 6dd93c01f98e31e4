package upstream_test

import (
	"strings"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

func TestSpecIsChecked(t *testing.T) {
	for want, spec := range map[string]upstream.Spec{
		"needs a name":                 {Command: "x"},
		"needs a command or a url":     {Name: "a"},
		"a command and a url":          {Name: "a", Command: "x", URL: "http://h"},
		"is stdio and needs a command": {Name: "a", Transport: upstream.Stdio, URL: "http://h"},
		`not "ftp://h"`:                {Name: "a", URL: "ftp://h"},
		`not "http://"`:                {Name: "a", URL: "http://"},
		`unknown type "pipe"`:          {Name: "a", Transport: "pipe", Command: "x"},
		`unknown sessions "mine"`:      {Name: "a", Command: "x", Sharing: "mine"},
	} {
		if err := spec.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", spec, err, want)
		}
	}
}

func TestSpecGetsDefaults(t *testing.T) {
	child := upstream.Spec{Name: "a", Command: "x", CallTimeout: time.Second, IdleTimeout: -1}
	remote := upstream.Spec{Name: "b", URL: "https://h/mcp"}
	for _, s := range []*upstream.Spec{&child, &remote} {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if child.Transport != upstream.Stdio || remote.Transport != upstream.HTTP || child.Sharing != upstream.Shared {
		t.Errorf("%+v and %+v", child, remote)
	}
	if child.CallTimeout != time.Second || child.IdleTimeout != -1 {
		t.Errorf("what was given changed: %+v", child)
	}
	if remote.CallTimeout != upstream.DefaultCallTimeout || remote.MaxInFlight != upstream.DefaultMaxInFlight ||
		remote.StartTimeout != upstream.DefaultStartTimeout || remote.ProbeTimeout != upstream.DefaultProbeTimeout ||
		remote.QueueTimeout != upstream.DefaultQueueTimeout || remote.IdleTimeout != upstream.DefaultIdleTimeout {
		t.Errorf("%+v", remote)
	}
}

// Limits are those of the configuration that holds at the moment.
func TestLimitsOfServers(t *testing.T) {
	t.Parallel()
	spec := upstream.Spec{Name: "a", Command: "x", MaxInFlight: 3, QueueTimeout: time.Second, CallTimeout: time.Minute}
	r := newRig(t, nil, spec)
	if l := r.Limit("a"); l.InFlight != 3 || l.Wait != time.Second || r.CallTimeout("a") != time.Minute {
		t.Errorf("limit %+v, timeout %v", l, r.CallTimeout("a"))
	}
	spec.MaxInFlight = 5
	r.apply(spec)
	if l := r.Limit("a"); l.InFlight != 5 {
		t.Errorf("limit %+v after a change", l)
	}
	if l := r.Limit("none"); l.InFlight != 0 || r.CallTimeout("none") != 0 {
		t.Errorf("limit %+v of no server", l)
	}
}
