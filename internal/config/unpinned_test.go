package config

import (
	"strings"
	"testing"
)

// S22: whatever fetches a program by its name alone is told of, with what to write.
func TestS22UnpinnedPrograms(t *testing.T) {
	for line, want := range map[string]string{ // "": nothing to say
		"npx -y notes":                                "notes@VERSION",
		"npx notes":                                   "notes@VERSION",
		"npx -y @scope/notes":                         "@scope/notes@VERSION",
		"npx --yes @scope/notes@latest /srv":          "@scope/notes@VERSION",
		"npx -y notes@next --port 1":                  "notes@VERSION",
		"npx -y notes@^1.2":                           "notes@VERSION",
		"npx --yes --package=notes notes-bin":         "notes@VERSION",
		"npx -p notes notes-bin":                      "notes@VERSION",
		"npx --registry https://r.example.com notes":  "notes@VERSION",
		"npx -y -- notes --flag":                      "notes@VERSION",
		"/usr/local/bin/npx -y notes":                 "notes@VERSION",
		`C:\node\npx.cmd -y notes`:                    "notes@VERSION",
		"cmd /c npx -y notes":                         "notes@VERSION",
		"env npx -y notes":                            "notes@VERSION",
		"bunx notes":                                  "notes@VERSION",
		"bun x notes":                                 "notes@VERSION",
		"pnpm dlx notes":                              "notes@VERSION",
		"yarn dlx notes":                              "notes@VERSION",
		"npm exec -- notes":                           "notes@VERSION",
		"uvx notes":                                   "notes==VERSION",
		"uvx notes[extra]":                            "notes==VERSION",
		"uvx notes>=1":                                "notes==VERSION",
		"uvx notes@latest":                            "notes==VERSION",
		"uvx --from notes serve":                      "notes==VERSION",
		"uvx --python 3.12 notes":                     "notes==VERSION",
		"uv tool run notes":                           "notes==VERSION",
		"pipx run notes":                              "notes==VERSION",
		"docker run -i --rm -e TOKEN mcp/notes":       "mcp/notes:VERSION",
		"docker run -i --rm --name x mcp/git:latest":  "mcp/git:VERSION",
		"podman run -it -v /a:/b localhost:5000/img":  "localhost:5000/img:VERSION",
		"docker run --env=A=b --network host img cmd": "img:VERSION",
		"docker container run -eA=b img":              "img:VERSION",

		"npx -y notes@1.2.3":               "",
		"npx -y @scope/notes@1":            "",
		"npx ./local":                      "",
		"npx github:owner/notes":           "",
		"npx owner/notes":                  "",
		"npx -y https://example.com/x.tgz": "",
		"npx":                              "",
		"npx -y":                           "",
		"npm start":                        "",
		"uv run server.py":                 "",
		"uvx notes==1.2.3":                 "",
		"uvx notes@1.2.3":                  "",
		"uvx --from git+https://example.com/notes notes": "",
		"docker run -i --rm mcp/notes:1.2":               "",
		"docker run img@sha256:abc":                      "",
		"docker run -e A -e B=c -p 1:2 img:3 npx":        "",
		"docker run":           "",
		"docker run -i $IMAGE": "",
		"docker ps":            "",
		"node server.js":       "",
		"env":                  "",
	} {
		words := strings.Fields(line)
		u, loose := Server{Name: "s", Command: words[0], Args: words[1:]}.Unpinned()
		if loose != (want != "") || loose && u.Pinned("") != want {
			t.Errorf("%s: %q, %v; want %q", line, u.Pinned(""), loose, want)
		}
	}
	c, err := Parse("a.yaml", []byte("servers:\n  a: {command: npx, args: [-y, pkg]}\n  b: {command: npx, args: [-y, pkg], disabled: true}\n"))
	if err != nil || len(c.Advice) != 1 || c.Advice[0].Error() != "a.yaml:2:3: server a: npx starts whatever version of pkg is newest on that day: write pkg@VERSION, the one that you have looked at" {
		t.Errorf("%v, %v", c.Advice, err)
	}
}
