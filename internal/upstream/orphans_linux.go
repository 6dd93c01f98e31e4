package upstream

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// reapOrphans collects processes that became ours because their parent died
// and we are the first process of a container. It returns what ends it.
func (l *launcher) reapOrphans() (stop func()) {
	if os.Getpid() != 1 {
		return func() {}
	}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGCHLD)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range sigs {
			for _, pid := range zombies() {
				if !l.ours(pid) {
					unix.Wait4(pid, nil, unix.WNOHANG, nil) // somebody else's by now: nothing to do
				}
			}
		}
	}()
	return func() {
		signal.Stop(sigs)
		close(sigs)
		<-done
	}
}

// zombies are our children that have ended and wait to be collected.
func zombies() []int {
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	self := strconv.Itoa(os.Getpid())
	var out []int
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + d.Name() + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state ppid ...; the name may hold anything.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 1 && fields[0] == "Z" && fields[1] == self {
			out = append(out, pid)
		}
	}
	return out
}
