package upstream

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A guard is a small process beside us that ends our children's groups when we
// are killed and cannot do it ourselves. The kernel ends the children then, on
// Linux, but not what they have started.
type guard struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  *os.File
}

// tellTimeout ends waiting for a guard that does not read: without it servers
// start all the same.
const tellTimeout = time.Second

// startGuard runs command, which has to call Guard. A nil guard does nothing.
func startGuard(command []string) (*guard, error) {
	if len(command) == 0 {
		return nil, nil
	}
	g := &guard{cmd: exec.Command(command[0], command[1:]...)}
	detach(g.cmd)
	out, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to the guard process: %w", err)
	}
	defer out.Close()
	g.cmd.Stdin, g.in = out, in
	if err := g.cmd.Start(); err != nil {
		in.Close()
		return nil, fmt.Errorf("start the guard process: %w", err)
	}
	return g, nil
}

func (g *guard) add(pid int)    { g.tell('+', pid) }
func (g *guard) remove(pid int) { g.tell('-', pid) }

func (g *guard) tell(op byte, pid int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.in.SetWriteDeadline(time.Now().Add(tellTimeout))
	fmt.Fprintf(g.in, "%c%d\n", op, pid) // fails when the guard is dead: there is no other
}

func (g *guard) close() {
	if g == nil {
		return
	}
	g.in.Close()
	defer time.AfterFunc(tellTimeout, func() { g.cmd.Process.Kill() }).Stop()
	g.cmd.Wait()
}

// Guard is the guard process: it reads which groups live from in, and ends
// those that still do when in ends.
func Guard(in io.Reader) {
	signal.Ignore(os.Interrupt) // the terminal's, meant for our parent
	ignoreTermination()
	alive := map[int]bool{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		number, dead := strings.CutPrefix(lines.Text(), "-")
		pid, err := strconv.Atoi(strings.TrimPrefix(number, "+"))
		switch {
		case err != nil || pid <= 1:
		case dead:
			delete(alive, pid)
		default:
			alive[pid] = true
		}
	}
	for pid := range alive {
		killGroup(pid)
	}
}
