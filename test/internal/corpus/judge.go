package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// A discovery is what the binary printed, as far as it is judged.
type discovery struct {
	Rung  string
	Tools []struct {
		Name, Provenance string
		Callable         bool
	}
	Failure *struct {
		Kind, Reason, Next string
		Variables          []string
	}
	Raw struct{ Stdout, Stderr string }
}

// judge holds a discovery against what is known of the server, and says what it
// found.
func (t Trial) judge(d discovery) (found string, err error) {
	if t.Bare {
		return t.judgeBare(d)
	}
	want, err := t.Tools()
	if err != nil {
		return "", err
	}
	var names []string
	for _, tool := range d.Tools {
		if tool.Provenance != "protocol" || !tool.Callable {
			return "", fmt.Errorf("tool %s is %s, callable %t", tool.Name, tool.Provenance, tool.Callable)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	switch {
	case d.Failure != nil:
		return "", fmt.Errorf("failed: %s", d.Failure.Reason)
	case d.Rung != "protocol":
		return "", fmt.Errorf("answered by rung %s", d.Rung)
	case !slices.Equal(names, want):
		return "", fmt.Errorf("found %q, recorded are %q", names, want)
	}
	return fmt.Sprintf("%d tools", len(names)), nil
}

// judgeBare wants the variables named, and no tool that could be called or that
// the server does not have.
func (t Trial) judgeBare(d discovery) (found string, err error) {
	if d.Failure == nil {
		return "", fmt.Errorf("did not fail: %d tools by rung %s", len(d.Tools), d.Rung)
	}
	known, err := t.Tools()
	if err != nil {
		return "", err
	}
	for _, tool := range d.Tools {
		if tool.Callable || tool.Provenance == "protocol" || !slices.Contains(known, tool.Name) {
			return "", fmt.Errorf("a server that failed has tool %s, %s, callable %t", tool.Name, tool.Provenance, tool.Callable)
		}
	}
	for _, name := range t.Asks {
		if !slices.Contains(d.Failure.Variables, name) || !strings.Contains(d.Failure.Reason, name) {
			return "", fmt.Errorf("%s is not named: variables %q, reason %q", name, d.Failure.Variables, d.Failure.Reason)
		}
		if strings.Contains(d.Raw.Stdout, name) || !strings.Contains(d.Raw.Stderr, name) {
			return "", fmt.Errorf("the server no longer names %s on stderr alone: choose another", name)
		}
	}
	if d.Failure.Next == "" {
		return "", fmt.Errorf("no next step: %q", d.Failure.Reason)
	}
	found = "needs " + strings.Join(d.Failure.Variables, ", ")
	if len(d.Tools) > 0 {
		found += fmt.Sprintf("; %d tools named on %s", len(d.Tools), d.Rung)
	}
	return found, nil
}
