package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestMaskedShowsNoSecret(t *testing.T) {
	const secret = "hunter2hunter2hunter2"
	s := Server{
		Name: "a", Command: "npx", URL: "https://ann:" + secret + "@h.example.com/mcp?api_key=" + secret + "&x=" + secret + "#" + secret,
		Env:     map[string]string{"TOKEN": secret},
		Headers: map[string]string{"Authorization": "Bearer " + secret},
		Args: []string{
			"-y", "--token", secret, "--api-key=" + secret, "API_KEY=" + secret, "-e", "GITHUB_TOKEN=" + secret,
			"--header", "Authorization: Bearer " + secret, "https://h/" + "?k=" + secret, "ghp_" + secret, "sk-" + secret,
			"postgres://ann:" + secret + "@db/x", "Bearer " + secret, "--root", "/srv", "--keyboard", "us",
		},
	}
	shown := fmt.Sprintf("%+v", s.Masked())
	if strings.Contains(shown, secret) {
		t.Errorf("shown: %s", shown)
	}
	for _, kept := range []string{"https://", "h.example.com/mcp", "api_key=***", "/srv", "us", "-y", "--token", "TOKEN:***"} {
		if !strings.Contains(shown, kept) {
			t.Errorf("%s is not shown: %s", kept, shown)
		}
	}
	if s.Env["TOKEN"] != secret || s.Args[2] != secret {
		t.Error("masking changed what it was given")
	}
}
