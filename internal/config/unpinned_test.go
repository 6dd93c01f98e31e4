package config

import (
	"strings"
	"testing"
)

// S22: whatever fetches a program by its name alone is told of, with what to write.
func TestS22UnpinnedPrograms(t *testing.T) {
	for line, want := range map[string]string{
		"npx -y pkg":                                  "pkg@VERSION",
		"npx --yes @scope/pkg@latest /srv":            "@scope/pkg@VERSION",
		"/usr/bin/npx -y @scope/pkg":                  "@scope/pkg@VERSION",
		"npx.cmd pkg@^1.2.3":                          "pkg@VERSION",
		"npx -p pkg bin":                              "pkg@VERSION",
		"npx --package=pkg bin":                       "pkg@VERSION",
		"bunx pkg":                                    "pkg@VERSION",
		"bun x pkg":                                   "pkg@VERSION",
		"pnpm dlx pkg":                                "pkg@VERSION",
		"yarn dlx pkg":                                "pkg@VERSION",
		"npm exec -y pkg":                             "pkg@VERSION",
		"uvx mcp-server-git":                          "mcp-server-git@VERSION",
		"uvx --from mcp-server-git bin":               "mcp-server-git@VERSION",
		"uvx pkg>=1.0":                                "pkg@VERSION",
		"uv tool run pkg@latest":                      "pkg@VERSION",
		"pipx run pkg":                                "pkg==VERSION",
		"docker run -i --rm -e TOKEN mcp/github":      "mcp/github:TAG, or better mcp/github@sha256:DIGEST",
		"docker run -i --rm --name x mcp/git:latest":  "mcp/git:TAG, or better mcp/git@sha256:DIGEST",
		"podman run -it -v /a:/b localhost:5000/img":  "localhost:5000/img:TAG, or better localhost:5000/img@sha256:DIGEST",
		"docker run --env=A=b --network host img cmd": "img:TAG, or better img@sha256:DIGEST",

		"npx -y pkg@1.2.3":                        "",
		"npx -y @scope/pkg@2026.1.14":             "",
		"npx ./local":                             "",
		"npx -y https://example.com/x.tgz":        "",
		"uvx pkg==1.2.3":                          "",
		"uvx pkg@1.2.3":                           "",
		"uvx --from git+https://example.com/x y":  "",
		"docker run -i --rm mcp/github:1.2":       "",
		"docker run img@sha256:abc":               "",
		"docker run":                              "",
		"docker run -i $IMAGE":                    "",
		"docker ps":                               "",
		"npx":                                     "",
		"node server.js":                          "",
		"pnpm start":                              "",
		"python -m uvx pkg":                       "",
		"docker run -e A -e B=c -p 1:2 img:3 npx": "",
	} {
		words := strings.Fields(line)
		got := Server{Name: "s", Command: words[0], Args: words[1:]}.Unpinned()
		if want == "" && got != "" || want != "" && !strings.Contains(got, "without a version, so that each start may run something else: write "+want+", the version") {
			t.Errorf("%s: %q", line, got)
		}
	}
	c, err := Parse("a.yaml", []byte("servers:\n  a: {command: npx, args: [-y, pkg]}\n  b: {command: npx, args: [-y, pkg], disabled: true}\n"))
	if err != nil || len(c.Advice) != 1 || c.Advice[0].Error() != "a.yaml:2:3: server a runs npx pkg without a version, so that each start may run something else: write pkg@VERSION, the version that you have looked at" {
		t.Errorf("%v, %v", c.Advice, err)
	}
}
