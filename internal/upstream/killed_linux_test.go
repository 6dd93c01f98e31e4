package upstream_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
)

func init() { roles["as-gateway"] = beGateway }

const gatewayServers = 20

// beGateway runs servers with children of their own, says which processes they
// all are, and waits to be killed.
func beGateway() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	pool, err := upstream.NewPool(&upstream.Options{Guard: []string{self, "as-guard"}})
	if err != nil {
		return err
	}
	var specs []upstream.Spec
	if err := json.Unmarshal([]byte(os.Args[2]), &specs); err != nil {
		return err
	}
	if err := pool.Apply(specs); err != nil {
		return err
	}
	r := &rig{Pool: pool}
	var mu sync.Mutex
	var pids []int
	var all sync.WaitGroup
	failed := make(chan error, len(specs))
	for _, s := range specs {
		all.Go(func() {
			own, err := r.tool(s.Name, "pid", `{}`)
			if err != nil {
				failed <- err
				return
			}
			theirs, err := r.tool(s.Name, "children", `{}`)
			if err != nil {
				failed <- err
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, pid := range append(theirs["pids"].([]any), own["pid"]) {
				pids = append(pids, int(pid.(float64)))
			}
		})
	}
	all.Wait()
	if len(failed) > 0 {
		pool.Close(context.Background())
		return <-failed
	}
	if err := json.NewEncoder(os.Stdout).Encode(pids); err != nil {
		return err
	}
	select {}
}

// F04: nothing that we started outlives us, however we end.
func TestF04KilledGatewayLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	var specs []upstream.Spec
	for i := range gatewayServers {
		command, args, env := mcptest.Command(t, "forks", "n=1")
		specs = append(specs, upstream.Spec{Name: fmt.Sprint("s", i), Command: command, Args: args, Env: env})
	}
	raw, err := json.Marshal(specs)
	if err != nil {
		t.Fatal(err)
	}
	command := as(t, "as-gateway")
	cmd := exec.Command(command[0], command[1], string(raw))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	guard := childrenOf(t, cmd.Process.Pid)
	cmd.Process.Kill()
	cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	if err := json.Unmarshal(line, &pids); err != nil {
		t.Fatal(err)
	}
	if len(pids) != 2*gatewayServers || len(guard) != gatewayServers+1 {
		t.Fatalf("%d processes of servers, %d children of the gateway", len(pids), len(guard))
	}
	pids = append(pids, guard...)
	t.Cleanup(func() {
		for _, pid := range pids {
			if t.Failed() && alive(pid) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	untilGone(t, 5*time.Second, pids...)
}
