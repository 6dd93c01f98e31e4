package probe

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens anew")

// A failure is what a real server wrote when it was started with nothing set.
type failure struct {
	Name           string
	Exited         bool
	Code           int
	Asks           []string // the variables that it asks for, by hand
	Stdout, Stderr string
}

func failures(t *testing.T) []failure { return recordsIn(t, "failures.jsonl") }

func recordsIn(t *testing.T, name string) []failure {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []failure
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one failure
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		t.Fatalf("%s has %d records: %v", name, len(all), err)
	}
	return all
}

func (f failure) diagnose() Diagnosis {
	return Diagnose([]byte(f.Stderr), []byte(f.Stdout), Exit{Exited: f.Exited, Code: f.Code})
}

// What is said of each real failure, as a user will read it.
func TestRealFailures(t *testing.T) {
	const golden = "testdata/diagnoses.golden"
	var got strings.Builder
	kinds := map[Kind]int{}
	for _, f := range failures(t) {
		d := f.diagnose()
		kinds[d.Kind]++
		fmt.Fprintf(&got, "%s: %s\n  %s\n", f.Name, d.Kind, d)
	}
	t.Logf("kinds: %v", kinds)
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("diagnoses changed; if they are better, run with -update (want, got):\n%s", diff)
	}
}

// Of the real failures that name a variable nearly all are diagnosed with it,
// and none with one that was not asked for.
func TestMissingCredentialsAreNamed(t *testing.T) {
	named, asking := 0, 0
	for _, f := range failures(t) {
		d := f.diagnose()
		for _, v := range d.Variables {
			if !slices.Contains(f.Asks, v) {
				t.Errorf("%s: %s was not asked for", f.Name, v)
			}
		}
		if len(f.Asks) == 0 {
			continue
		}
		asking++
		if slices.Contains(d.Variables, f.Asks[0]) {
			named++
		} else {
			t.Logf("%s asks for %s, the diagnosis is %s", f.Name, f.Asks, d)
		}
	}
	t.Logf("%d of %d", named, asking)
	if asking < 50 || 100*named < 90*asking {
		t.Errorf("%d of %d failures are diagnosed with the variable that they name", named, asking)
	}
}

