//go:build unix

package main

import (
	"flag"
	"strings"
	"syscall"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "run the tests that take long")

// A call that does not end and a server that does not want to: the gateway is
// gone in 10 s all the same, and the server with it.
func TestTerminateInTime(t *testing.T) {
	if !*long {
		t.Skip("waits for every grace period; run with -long")
	}
	p := startHTTP(t, strings.ReplaceAll(goodServer, "TOOLCRIB_MCPTEST: good", "TOOLCRIB_MCPTEST: ignore-term"))
	type answer struct {
		body string
		err  error
	}
	called := make(chan answer, 1)
	go func() {
		body, err := p.call("slow", `{"ms":60000}`)
		called <- answer{body, err}
	}()
	p.untilCalled("slow", 1)
	start := time.Now()
	p.signal(syscall.SIGTERM)
	if code := p.exit(15 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("took %s:\n%s", d, p.log.text())
	}
	// It is told so where there is still time to write it, else cut off.
	if a := <-called; a.err == nil && !strings.Contains(a.body, `"error"`) {
		t.Errorf("the call was answered: %s", a.body)
	}
}
