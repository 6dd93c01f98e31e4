package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What is installed is what was recorded.
func TestRecordsFitTheInstalledVersions(t *testing.T) {
	records, err := readRecords(recorded)
	if err != nil {
		t.Fatal(err)
	}
	all, few := pinned(t, "corpus"), pinned(t, "e2e")
	seen := map[string]bool{}
	for _, s := range servers {
		r := records[s.Name]
		if all[s.Package] != r.Version || s.Package != r.Package {
			t.Errorf("%s: %s %q is installed, %s %q was recorded", s.Name, s.Package, all[s.Package], r.Package, r.Version)
		}
		if len(r.Tools) == 0 || seen[s.Name] {
			t.Errorf("%s has %d recorded tools; it is there twice: %t", s.Name, len(r.Tools), seen[s.Name])
		}
		if !slices.IsSorted(r.Tools) || len(slices.Compact(slices.Clone(r.Tools))) != len(r.Tools) {
			t.Errorf("%s: its recorded tools are not sorted, or one is there twice", s.Name)
		}
		seen[s.Name] = true
	}
	if len(records) != len(servers) {
		t.Errorf("%d records of %d servers", len(records), len(servers))
	}
	for _, s := range Few() {
		if few[s.Package] != all[s.Package] {
			t.Errorf("%s: e2e installs %q, corpus %q", s.Name, few[s.Package], all[s.Package])
		}
	}
}

// pinned are the packages that one of the runs installs, with their versions.
func pinned(t *testing.T, run string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", run, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Dependencies map[string]string }
	if err := json.Unmarshal(b, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Dependencies
}

// A trial fails when what was found is not what is known.
func TestJudge(t *testing.T) {
	s := servers[slices.IndexFunc(servers, func(s Server) bool { return s.Name == "ref-slack" })]
	names, err := s.Tools()
	if err != nil {
		t.Fatal(err)
	}
	listed := func(provenance string, callable bool, names ...string) string {
		d := map[string]any{"rung": "protocol"}
		tools := []any{}
		for _, n := range names {
			tools = append(tools, map[string]any{"name": n, "provenance": provenance, "callable": callable})
		}
		d["tools"] = tools
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const (
		failed = `{"rung":"none","failure":{"reason":"it asks for SLACK_BOT_TOKEN and SLACK_TEAM_ID","next":"set them","variables":["SLACK_BOT_TOKEN","SLACK_TEAM_ID"]},"raw":{"stderr":"set SLACK_BOT_TOKEN, SLACK_TEAM_ID"}`
		half   = `{"rung":"none","failure":{"reason":"it asks for SLACK_BOT_TOKEN","next":"set it","variables":["SLACK_BOT_TOKEN"]},"raw":{"stderr":"set SLACK_BOT_TOKEN, SLACK_TEAM_ID"}}`
	)
	for name, test := range map[string]struct {
		bare    bool
		printed string
		ok      bool
	}{
		"all":               {false, listed("protocol", true, names...), true},
		"one less":          {false, listed("protocol", true, names[1:]...), false},
		"one more":          {false, listed("protocol", true, append(slices.Clone(names), "x")...), false},
		"parsed":            {false, listed("parsed", false, names...), false},
		"failed":            {false, failed + `}`, false},
		"needs":             {true, failed + `}`, true},
		"needs, and names":  {true, failed + `,"tools":[{"name":"` + names[0] + `","provenance":"parsed"}]}`, true},
		"an invented tool":  {true, failed + `,"tools":[{"name":"x","provenance":"parsed"}]}`, false},
		"a callable tool":   {true, failed + `,"tools":[{"name":"` + names[0] + `","provenance":"parsed","callable":true}]}`, false},
		"one of two named":  {true, half, false},
		"works without any": {true, listed("protocol", true, names...), false},
	} {
		var d discovery
		if err := json.Unmarshal([]byte(test.printed), &d); err != nil {
			t.Fatal(err)
		}
		if found, err := (Trial{s, test.bare}).judge(d); (err == nil) != test.ok {
			t.Errorf("%s: found %q, %v", name, found, err)
		}
	}
}
