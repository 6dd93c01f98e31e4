package main

import (
	"fmt"
	"os"
	"strings"
)

// children are the processes that pid started and that still run, but for the
// guard that the gateway has for itself.
func children(pid int) []string {
	var out []string
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for child := range strings.FieldsSeq(string(list)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline") // empty once it has ended
			if command := strings.ReplaceAll(strings.TrimRight(string(line), "\x00"), "\x00", " "); command != "" && !strings.Contains(command, "process-guard") {
				out = append(out, command)
			}
		}
	}
	return out
}
