package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// S06: no command prints a secret of the configuration, with --json or without, whatever
// its servers do; and none is in the arguments of a process that did not have it there by
// the configuration.
func TestS06CommandsAndArguments(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the servers are shell scripts")
	}
	t.Parallel()
	r := newRunner(t)
	var canaries []string
	next := func() string {
		canaries = append(canaries, fmt.Sprintf("CANARY-%02d-%s", len(canaries), "b00c5e"))
		return canaries[len(canaries)-1]
	}
	secret := filepath.Join(r.dir, "secret.txt")
	if err := os.WriteFile(secret, []byte(next()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, ".env"), []byte("FROM_DOTENV="+next()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := "FROM_ENV=" + next()
	file := r.write(`
login: {store: file}
servers:
  dies:
    command: sh
    args: [-c, 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\000" " " >cmdlines; env >&2; echo "bad token $A" >&2; exit 1']
    cwd: .
    env: {A: "${file:secret.txt}", B: "${FROM_DOTENV}", C: "${env:FROM_ENV}", D: ` + next() + `}
  web: {url: "http://127.0.0.1:9/mcp?key=` + next() + `", headers: {Authorization: Bearer ` + next() + `, X-Api-Key: ` + next() + `}, oauth: {client_id: x, client_secret: ` + next() + `}}
`)
	worst := false
	for _, args := range []string{
		"config show", "config validate", "servers", "refresh", "tools list", "tools search x", "tools call dies.x", "trust", "trust --findings",
		"summary", "doctor", "login web --timeout 1s", "run none.lua", "policy test dies.x",
	} {
		for _, form := range [][]string{nil, {"--json"}} {
			words := append(append(strings.Fields(args), "--config", file), form...)
			cmd := exec.Command("toolcrib", words...)
			cmd.Dir = r.dir
			cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "GORACE="+quickExit, environment)
			out, _ := cmd.CombinedOutput() // most of them fail
			for _, c := range canaries {
				if strings.Contains(string(out), c) {
					t.Errorf("toolcrib %s prints %s:\n%s", strings.Join(words, " "), c, out)
				}
			}
			if strings.Contains(string(out), "unknown flag") {
				t.Errorf("toolcrib %s: %s", strings.Join(words, " "), out)
			}
			worst = worst || strings.Contains(string(out), "bad token ***")
		}
	}
	if !worst {
		t.Error("the server did not do its worst")
	}
	if runtime.GOOS != "linux" {
		return
	}
	lines, err := os.ReadFile(filepath.Join(r.dir, "cmdlines"))
	if err != nil || !strings.Contains(string(lines), "toolcrib") {
		t.Fatalf("%v: %s", err, lines)
	}
	for _, c := range canaries {
		if strings.Contains(string(lines), c) {
			t.Errorf("%s is in the arguments of a process:\n%s", c, lines)
		}
	}
}
