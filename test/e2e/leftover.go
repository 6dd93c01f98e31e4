package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// leftover lists the processes whose command line names the run's folder.
func (w *world) leftover(but map[int]bool) []string {
	var all []string
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || but[pid] {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(b, []byte(w.dir)) {
			continue
		}
		all = append(all, fmt.Sprintf("%d %s", pid, bytes.ReplaceAll(bytes.TrimRight(b, "\x00"), []byte{0}, []byte{' '})))
	}
	return all
}

// waitUntilGone gives processes that are ending a moment.
func (w *world) waitUntilGone(but map[int]bool) error {
	deadline := time.Now().Add(10 * time.Second)
	for {
		left := w.leftover(but)
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("still running: %q", left)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// descendants are the processes below others.
func descendants(of map[int]bool) map[int]bool {
	parents := map[int]int{}
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		pid, err1 := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, err2 := strconv.Atoi(string(fields[1]))
		if err1 == nil && err2 == nil {
			parents[pid] = parent
		}
	}
	all := map[int]bool{}
	for pid := range parents {
		for p := pid; p > 1; p = parents[p] {
			if of[p] && p != pid {
				all[pid] = true
				break
			}
		}
	}
	return all
}

func splitAddr(addr string) (host, port string, err error) { return net.SplitHostPort(addr) }
