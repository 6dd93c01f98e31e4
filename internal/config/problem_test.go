package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestProblemsNamePositionAndNextStep(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"unknown key", "a.yaml", "servers:\n  a:\n    comand: x\n", `a.yaml:3:5: unknown key "comand" in server a; did you mean "command"?`},
		{"unknown key in JSON", "a.json", "{\"servers\": {\n  \"é\": {\"comand\": \"x\"}}}", `a.json:2:9: unknown key "comand" in server é; did you mean "command"?`},
		{"other case", "a.json", `{"mcpservers": {}}`, `a.json:1:2: unknown key "mcpservers" in the file; did you mean "mcpServers"?`},
		{"other program's word", "a.json", `{"servers": {"a": {"serverUrl": "http://x"}}}`, `a.json:1:20: unknown key "serverUrl" in server a; did you mean "url"?`},
		{"nothing near", "a.yaml", "http:\n  zzz: 1\n", `a.yaml:2:3: unknown key "zzz" in http; known: auth, oauth, tls, allowed_hosts, allowed_origins`},
		{"doubled key", "a.yaml", "servers:\n  a: {command: x}\n  a: {command: y}\n", `a.yaml:3:3: key "a" is already at 2:3: remove one of them`},
		{"doubled key in JSON", "a.json", "{\"http\": {},\n\"http\": {}}", `a.json:2:1: key "http" is already at 1:2: remove one of them`},
		{"escaped doubled key", "a.json", `{"http": {}, "\u0068ttp": {}}`, `a.json:1:14: key "http" is already at 1:2: remove one of them`},
		{"name in both", "a.yaml", "servers:\n  a: {command: x}\nmcpServers:\n  a: {command: y}\n", `a.yaml:4:3: server "a" is already at 2:3: rename or remove one of them`},
		{"bad name", "a.yaml", "servers:\n  \" a\": {command: x}\n", `a.yaml:2:3: " a" cannot be a server's name`},
		{"empty name", "a.json", `{"servers": {"": {"command": "x"}}}`, `a.json:1:14: "" cannot be a server's name`},
		{"long name", "a.yaml", "servers:\n  " + strings.Repeat("n", 65) + ": {command: x}\n", `cannot be a server's name: use 1 to 64`},
		{"control character in a name", "a.json", `{"servers": {"a\u0007": {"command": "x"}}}`, `cannot be a server's name`},
		{"servers as list", "a.yaml", "servers:\n  - a\n", `a.yaml:2:3: servers must be a mapping of names to servers, not a list`},
		{"file is a list", "a.json", `[]`, `a.json:1:1: the file must be a mapping, not a list`},
		{"file is text", "a.yaml", `hello`, `a.yaml:1:1: the file must be a mapping, not text`},
		{"entry is text", "a.yaml", "servers:\n  a: npx\n", `a.yaml:2:6: server a must be a mapping, not text`},
		{"empty entry", "a.yaml", "servers:\n  a:\n", `a.yaml:2:3: server a is empty: it needs a command or a url`},
		{"args as text", "a.yaml", "servers:\n  a: {command: x, args: y}\n", `a.yaml:2:25: args must be a list, not text`},
		{"args of mappings", "a.json", `{"servers": {"a": {"command": "x", "args": [{}]}}}`, `a.json:1:45: an item of args must be text, not a mapping`},
		{"command list", "a.yaml", "servers:\n  a: {command: [x]}\n", `a.yaml:2:16: command must be text, not a list`},
		{"command empty", "a.yaml", "servers:\n  a: {command: ''}\n", `a.yaml:2:16: the command of server a is empty`},
		{"disabled as text", "a.yaml", "servers:\n  a: {command: x, disabled: maybe}\n", `a.yaml:2:29: disabled must be true or false, not text`},
		{"both ways", "a.yaml", "servers:\n  a:\n    command: x\n    url: http://h\n", `a.yaml:4:10: server a has a command and a url: remove one of them`},
		{"no way", "a.yaml", "servers:\n  a: {args: []}\n", `a.yaml:2:3: server a needs a command or a url`},
		{"type against command", "a.yaml", "servers:\n  a: {command: x, type: http}\n", `a.yaml:2:25: server a has a command, so its type is stdio`},
		{"type against url", "a.yaml", "servers:\n  a: {url: http://h, type: stdio}\n", `a.yaml:2:28: server a has a url, so its type is http or sse`},
		{"unknown type", "a.yaml", "servers:\n  a: {command: x, type: pipe}\n", `type must be stdio, http, streamable-http, streamableHttp, sse, not "pipe"`},
		{"url without scheme", "a.yaml", "servers:\n  a: {url: \"example.com/mcp\"}\n", `a.yaml:2:12: the url of server a must start with http:// or https://`},
		{"time without unit", "a.yaml", "servers:\n  a: {command: x, call_timeout: 30}\n", `a.yaml:2:33: call_timeout must be a time such as 30s`},
		{"negative time", "a.yaml", "servers:\n  a: {command: x, call_timeout: -3s}\n", `call_timeout must be a time such as 30s`},
		{"never where it means nothing", "a.yaml", "servers:\n  a: {command: x, call_timeout: never}\n", `call_timeout must be a time such as 30s, 1m30s or 2h, at most`},
		{"number out of range", "a.yaml", "servers:\n  a: {command: x, max_in_flight: 0}\n", `a.yaml:2:34: max_in_flight must be a whole number from 1 to 100000`},
		{"number as text", "a.json", `{"servers": {"a": {"command": "x", "max_in_flight": "8"}}}`, `max_in_flight must be a whole number`},
		{"unknown era", "a.yaml", "servers:\n  a: {command: x, era: old}\n", `era must be auto, modern, legacy, not "old"`},
		{"unknown surface", "a.yaml", "disclosure: {surface: all}\n", `disclosure.surface must be standard, lean, passthrough, auto, not "all"`},
		{"unknown first call", "a.yaml", "disclosure: {first_call: long}\n", `disclosure.first_call must be brief, full, off, not "long"`},
		{"a result that is too short", "a.yaml", "disclosure: {max_result: 10}\n", `disclosure.max_result must be a whole number from 1000 to`},
		{"unknown auth", "a.yaml", "http: {auth: basic}\n", `http.auth must be token, oauth, none, not "basic"`},
		{"bad host", "a.yaml", "http: {allowed_hosts: ['http://x/']}\n", `a.yaml:1:24: "http://x/" is no host`},
		{"bad origin", "a.yaml", "http: {allowed_origins: [app.example.com]}\n", `a.yaml:1:26: "app.example.com" is no origin`},
		{"name of a variable", "a.yaml", "servers:\n  a: {command: x, env: {'A=B': c}}\n", `a.yaml:2:25: "A=B" cannot be a name in env`},
		{"YAML syntax", "a.yaml", "servers:\n  a: [x\n", `a.yaml:2:6: not YAML: `},
		{"YAML tab", "a.yaml", "servers:\n\ta: 1\n", `a.yaml:2:`},
		{"two documents", "a.yaml", "servers: {}\n---\nhttp: {}\n", `a second YAML document`},
		{"alias without anchor", "a.yaml", "servers:\n  a: *x\n", `a.yaml:2:6: no anchor &x stands before this alias`},
		{"alias of itself", "a.yaml", "servers: &s\n  a: *s\n", `a.yaml:2:6: no anchor &s stands before this alias`},
		{"JSON syntax", "a.json", "{\"servers\": {\n  \"é\" 1}}", `a.json:2:7: not JSON: invalid character '1' after object name`},
		{"JSON ends early", "a.json", `{"servers": {`, `the file ends too early`},
		{"JSON word", "a.json", `{"http": {"auth": none}}`, `a.json:1:19: not JSON: no string, number, true, false or null`},
		{"unknown key in TOML", "a.toml", "[servers.a]\ncomand = \"x\"\n", `a.toml:2:1: unknown key "comand" in server a; did you mean "command"?`},
		{"value in TOML", "a.toml", "[servers.\"é\"]\ncommand = \"x\"\nargs = [\"é\", {}]\n", `a.toml:3:14: an item of args must be text, not a mapping`},
		{"doubled key in TOML", "a.toml", "[http]\nauth = \"none\"\nauth = \"none\"\n", `a.toml:3:1: not TOML: `},
		{"doubled table in TOML", "a.toml", "[http]\n[http]\n", `a.toml:2:2: not TOML: `},
		{"TOML syntax", "a.toml", "[servers.a]\nx = \n", `a.toml:2:5: not TOML: `},
		{"TOML word", "a.toml", "[http]\nauth = none\n", `a.toml:2:8: not TOML: `},
		{"too many keys in TOML", "a.toml", strings.Repeat("a=1\n", 30_000), `too many keys`},
		{"a number that is hardly milliseconds", "a.yaml", "servers:\n  a: {command: x, timeout: 60}\n", `60 without a unit would be milliseconds, write 60s or 60ms`},
		{"not UTF-8", "a.yaml", "servers:\n  \xff: 1\n", `a.yaml:2:3: not UTF-8`},
		{"UTF-16", "a.yaml", "\xff\xfes\x00", `a.yaml: is UTF-16: save it as UTF-8`},
		{"empty", "a.yaml", " \n", `a.yaml: is empty; a first configuration could be:`},
		{"only comments", "a.yaml", "# nothing\n", `a.yaml: holds only comments`},
		{"too large", "a.yaml", strings.Repeat("#", MaxSize+1), `a.yaml: is larger than 4 MiB`},
		{"deep brackets", "a.json", strings.Repeat("[", 1<<20), `nested too deep`},
		{"deep dashes", "a.yaml", strings.Repeat("- ", 1<<20), `nested too deep`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.file, []byte(c.src))
			if err == nil {
				t.Fatal("accepted")
			}
			if !IsError(err) {
				t.Errorf("%T is no *Error", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant in it:\n%s", err, c.want)
			}
		})
	}
}