func TestDiagnose(t *testing.T) {
	tests := []struct {
		name, stderr, stdout string
		exit                 Exit
		kind                 Kind
		reason               string
	}{
		{"silent", "", "", Exit{Exited: true, Code: 7}, Silent, "it exited with code 7 and wrote nothing"},
		{"mute", "", "", Exit{}, Silent, "it neither answered nor wrote anything"},
		{"only places", "    at x (y.js:1:2)\n^\nNode.js v20.1.0\n", "", Exit{Exited: true, Code: 1}, Silent, "it exited with code 1 and wrote nothing"},
		{"not startable", "", "", Exit{Failure: `exec: "npx": executable file not found in $PATH`}, MissingProgram, "the program npx is not found"},
		{"shell does not find it", "sh: 1: uvx: not found\n", "", Exit{Exited: true, Code: 127}, MissingProgram, "the program uvx is not found"},
		{"child does not find it", "Error: spawn docker ENOENT\n", "", Exit{Exited: true, Code: 1}, MissingProgram, "the program docker is not found"},
		{"python module", "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    import mcp.server\nModuleNotFoundError: No module named 'mcp'\n", "", Exit{Exited: true, Code: 1}, MissingModule, "a part of it is not installed: mcp"},
		{"npm package", "npm error code E404\nnpm error 404  '@acme/no-such@*' is not in this registry.\nnpm error E404 Not Found - '@acme/no-such'\n", "", Exit{Exited: true, Code: 1}, MissingModule, "a part of it is not installed: @acme/no-such"},
		{"port", "Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle\n", "", Exit{Exited: true, Code: 1}, PortInUse, "the port that it listens on is in use: 3000"},
		{"port of Go", "listen tcp 127.0.0.1:8080: bind: address already in use\n", "", Exit{Exited: true, Code: 1}, PortInUse, "the port that it listens on is in use: listen tcp 127.0.0.1:8080: bind: address already in use"},
		{"file", "FileNotFoundError: [Errno 2] No such file or directory: '/x/y.toml'\n", "", Exit{Exited: true, Code: 1}, MissingFile, "a file that it needs is not there: /x/y.toml"},
		{"permission", "Error: EACCES: permission denied, open '/etc/x'\n", "", Exit{Exited: true, Code: 1}, NotPermitted, "it lacks a permission: /etc/x"},
		{"node", "error: requires Node >=18.0.0\n", "", Exit{Exited: true, Code: 1}, WrongRuntime, "it needs another version of what it runs on: Node >=18.0.0"},
		{"python", "ERROR: Package requires Python >=3.10 but the running Python is 3.8.10\n", "", Exit{Exited: true, Code: 1}, WrongRuntime, "it needs another version of what it runs on: Python >=3.10"},
		{"credential before usage", "Usage: x [--key KEY]\nError: FOO_KEY must be set\n", "", Exit{Exited: true, Code: 2}, MissingSetting, "it asks for the environment variable FOO_KEY"},
		{"credential in a record", `{"level":"error","msg":"FOO_KEY is required"}` + "\n", "", Exit{Exited: true, Code: 1}, MissingSetting, "it asks for the environment variable FOO_KEY"},
		{"credential in an answer", "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Missing FOO_KEY"}}` + "\n", Exit{}, MissingSetting, "it asks for the environment variable FOO_KEY"},
		{"credential in colours", "\x1b[31mERROR\x1b[39m \x1b[1mFOO_KEY\x1b[0m is required\n", "", Exit{Exited: true, Code: 1}, MissingSetting, "it asks for the environment variable FOO_KEY"},
		{"credential without a name", "Error: API key is required\n", "", Exit{Exited: true, Code: 1}, MissingSetting, "it asks for a credential or setting: Error: API key is required"},
		{"two on two lines", "FOO_ID is required\nFOO_KEY is required\n", "", Exit{Exited: true, Code: 1}, MissingSetting, "it asks for the environment variables FOO_ID and FOO_KEY"},
		{"optional variable", "Set LOG_LEVEL to debug\nFOO_MODE (optional) is not set\nboom: it failed\n", "", Exit{Exited: true, Code: 1}, Unknown, "it exited with code 1 and wrote: boom: it failed"},
		{"error code is no variable", "Error [ERR_INVALID_ARG_TYPE]: must be a string\n", "", Exit{Exited: true, Code: 1}, Unknown, "it exited with code 1 and wrote: Error [ERR_INVALID_ARG_TYPE]: must be a string"},
		{"http, running", "MCP server listening on http://127.0.0.1:3000/mcp\n", "", Exit{}, NotStdio, "it serves HTTP (http://127.0.0.1:3000/mcp) and does not speak on stdio"},
		{"http, ended", "MCP server listening on http://127.0.0.1:3000/mcp\nboom: it failed\n", "", Exit{Exited: true, Code: 1}, Unknown, "it exited with code 1 and wrote: boom: it failed"},
		{"backend", "Error: connect ECONNREFUSED 127.0.0.1:6379\n", "", Exit{Exited: true, Code: 1}, Unreachable, "it does not reach 127.0.0.1:6379"},
		{"name server", "TypeError: fetch failed\n  [cause]: Error: getaddrinfo ENOTFOUND api.example.com\n", "", Exit{Exited: true, Code: 1}, Unreachable, "it does not reach api.example.com"},
		{"argument", "error: missing required argument 'path'\n", "", Exit{Exited: true, Code: 1}, BadArguments, "it was started with the wrong arguments, or without one that it needs: error: missing required argument 'path'"},
		{"login", "You are not logged in.\n", "", Exit{Exited: true, Code: 1}, NeedsLogin, "it needs a login first: You are not logged in."},
		{"exception before the rest", "starting\nKeyError: 'x'\nbye\n", "", Exit{Exited: true, Code: 1}, Unknown, "it exited with code 1 and wrote: KeyError: 'x'"},
		{"last line", "one\ntwo\n", "", Exit{}, Unknown, "it does not answer; it wrote: two"},
		{"secret", "Error: the key sk-proj-1234567890abcdefghij is refused\n", "", Exit{Exited: true, Code: 1}, Unknown, "it exited with code 1 and wrote: Error: the key *** is refused"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Diagnose([]byte(test.stderr), []byte(test.stdout), test.exit)
			if d.Kind != test.kind || d.Reason != test.reason {
				t.Errorf("%s: %s\nwant %s: %s", d.Kind, d.Reason, test.kind, test.reason)
			}
			if d.Next == "" || strings.Contains(d.Reason+d.Next, "{") && !strings.Contains(test.stderr, "{") {
				t.Errorf("next step %q", d.Next)
			}
		})
	}
}

// Only the end of a long output is read, and a line of it is cut.
func TestLongOutputIsDiagnosedByItsEnd(t *testing.T) {
	long := strings.Repeat("all is well\n", 2*maxDiagnosed/12) + "Error: FOO_KEY is required " + strings.Repeat("x y ", maxLine) + "\n"
	d := Diagnose([]byte(long), nil, Exit{Exited: true, Code: 1})
	if d.Kind != MissingSetting || len(d.Says) > maxReason {
		t.Errorf("%s, says %d bytes", d, len(d.Says))
	}
}
