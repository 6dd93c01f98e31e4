package config

import (
	"testing"
	"time"
)

// Whatever a file holds, reading it ends, soon, in a Config or in an error that
// names the file, and a Config that comes out is one that can be used.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		fullYAML, fullJSON, Example, "", "\ufeff{}", "a: &a [*a]", "<<: {}", "? a\n: b", "- - - x", "{a: {b: {c: [", "---\n...\n",
		"servers: {a: {command: x, env: {<<: [{A: 1}]}}}", "a: !!binary x", "a: |2-\n  x", "%YAML 1.2\n---\na: 1", "\"\\ud800\": 1",
		"/* */ {\"servers\": {\"a\": {\"url\": \"http://[::1\"}}}",
	} {
		f.Add(src, false)
		f.Add(src, true)
	}
	f.Fuzz(func(t *testing.T, src string, asJSON bool) {
		file := "fuzz.yaml"
		if asJSON {
			file = "fuzz.json"
		}
		start := time.Now()
		c, err := Parse(file, []byte(src))
		if d := time.Since(start); d > 5*time.Second && len(src) < 1<<16 {
			t.Errorf("took %s for %d bytes", d, len(src))
		}
		if err != nil {
			if !IsError(err) || len(err.Error()) < len(file) || err.Error()[:len(file)] != file {
				t.Errorf("error %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range c.Servers {
			if seen[s.Name] || !validName(s.Name) || (s.Type == Stdio) != (s.Command != "") || (s.Type != Stdio) != (s.URL != "") {
				t.Errorf("accepted %+v", s)
			}
			seen[s.Name] = true
		}
	})
}

// A file of many keys is read in time that grows with its size: the parser's own
// search for doubled keys took 40 s for this one.
func TestLargeMapping(t *testing.T) {
	src := make([]byte, 0, 1<<20)
	src = append(src, "servers:\n  a:\n    command: x\n    env:\n"...)
	for i := range 30_000 {
		src = append(src, "      K"...)
		for n := i; n > 0; n /= 26 {
			src = append(src, byte('a'+n%26))
		}
		src = append(src, ": v\n"...)
	}
	start := time.Now()
	if c := parse(t, "a.yaml", string(src)); len(c.Servers[0].Env) != 30_000 {
		t.Errorf("%d variables", len(c.Servers[0].Env))
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %s", d)
	}
}
