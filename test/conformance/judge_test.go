package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func checks(status ...string) []check {
	var all []check
	for i, s := range status {
		all = append(all, check{ID: string(rune('a' + i)), Status: s})
	}
	return all
}

func problemsOf(r *report) map[string]string {
	all := map[string]string{}
	for _, p := range r.problems {
		all[p.scenario] = p.what
	}
	return all
}

func TestJudgeCrossed(t *testing.T) {
	listed := lists{"some": {"known": "a reason", "stale": "a reason", "elsewhere": "a reason"}, "other": {"new": "a reason"}}
	got := judge(planned{kind: crossed, list: "some"}, &raw{
		scored: []string{"fine", "known", "stale", "new", "absent"},
		got: outcomes{
			"fine": checks(success), "known": checks(success, failure), "stale": checks(success),
			"new": checks(failure), "unscored": checks(failure),
		},
	}, nil, listed)
	want := map[string]string{
		"stale":  "passes, but the document lists it (a reason): remove the row",
		"new":    "fails",
		"absent": "did not run",
	}
	if p := problemsOf(got); !reflect.DeepEqual(p, want) {
		t.Errorf("problems %v, want %v", p, want)
	}
	if !reflect.DeepEqual(got.passed, []string{"fine"}) || !reflect.DeepEqual(got.listed, []string{"known"}) {
		t.Errorf("passed %v, listed %v", got.passed, got.listed)
	}
}

func TestStraightRunsIgnoreTheLists(t *testing.T) {
	got := judge(planned{kind: straight}, &raw{scored: []string{"known"}, got: outcomes{"known": checks(failure)}}, nil, lists{"": {"known": "a reason"}})
	if len(got.problems) != 1 {
		t.Errorf("problems %v", got.problems)
	}
}

func TestNothingIsLostThroughTheGateway(t *testing.T) {
	baseline := &report{run: planned{kind: direct, name: "base"}, got: outcomes{
		"same": checks(success), "warned": checks(success, success), "cut": checks(success, success),
		"both": checks(failure), "json": checks(success), "left out": checks(success, success),
	}}
	why := check{ID: "z", Status: information, Details: json.RawMessage(`{"message":"these are not applicable"}`)}
	got := judge(planned{kind: straight, baseline: "base"}, &raw{got: outcomes{
		"same": checks(success), "warned": checks(success, "WARNING"), "cut": checks(success),
		"both": checks(failure), "json": checks(information), "left out": append(checks(success), why),
	}}, []*report{baseline}, nil)
	want := map[string]string{
		"warned": "passes directly, not through the gateway",
		"cut":    "passes directly, not through the gateway",
	}
	if p := problemsOf(got); !reflect.DeepEqual(p, want) {
		t.Errorf("problems %v, want %v", p, want)
	}
}

func TestReadOutcomes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("server-server-stateless-2026-11-15T03-45-40-355Z/checks.json", `[{"id":"x","status":"SUCCESS"}]`)
	write("server-auth/basic-2026-11-15T03-45-40-355Z/checks.json", `[{"id":"y","status":"FAILURE","errorMessage":"no"}]`)
	if err := os.Mkdir(filepath.Join(dir, "server-threw-2026-11-15T03-45-40-355Z"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := readOutcomes(dir, "server")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || len(failed(got["server-stateless"])) != 0 || len(failed(got["auth/basic"])) != 1 || len(failed(got["threw"])) != 1 {
		t.Errorf("got %v", got)
	}
}
