//go:build unix

package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/mcptest"
)

// A person logs in, the server is used, and the person logs out; the stand-in for an
// authorization server finds nothing wrong with it, and no token is printed.
func TestLoginAndLogout(t *testing.T) {
	issuer := mcptest.NewIssuer(t)
	server := mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: issuer})
	r := newRunner(t)
	file := r.write("login: {store: file}\nservers: {notes: {url: " + server.URL + "}, local: {command: mcpserver}}\n")
	if out := r.run(4, "refresh", "--config", file, "notes"); !strings.Contains(out, "wants a login") || !strings.Contains(out, "run toolcrib login notes") {
		t.Errorf("refresh:\n%s", out)
	}
	if out := r.run(0, "servers", "--config", file); !strings.Contains(out, "needs login: wants a login; run toolcrib login notes") {
		t.Errorf("servers:\n%s", out)
	}
	if out := r.run(0, "servers", "--config", file, "--json"); !strings.Contains(out, `"needs_login"`) {
		t.Errorf("servers --json:\n%s", out)
	}
	r.run(1, "login", "--config", file, "local") // a child
	r.run(2, "login", "--config", file, "note")  // nobody
	talk, out := r.login(file)
	if !strings.Contains(out, "Logged in to notes at "+issuer.URL) || !strings.Contains(out, "renewed by itself") {
		t.Errorf("login: %s\n%s", out, talk)
	}
	tools := r.run(0, "refresh", "--config", file, "notes")
	answer := r.run(0, "tools", "call", "--config", file, "notes.echo", "--arg", "text=hello")
	if !strings.Contains(answer, "hello") {
		t.Errorf("call:\n%s", answer)
	}
	gone := r.run(0, "logout", "--config", file, "notes")
	if again := r.run(0, "logout", "--config", file, "notes"); !strings.Contains(gone, "Logged out of notes.") || !strings.Contains(again, "There was no login") {
		t.Errorf("logout:\n%s%s", gone, again)
	}
	if out := r.run(4, "refresh", "--config", file, "notes"); !strings.Contains(out, "run toolcrib login notes") {
		t.Errorf("refresh after the logout:\n%s", out)
	}
	for _, text := range []string{talk, out, tools, answer, gone} {
		if strings.Contains(text, "access-") || strings.Contains(text, "refresh-") {
			t.Errorf("a token was printed:\n%s", text)
		}
	}
	if faults := issuer.Faults(); len(faults) > 0 {
		t.Errorf("we did wrong: %q", faults)
	}
}

// login runs toolcrib login, and opens the address that it prints.
func (r *runner) login(file string) (talk, out string) {
	r.t.Helper()
	cmd := exec.Command("toolcrib", "login", "--config", file, "--no-browser", "notes")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "GORACE="+quickExit)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	defer cmd.Process.Kill()
	var said strings.Builder
	address := ""
	buffer := make([]byte, 4<<10)
	for address == "" {
		n, err := stderr.Read(buffer)
		said.Write(buffer[:n])
		if m := regexp.MustCompile(`(http://\S+/authorize\?\S+)\n`).FindStringSubmatch(said.String()); m != nil {
			address = m[1]
		}
		if err != nil {
			break
		}
	}
	if address == "" {
		r.t.Fatalf("no address was printed:\n%s", said.String())
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(address)
	if err != nil {
		r.t.Fatal(err)
	}
	page, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(page), "go back to the terminal") {
		r.t.Errorf("the page says %q, %v", page, err)
	}
	rest, _ := io.ReadAll(stderr)
	said.Write(rest)
	if err := cmd.Wait(); err != nil {
		r.t.Fatalf("%v\n%s", err, said.String())
	}
	return said.String(), stdout.String()
}
