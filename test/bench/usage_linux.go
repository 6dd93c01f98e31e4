package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is what a process has used of the CPUs, in all its threads. The
// kernel's CPU clock of a process counts nanoseconds; /proc/PID/stat would count
// hundredths of a second.
func cpuTime(pid int) (time.Duration, error) {
	const schedClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &t); err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// resident is the memory a process holds now and the most it held since
// forgetPeak, in bytes.
func resident(pid int) (now, peak int64) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	field := func(name string) int64 {
		_, rest, found := bytes.Cut(b, []byte("\n"+name+":"))
		if !found {
			return 0
		}
		words := bytes.Fields(rest)
		if len(words) == 0 {
			return 0
		}
		kb, err := strconv.ParseInt(string(words[0]), 10, 64)
		if err != nil {
			return 0
		}
		return kb << 10
	}
	return field("VmRSS"), field("VmHWM")
}

// forgetPeak makes the peak count from now on.
func forgetPeak(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
}
