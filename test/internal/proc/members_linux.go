package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// members lists the living processes of a group.
func members(group int) []int {
	var pids []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it ended while we looked
		}
		// The name in parentheses may hold anything; the state follows the last one.
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if len(fields) < 3 || string(fields[0]) == "Z" || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
