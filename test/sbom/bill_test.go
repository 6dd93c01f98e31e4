package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// S22: the bill of a binary names every module that is in it, as go.mod and go.sum have
// them, and what Go does not know of.
func TestS22BillOfMaterials(t *testing.T) {
	info := built(t)
	b := billOf(info)
	if b.Metadata.Component.Name != "toolcrib" || b.Metadata.Component.Type != "application" {
		t.Errorf("it is the bill of %+v", b.Metadata.Component)
	}
	root := filepath.Join("..", "..")
	mod, sum := read(t, filepath.Join(root, "go.mod")), read(t, filepath.Join(root, "go.sum"))
	names, refs := map[string]component{}, map[string]bool{}
	for _, c := range b.Components {
		names[c.Name] = c
		if refs[c.Ref] {
			t.Errorf("%s stands twice", c.Ref)
		}
		refs[c.Ref] = true
		switch c.Name {
		case "std":
			if c.Version != strings.TrimPrefix(strings.Fields(runtime.Version())[0], "go") {
				t.Errorf("Go is %s", c.Version)
			}
		case "lua":
		default:
			if !strings.Contains(mod, c.Name+" "+c.Version) {
				t.Errorf("go.mod does not have %s %s", c.Name, c.Version)
			}
			if len(c.Properties) != 1 || !strings.Contains(sum, c.Name+" "+c.Version+" "+c.Properties[0].Value) {
				t.Errorf("go.sum does not have %s %s %v", c.Name, c.Version, c.Properties)
			}
		}
	}
	if len(b.Components) != len(info.Deps)+2 || len(info.Deps) < 10 || len(b.Dependencies) != 1 || len(b.Dependencies[0].On) != len(b.Components) {
		t.Errorf("%d components, %d modules", len(b.Components), len(info.Deps))
	}
	for _, want := range []string{"github.com/spf13/cobra", "github.com/tetratelabs/wazero", "lua", "std"} {
		if names[want].Name == "" {
			t.Errorf("%s is not in it", want)
		}
	}
	if m := regexp.MustCompile(`(?m)^version=(\S+)$`).FindStringSubmatch(read(t, filepath.Join(root, "internal", "script", "lua", "build.sh"))); m == nil || m[1] != luaVersion {
		t.Errorf("Lua is built of %v, and the bill says %s", m, luaVersion)
	}
	var fields map[string]any
	text, err := json.Marshal(b)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil || fields["bomFormat"] != "CycloneDX" || fields["specVersion"] != "1.6" {
		t.Errorf("%v, %s", err, text)
	}
}

// built is what Go writes into the binary, found out without linking it.
func built(t *testing.T) *debug.BuildInfo {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Sum}}{{end}}", "toolcrib/cmd/toolcrib").Output()
	if err != nil {
		t.Fatal(err)
	}
	info := &debug.BuildInfo{GoVersion: runtime.Version(), Main: debug.Module{Path: "toolcrib"}}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if words := strings.Fields(line); len(words) == 3 {
			info.Deps = append(info.Deps, &debug.Module{Path: words[0], Version: words[1], Sum: words[2]})
		}
	}
	return info
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
