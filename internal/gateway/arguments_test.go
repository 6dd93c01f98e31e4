package gateway

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestArguments(t *testing.T) {
	a, problem := readArguments([]byte(`{"luaServerName":"s","max-results":"7","allowSideEffects":"true","tags":"a, b","detailLevel":"FULL","timeout":"1.5","page":2.0,"odd":1,"tool":null}`))
	if problem != nil {
		t.Fatal(problem)
	}
	if got := a.text("server"); got != "s" {
		t.Errorf("server %q", got)
	}
	if got := a.number("max_results"); got != 7 {
		t.Errorf("max_results %d", got)
	}
	if !a.flag("allow_side_effects") || a.flag("dry_run") {
		t.Error("flags")
	}
	if got := a.words("tags"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("tags %q", got)
	}
	if got := a.choice("detail_level", "brief", "full"); got != "full" {
		t.Errorf("detail_level %q", got)
	}
	if got := a.seconds("timeout"); got != 1500*time.Millisecond {
		t.Errorf("timeout %s", got)
	}
	if got := a.number("page"); got != 2 {
		t.Errorf("page %d", got)
	}
	if a.text("tool") != "" || a.wrong != nil {
		t.Errorf("null is something, or %v", a.wrong)
	}
	if got := a.ignored(); !slices.Equal(got, []string{"odd"}) {
		t.Errorf("ignored %q", got)
	}
}

func TestArgumentsThatCannotBeRead(t *testing.T) {
	for raw, want := range map[string]string{
		`[1]`:                            "must be an object",
		`"x"`:                            "must be an object",
		`{"page":1,"Page":2}`:            "twice",
		`{"page":"many"}`:                `"page" must be a whole number`,
		`{"page":-1}`:                    `"page" must be a whole number`,
		`{"page":1.5}`:                   `"page" must be a whole number`,
		`{"tool":{"a":1}}`:               `"tool" must be a string`,
		`{"tags":[1]}`:                   `"tags" must be a list of strings`,
		`{"allow_side_effects":"maybe"}`: `must be true or false`,
		`{"timeout":"soon"}`:             `a number of seconds`,
		`{"detail_level":"loud"}`:        `must be brief or full`,
	} {
		a, problem := readArguments([]byte(raw))
		if problem == nil {
			useAll(a)
			problem = a.wrong
		}
		if problem == nil || !strings.Contains(problem.Message, want) || problem.Next == "" {
			t.Errorf("%s: %v, want %q", raw, problem, want)
		}
	}
	if a, problem := readArguments([]byte(`"{\"tool\":\"x\"}"`)); problem != nil || a.text("tool") != "x" {
		t.Errorf("an object in a string: %v", problem)
	}
}

func useAll(a *arguments) {
	a.text("tool")
	a.number("page")
	a.words("tags")
	a.flag("allow_side_effects")
	a.seconds("timeout")
	a.choice("detail_level", "brief", "full")
	a.ignored()
}

func FuzzArguments(f *testing.F) {
	f.Add(`{"luaServerName":"s","max-results":"7","tags":["a"]}`)
	f.Add(`{"page":1e400,"tags":"[\"x\"","timeout":1e300}`)
	f.Fuzz(func(t *testing.T, raw string) {
		a, problem := readArguments([]byte(raw))
		if problem != nil {
			if problem.Next == "" {
				t.Fatal("no next step")
			}
			return
		}
		useAll(a)
		if a.wrong != nil && len(a.wrong.Message) > 400 {
			t.Fatalf("%d bytes of message", len(a.wrong.Message))
		}
		if d := a.seconds("timeout"); d < 0 {
			t.Fatalf("timeout %s", d)
		}
	})
}
