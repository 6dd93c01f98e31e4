package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A report is a judged run.
type report struct {
	run      planned
	got      outcomes
	took     time.Duration
	scored   int
	passed   []string
	listed   []string // crossed: failed as the document says
	problems []problem
	notes    []string // unscored scenarios that fail: information
}

// A problem fails the run.
type problem struct {
	scenario string
	what     string
	checks   []check
}

// judge says what is right and wrong about a run. earlier holds the direct runs.
func judge(r planned, raw *raw, earlier []*report, listed lists) *report {
	rep := &report{run: r, got: raw.got, took: raw.took, scored: len(raw.scored)}
	for _, name := range raw.scored {
		checks, ran := raw.got[name]
		bad := failed(checks)
		reason, isListed := listed[r.list][name]
		switch {
		case !ran || len(checks) == 0:
			rep.problems = append(rep.problems, problem{scenario: name, what: "did not run"})
		case len(bad) == 0 && isListed && r.kind == crossed:
			rep.problems = append(rep.problems, problem{scenario: name, what: "passes, but the document lists it (" + reason + "): remove the row"})
		case len(bad) == 0:
			rep.passed = append(rep.passed, name)
		case isListed && r.kind == crossed:
			rep.listed = append(rep.listed, name)
		default:
			rep.problems = append(rep.problems, problem{scenario: name, what: "fails", checks: bad})
		}
	}
	if r.kind == straight {
		for _, b := range earlier {
			if b.run.kind == direct && b.run.name == r.baseline && b.run.revision == r.revision {
				rep.compare(b.got)
			}
		}
	}
	rep.note(raw)
	return rep
}

// compare finds what works directly and not through the gateway, check by check
// and in scenarios that nobody scores, too.
func (rep *report) compare(baseline outcomes) {
	for name, checks := range baseline {
		if rep.isProblem(name) {
			continue
		}
		through := worst(rep.got[name])
		var lost []check
		for id, status := range worst(checks) {
			now := through[id]
			if status != success || now == success || excused(rep.got[name], id) {
				continue
			}
			if now == "" {
				now = "not reached"
			}
			lost = append(lost, check{ID: id, Status: now, Message: message(rep.got[name], id)})
		}
		if len(lost) > 0 {
			slices.SortFunc(lost, func(a, b check) int { return strings.Compare(a.ID, b.ID) })
			rep.passed = slices.DeleteFunc(rep.passed, func(s string) bool { return s == name })
			rep.problems = append(rep.problems, problem{scenario: name, what: "passes directly, not through the gateway", checks: lost})
		}
	}
	slices.SortFunc(rep.problems, func(a, b problem) int { return strings.Compare(a.scenario, b.scenario) })
}

func (rep *report) isProblem(scenario string) bool {
	return slices.ContainsFunc(rep.problems, func(p problem) bool { return p.scenario == scenario })
}

// excused says whether the suite itself calls a check not applicable: it gave it
// as information, or said in the scenario why it left it out. Both happen where
// the gateway answers in JSON and the server with a stream of one message.
func excused(checks []check, id string) bool {
	for _, c := range checks {
		if c.Status != information {
			continue
		}
		var d struct{ Message string }
		if c.ID == id || json.Unmarshal(c.Details, &d) == nil && strings.Contains(d.Message, "not applicable") {
			return true
		}
	}
	return false
}

// worst is the status of each check id; an id may occur often.
func worst(checks []check) map[string]string {
	rank := map[string]int{failure: 4, "WARNING": 3, "SKIPPED": 2, success: 1}
	all := map[string]string{}
	for _, c := range checks {
		if rank[c.Status] > rank[all[c.ID]] {
			all[c.ID] = c.Status
		}
	}
	return all
}

func message(checks []check, id string) string {
	for _, c := range checks {
		if c.ID == id && c.Status != success {
			return c.Message
		}
	}
	return ""
}

// note remembers what fails without being scored.
func (rep *report) note(raw *raw) {
	for name, checks := range raw.got {
		if bad := failed(checks); len(bad) > 0 && !slices.Contains(raw.scored, name) && !rep.isProblem(name) {
			rep.notes = append(rep.notes, fmt.Sprintf("%s (%d checks)", name, len(bad)))
		}
	}
	slices.Sort(rep.notes)
}
