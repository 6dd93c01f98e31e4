package config

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whoever approves an entry sees what decides what runs, and no secret.
func TestTerms(t *testing.T) {
	s := Server{
		Command: "npx", Args: []string{"-y", "pkg", "--token", "hunter2", "${file:~/.x}"}, Dir: "/srv", EnvFile: "vars.env",
		Env:   map[string]string{"ld_preload": "./evil.so", "API_KEY": "hunter2", "REGION": "eu", "TOKEN": "${env:T} ${keyring:k}", "DSN": "https://u:hunter2@h.example.com/x"},
		OAuth: Login{ClientID: "id", ClientSecret: "hunter2", AllowPrivate: true},
	}
	var lines []string
	for _, term := range append(s.Terms(), Server{URL: "https://h.example.com/mcp?key=hunter2", Headers: map[string]string{"Authorization": "Bearer $TOKEN", "X-Api-Key": "hunter2"}}.Terms()...) {
		lines = append(lines, fmt.Sprintf("%s|%s|%s|%s|%s", term.What, term.Name, term.Text, term.From, term.Caution))
	}
	want := []string{
		"command||npx||", "argument||-y||", "argument||pkg||", "argument||--token||", "argument||***||", "argument||${file:~/.x}|the file ~/.x|", "cwd||/srv||",
		"variable|API_KEY|***||", "variable|DSN|https://***@h.example.com/x||", "variable|REGION|eu||", "variable|TOKEN|${env:T} ${keyring:k}|T of your environment, k of your keyring|",
		"variable|ld_preload|./evil.so||it decides what code is loaded", "variables of||vars.env||", "client||id (may sign in by a private network)||",
		"url||https://h.example.com/mcp?key=***||", "header|Authorization|Bearer $TOKEN|TOKEN of your environment|", "header|X-Api-Key|***||",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	file := write(t, filepath.Join(t.TempDir(), "vars.env"), "NODE_OPTIONS=--require ./x\nPASSWORD=hunter2\n", 0o600)
	if got := fmt.Sprint(TermsOfFile(file)); got != "[{variable NODE_OPTIONS --require ./x  it decides what code is loaded} {variable PASSWORD ***  }]" {
		t.Errorf("%s", got)
	}
	write(t, file, "a token\n", 0o600)
	if got := TermsOfFile(file); got != nil {
		t.Errorf("what is no such file: %v", got)
	}
}
