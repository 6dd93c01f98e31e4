package upstream_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

func init() { roles["as-unlucky"] = beUnlucky }

// beUnlucky calls a server that ends at once, again and again for a minute, and
// says how much of a processor that took, its servers included.
func beUnlucky() error {
	var spec upstream.Spec
	if err := json.Unmarshal([]byte(os.Args[2]), &spec); err != nil {
		return err
	}
	pool, err := upstream.NewPool(nil)
	if err != nil {
		return err
	}
	if err := pool.Apply([]upstream.Spec{spec}); err != nil {
		return err
	}
	before, began := used(), time.Now()
	(&rig{Pool: pool}).demand(spec.Name, time.Minute)
	fmt.Println(float64(used()-before) / float64(time.Since(began)))
	return nil
}

// used is the processor time of this process and of those it collected.
func used() time.Duration {
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += u.Utime.Nano() + u.Stime.Nano()
		}
	}
	return time.Duration(sum)
}

// F02: a server that fails costs next to nothing.
func TestF02FailingServerCostsLittle(t *testing.T) {
	if !*long {
		t.Skip("takes a minute: run with -long")
	}
	t.Parallel()
	raw, err := json.Marshal(child(t, "a", "exit-now"))
	if err != nil {
		t.Fatal(err)
	}
	command := as(t, "as-unlucky")
	out, err := exec.Command(command[0], command[1], string(raw)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var share float64
	if _, err := fmt.Sscan(string(out), &share); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	t.Logf("%.2f %% of a processor", 100*share)
	if share > 0.02 {
		t.Error("at most 2 %")
	}
}
