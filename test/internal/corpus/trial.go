package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A Trial is one discovery: of a server as it should be started, or without its
// credentials.
type Trial struct {
	Server
	Bare bool
}

// Trials are all there are.
func Trials() []Trial {
	var all []Trial
	for _, s := range servers {
		all = append(all, Trial{s, false})
		if len(s.Asks) > 0 {
			all = append(all, Trial{s, true})
		}
	}
	return all
}

func (t Trial) String() string {
	if t.Bare {
		return t.Name + " without credentials"
	}
	return t.Name
}

// Why is the reason for which the trial is made.
func (t Trial) Why() string {
	if t.Bare {
		return "names what is missing on stderr alone"
	}
	return t.Because
}

// tryLimit is far more than a discovery takes: each way of asking is given
// askLimit, there are two, and a busy machine is slow to start Node.
const (
	tryLimit = 2 * time.Minute
	askLimit = 30 * time.Second
)

// markVariable is in the environment of all processes of a trial.
const markVariable = "TOOLCRIB_CORPUS_TRIAL"

// A Bench is what trials are made with.
type Bench struct {
	Node, Toolcrib string // programs
	Modules        string // folder with the npm packages
}

// Try makes a trial in an empty folder, which its processes are told by. It says
// in a few words what was found.
func (b Bench) Try(ctx context.Context, t Trial, dir string) (found string, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	d, err := b.discover(ctx, t, dir)
	if err == nil {
		found, err = t.judge(d)
	}
	return found, errors.Join(err, waitUntilGone(dir))
}

func (b Bench) discover(ctx context.Context, t Trial, dir string) (discovery, error) {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	args := []string{"discover", "--json", "--log-level", "error", "--timeout", askLimit.String(), "--cwd", dir, "--env", markVariable + "=" + dir}
	if t.Bare {
		args = append(args, "--raw")
	} else {
		for name, value := range t.Env {
			args = append(args, "--env", name+"="+value)
		}
	}
	args = append(append(args, "--", b.Node), t.Arguments(b.Modules, dir)...)
	cmd := exec.CommandContext(ctx, b.Toolcrib, args...)
	// Settings of whoever runs this stay out of it.
	cmd.Env = []string{"PATH=" + filepath.Dir(b.Node) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
	cmd.Dir = dir
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	err := cmd.Run()
	var d discovery
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return d, fmt.Errorf("%w %.300s", errors.Join(err, ctx.Err()), talk.String())
	}
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		return d, fmt.Errorf("printed %.200q: %w %.300s", out.String(), err, talk.String())
	}
	return d, nil
}
