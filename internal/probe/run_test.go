package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolcrib/internal/catalog"
)

// printing is a launch of a server that prints this.
func printing(stdout, stderr string, err error) Launch {
	return func(context.Context, map[string]string, []byte) ([]byte, []byte, error) {
		return []byte(stdout), []byte(stderr), err
	}
}

const oneTool = `{"tools":[{"name":"get_it","description":"Gets it."}]}`

func TestTheFirstRungThatYieldsToolsWins(t *testing.T) {
	tests := []struct {
		name       string
		options    Options
		rung       Rung
		tools      string
		provenance catalog.Provenance
		confidence float64
		notes      []Note
	}{
		{
			"stdout",
			Options{Launch: printing(oneTool, strings.ReplaceAll(oneTool, "get", "set"), nil), Approved: []string{"cut_it"}},
			OnStdout, "get_it", catalog.Parsed, 0.8,
			[]Note{{OnStdout, "1 named by a tools array"}},
		},
		{
			"stderr",
			Options{Launch: printing("hello", oneTool, nil), Approved: []string{"cut_it"}},
			OnStderr, "get_it", catalog.Parsed, 0.8,
			[]Note{{OnStdout, "5 bytes that name no tool"}, {OnStderr, "1 named by a tools array"}},
		},
		{
			"approved",
			Options{Launch: printing("", "", errors.New("exit status 1")), Approved: []string{"*", "mcp__weather__cut_it", "cut_it"}},
			Approved, "cut_it", catalog.ApprovedName, 0.5,
			[]Note{{OnStdout, "nothing: exit status 1"}, {OnStderr, "nothing"}, {Approved, "1 named by clients' files"}},
		},
		{
			"nothing",
			Options{Launch: printing("", "boom", nil), Approved: []string{"*"}},
			NoRung, "", "", 0,
			[]Note{{OnStdout, "nothing"}, {OnStderr, "4 bytes that name no tool"}, {Approved, "1 entries that name no tool of this server"}, {Predicted, "prediction is not configured"}},
		},
		{
			"no launch",
			Options{Approved: []string{"cut_it"}},
			Approved, "cut_it", catalog.ApprovedName, 0.5,
			[]Note{{OnStdout, "the server cannot be launched a second time"}, {OnStderr, "the server cannot be launched a second time"}, {Approved, "1 named by clients' files"}},
		},
		{
			"remembered rung first",
			Options{Launch: printing(oneTool, "", nil), Approved: []string{"cut_it"}, First: Approved},
			Approved, "cut_it", catalog.ApprovedName, 0.5,
			[]Note{{Approved, "1 named by clients' files"}},
		},
		{
			"remembered rung is empty now",
			Options{Launch: printing(oneTool, "", nil), First: Approved},
			OnStdout, "get_it", catalog.Parsed, 0.8,
			[]Note{{Approved, "no client's file approves a tool of this server"}, {OnStdout, "1 named by a tools array"}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.options.Server.Name = "weather"
			r, err := Run(t.Context(), test.options)
			if err != nil {
				t.Fatal(err)
			}
			if r.Rung != test.rung || joined(t, r.Tools) != test.tools {
				t.Errorf("rung %s found %q, want rung %s and %q", r.Rung, joined(t, r.Tools), test.rung, test.tools)
			}
			for _, f := range r.Tools {
				if f.Provenance != test.provenance || f.Confidence != test.confidence {
					t.Errorf("marked %s with %v, want %s with %v", f.Provenance, f.Confidence, test.provenance, test.confidence)
				}
			}
			if diff := cmp.Diff(test.notes, r.Notes); diff != "" {
				t.Errorf("notes (want, got):\n%s", diff)
			}
		})
	}
}

func TestOneLaunchServesBothStreams(t *testing.T) {
	launches := 0
	launch := func(context.Context, map[string]string, []byte) ([]byte, []byte, error) {
		launches++
		return []byte("out"), []byte("Error: FOO_KEY is not set"), nil
	}
	r, err := Run(t.Context(), Options{Launch: launch, First: OnStderr})
	if err != nil {
		t.Fatal(err)
	}
	if launches != 1 {
		t.Errorf("the server was launched %d times", launches)
	}
	if string(r.Stdout) != "out" || string(r.Stderr) != "Error: FOO_KEY is not set" {
		t.Errorf("raw output %q and %q", r.Stdout, r.Stderr)
	}
	if r.Diagnosis == nil || r.Diagnosis.Kind != MissingSetting {
		t.Errorf("diagnosis %+v", r.Diagnosis)
	}
}

func TestNothingIsTriedAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	launch := func(context.Context, map[string]string, []byte) ([]byte, []byte, error) {
		cancel()
		return nil, nil, ctx.Err()
	}
	r, err := Run(ctx, Options{Server: Identity{Name: "weather"}, Launch: launch, Approved: []string{"cut_it"}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "weather") {
		t.Errorf("error %v", err)
	}
	if len(r.Tools) > 0 || len(r.Notes) != 1 {
		t.Errorf("went on to %v", r.Notes)
	}
}

// A server that never stops is left when the time is over, and what it said
// until then is used.
func TestLaunchHasATimeLimit(t *testing.T) {
	launch := func(ctx context.Context, _ map[string]string, _ []byte) ([]byte, []byte, error) {
		<-ctx.Done()
		return []byte(oneTool), nil, ctx.Err()
	}
	r, err := Run(t.Context(), Options{Launch: launch, Timeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rung != OnStdout || joined(t, r.Tools) != "get_it" {
		t.Errorf("rung %s found %q", r.Rung, joined(t, r.Tools))
	}
}

func TestOutputIsBounded(t *testing.T) {
	r, err := Run(t.Context(), Options{Launch: printing(strings.Repeat(" ", maxText+1), strings.Repeat(" ", maxText+1), nil)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Stdout) != maxText || len(r.Stderr) != maxText {
		t.Errorf("kept %d and %d bytes", len(r.Stdout), len(r.Stderr))
	}
}

// asProcess launches this test's binary as a server of its own. One that hangs
// is ended once it has said what it says.
func asProcess(t *testing.T, act string) Launch {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, env map[string]string, stdin []byte) ([]byte, []byte, error) {
		said, quiet := context.WithCancel(ctx)
		defer quiet()
		cmd := exec.CommandContext(said, self)
		cmd.Env = append(os.Environ(), actVariable+"="+act)
		for name, value := range env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
		if act == "hangs" {
			cmd.Stdout = io.MultiWriter(&stdout, onWrite(quiet))
		}
		cmd.WaitDelay = 10 * time.Second
		err := cmd.Run()
		return stdout.Bytes(), stderr.Bytes(), err
	}
}

type onWrite func()

func (f onWrite) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}

func TestProcesses(t *testing.T) {
	t.Run("obeys", func(t *testing.T) {
		r, err := Run(t.Context(), Options{Launch: asProcess(t, "obeys"), Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if r.Rung != OnStdout || joined(t, r.Tools) != "get_weather" || r.Diagnosis != nil {
			t.Errorf("rung %s found %q; stderr %s", r.Rung, joined(t, r.Tools), r.Stderr)
		}
	})
	t.Run("complains", func(t *testing.T) {
		r, err := Run(t.Context(), Options{Launch: asProcess(t, "complains"), Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		want := &Diagnosis{
			Kind:      MissingSetting,
			Reason:    "it asks for the environment variable WEATHER_API_KEY",
			Next:      "set it under env in the server's entry",
			Variables: []string{"WEATHER_API_KEY"},
			Says:      "Error: WEATHER_API_KEY environment variable is required",
		}
		if diff := cmp.Diff(want, r.Diagnosis); diff != "" || r.Rung != NoRung {
			t.Errorf("rung %s, diagnosis (want, got):\n%s", r.Rung, diff)
		}
	})
	t.Run("hangs", func(t *testing.T) {
		r, err := Run(t.Context(), Options{Launch: asProcess(t, "hangs"), Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if r.Rung != OnStdout || joined(t, r.Tools) != "first_half" {
			t.Errorf("rung %s found %q; stderr %s", r.Rung, joined(t, r.Tools), r.Stderr)
		}
	})
}

func TestRungsAreWrittenAsNames(t *testing.T) {
	for r := NoRung; r <= Predicted; r++ {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Rung
		if err := json.Unmarshal(b, &back); err != nil || back != r {
			t.Errorf("%s was read as %s (%v)", b, back, err)
		}
	}
	var later Rung
	if err := json.Unmarshal([]byte(`"telepathy"`), &later); err != nil || later != NoRung {
		t.Errorf("an unknown rung was read as %s (%v)", later, err)
	}
}
