//go:build !unix

package upstream_test

import "os"

// alive tells whether a process is there and has not ended.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