func TestAllProblemsAtOnceWithCarets(t *testing.T) {
	_, err := Parse("a.yaml", []byte("servers:\n  a:\n    comand: x\n    args: 1\nhtp: {}\n"))
	want := `a.yaml:3:5: unknown key "comand" in server a; did you mean "command"?
        comand: x
        ^
a.yaml:4:11: args must be a list, not a number
        args: 1
              ^
a.yaml:5:1: unknown key "htp" in the file; did you mean "http"?
    htp: {}
    ^`
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestManyProblemsAreCut(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	_, err := Parse("a.yaml", []byte(b.String()))
	if err == nil || strings.Count(err.Error(), "unknown key") != mostShown || !strings.Contains(err.Error(), "... and 90 more") {
		t.Errorf("got:\n%v", err)
	}
}

// What stands in env, headers or a url may be secret and must not be repeated.
func TestProblemsDoNotShowSecrets(t *testing.T) {
	const secret = "hunter2"
	for _, src := range []string{
		"servers:\n  a:\n    command: x\n    env: {TOKEN: [hunter2]}\n",
		"servers:\n  a:\n    command: x\n    env: {TOKEN: hunter2, TOKEN: hunter2}\n",
		"servers:\n  a:\n    url: http://h\n    headers:\n      A: hunter2\n      A: hunter2\n",
		"servers:\n  a:\n    url: hunter2\n",
		"servers:\n  a:\n    command: x\n    env: hunter2\n",
	} {
		_, err := Parse("a.yaml", []byte(src))
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestCaret(t *testing.T) {
	for _, c := range []struct {
		src  string
		at   Position
		want string
	}{
		{"a\n\tkéy: x\n", Position{2, 7}, "    \tkéy: x\n    \t     ^"},
		{"abc", Position{1, 99}, "    abc\n       ^"},
		{"abc", Position{9, 1}, "    \n    ^"},
		{"\x1b[2J: x\r\n", Position{1, 1}, "    \ufffd[2J: x\n    ^"},
		{strings.Repeat("x", 1000), Position{1, 501}, "    " + strings.Repeat("x", 120) + "\n    " + strings.Repeat(" ", 60) + "^"},
	} {
		if got := caret([]byte(c.src), c.at); got != c.want {
			t.Errorf("%q at %s:\n%q, want\n%q", c.src, c.at, got, c.want)
		}
	}
}
