package upstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

func init() {
	roles["as-first"] = beFirst
	roles["as-recycler"] = recycle
	roles["as-anything"] = func() error { return nil }
}

// inNamespace runs a role as the first process of a namespace of its own, as in
// a container. Where that is not permitted the test is skipped.
func inNamespace(t *testing.T, role string, args ...string) {
	t.Helper()
	for _, how := range [][]string{{"--pid", "--fork", "--mount-proc"}, {"--user", "--map-root-user", "--pid", "--fork", "--mount-proc"}} {
		if exec.Command("unshare", append(how, as(t, "as-anything")...)...).Run() != nil {
			continue
		}
		out, err := exec.Command("unshare", append(append(how, as(t, role)...), args...)...).CombinedOutput()
		if text := string(out); strings.Contains(text, "not permitted here") {
			t.Skip(strings.TrimSpace(text))
		} else if err != nil {
			t.Errorf("%s: %v\n%s", role, err, text)
		}
		return
	}
	t.Skip("unshare cannot make a pid namespace here: run as root, or where user namespaces are allowed")
}

// defunct are our children that have ended and were not collected.
func defunct() (n int, err error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if fields[0] == "Z" && fields[1] == fmt.Sprint(os.Getpid()) {
			n++
		}
	}
	return n, err
}

const (
	orphanServers = 10
	orphansEach   = 20
)

// beFirst is a gateway as the first process. Its servers leave children behind
// that end while their servers run and become ours to collect.
func beFirst() error {
	if os.Getpid() != 1 {
		return fmt.Errorf("this is process %d, not the first", os.Getpid())
	}
	var specs []upstream.Spec
	if err := json.Unmarshal([]byte(os.Args[2]), &specs); err != nil {
		return err
	}
	pool, err := upstream.NewPool(nil)
	if err != nil {
		return err
	}
	if err := pool.Apply(specs); err != nil {
		return err
	}
	r := &rig{Pool: pool}
	for _, s := range specs {
		if _, err := r.tool(s.Name, "echo", `{"text":"x"}`); err != nil {
			return err
		}
	}
	err = wait(patience, func() error {
		for _, s := range r.Status() {
			if n := strings.Count(s.Stderr, "left"); n != orphansEach {
				return fmt.Errorf("%s left %d orphans", s.Name, n)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = wait(2*time.Second, func() error {
		if n, err := defunct(); err != nil || n > 0 {
			return fmt.Errorf("%d processes are defunct, %v", n, err)
		}
		return nil
	})
	pool.Close(context.Background())
	return err
}

// F44: as the first process of a container we collect what others leave to us.
func TestF44FirstProcessCollectsOrphans(t *testing.T) {
	t.Parallel()
	var specs []upstream.Spec
	for i := range orphanServers {
		spec := child(t, fmt.Sprint("s", i), "good")
		script := fmt.Sprintf(`for i in $(seq %d); do (sh -c 'echo left >&2' &); done; sleep 0.2; exec %s`, orphansEach, spec.Command)
		spec.Command, spec.Args = "/bin/sh", []string{"-c", script}
		specs = append(specs, spec)
	}
	raw, err := json.Marshal(specs)
	if err != nil {
		t.Fatal(err)
	}
	inNamespace(t, "as-first", string(raw))
}

// recycle has a stranger get the number of a child that has ended, and then
// ends the child once more.
func recycle() error {
	c, err := upstream.StartChild(upstream.Spec{Name: "a", Command: "sleep", Args: []string{"60"}})
	if err != nil {
		return err
	}
	c.Kill()
	<-c.Exited()
	stranger := exec.Command("sleep", "60")
	stranger.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := os.WriteFile("/proc/sys/kernel/ns_last_pid", fmt.Append(nil, c.Pid()-1), 0); err != nil {
		return fmt.Errorf("choosing process ids is not permitted here: %w", err)
	}
	if err := stranger.Start(); err != nil {
		return err
	}
	if stranger.Process.Pid != c.Pid() {
		return fmt.Errorf("the stranger is %d, the child was %d", stranger.Process.Pid, c.Pid())
	}
	ended := make(chan error, 1)
	go func() { ended <- stranger.Wait() }()
	c.Terminate()
	c.Kill()
	c.Close()
	select {
	case err := <-ended:
		return fmt.Errorf("the stranger was ended: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	if err := syscall.Kill(-c.Pid(), syscall.SIGKILL); err != nil {
		return fmt.Errorf("there was no group to be hit: %w", err)
	}
	if err := <-ended; err == nil {
		return errors.New("the stranger ended by itself")
	}
	return nil
}

// F43: a process that got the number of a child of ours is not ours.
func TestF43StrangerWithAChildsNumber(t *testing.T) {
	t.Parallel()
	inNamespace(t, "as-recycler")
}
