package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suiteAt is the installed conformance suite.
type suiteAt struct {
	node, dir string
	scenario  string // "" for whole requirement sets
}

// A check is one assertion of a scenario.
type check struct {
	ID      string          `json:"id"`
	Status  string          `json:"status"` // SUCCESS, FAILURE, WARNING, SKIPPED, INFO
	Message string          `json:"errorMessage"`
	Details json.RawMessage `json:"details"`
}

const (
	success     = "SUCCESS"
	failure     = "FAILURE"
	information = "INFO"
)

// outcomes are the checks of every scenario that ran.
type outcomes map[string][]check

// run runs the suite with its results in dir. args name the leg and the peer,
// such as server --url URL.
func (s suiteAt) run(ctx context.Context, leg, revision, dir string, args ...string) (outcomes, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "suite.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	results := filepath.Join(dir, "results")
	args = append([]string{filepath.Join(s.dir, "dist", "index.js"), leg, "-o", results}, args...)
	if s.scenario != "" {
		args = append(args, "--scenario", s.scenario, "--spec-version", revision)
	} else {
		args = append(args, "--requirements", revision)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.node, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return nil, fmt.Errorf("run the suite: %w; see %s", errors.Join(err, ctx.Err()), log.Name())
	}
	got, err := readOutcomes(results, leg)
	if err == nil && len(got) == 0 {
		err = fmt.Errorf("the suite left no results; see %s", log.Name())
	}
	return got, err
}

// stamp is what the suite appends to the name of a scenario's folder.
var stamp = regexp.MustCompile(`-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// readOutcomes reads the checks.json of every scenario. A scenario that threw
// left a folder without one.
func readOutcomes(dir, leg string) (outcomes, error) {
	got := outcomes{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || !stamp.MatchString(d.Name()) {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := stamp.ReplaceAllString(filepath.ToSlash(rel), "")
		if leg == "server" {
			name = strings.TrimPrefix(name, "server-")
		}
		f, err := os.Open(filepath.Join(path, "checks.json"))
		if errors.Is(err, fs.ErrNotExist) {
			got[name] = []check{{ID: "scenario", Status: failure, Message: "the scenario broke off; see suite.log"}}
			return fs.SkipDir
		}
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		var checks []check
		if err := json.Unmarshal(b, &checks); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		got[name] = checks
		return fs.SkipDir
	})
	return got, err
}

// scored lists what a revision requires of a leg, in the suite's order.
func (s suiteAt) scored(leg, revision string) ([]string, error) {
	if s.scenario != "" {
		return []string{s.scenario}, nil
	}
	b, err := os.ReadFile(filepath.Join(s.dir, "requirements", revision+".yaml"))
	if err != nil {
		return nil, err
	}
	var names []string
	inside := false
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "  - "); ok && inside {
			names = append(names, strings.TrimSpace(name))
		} else if line != "" && line[0] != ' ' && line[0] != '#' {
			inside = line == leg+":"
		}
	}
	return names, nil
}

// failed are the checks of a scenario that decide against it.
func failed(checks []check) []check {
	return slices.DeleteFunc(slices.Clone(checks), func(c check) bool { return c.Status != failure })
}
