package main

import (
	"fmt"
	"io"
	"sync"
)

// tally counts checks and prints each.
type tally struct {
	out io.Writer

	mu             sync.Mutex
	passed, failed int
}

// check records one check; a nil error is a pass.
func (t *tally) check(name string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		t.passed++
		fmt.Fprintf(t.out, "ok    %s\n", name)
		return
	}
	t.failed++
	fmt.Fprintf(t.out, "FAIL  %s: %v\n", name, err)
}

// skip says what was not looked at, and why.
func (t *tally) skip(name, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.out, "skip  %s: %s\n", name, why)
}
