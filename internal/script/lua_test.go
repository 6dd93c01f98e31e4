package script

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// The program is what its checksum says: one that was built otherwise is noticed.
func TestChecksum(t *testing.T) {
	text, err := os.ReadFile("lua/lua.wasm.sha256")
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := strings.Cut(string(text), " ")
	sum := sha256.Sum256(program)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("lua.wasm has the checksum %s, lua.wasm.sha256 says %s: run make lua", got, want)
	}
}

// What both sides of the bridge must know is the same on both.
func TestConstantsAgree(t *testing.T) {
	for file, constants := range map[string]map[string]int{
		"lua/fuel.h":   {"FUEL_TICK": unitsPerTick},
		"lua/bridge.h": {"MAX_DEPTH": maxDepth, "MAX_FAULT": maxFault},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range constants {
			line := regexp.MustCompile(`#define ` + name + ` (\d+)`).FindSubmatch(text)
			if line == nil || string(line[1]) != strconv.Itoa(want) {
				t.Errorf("%s has %q for %s, Go has %d", file, line, name, want)
			}
		}
	}
}

// A script can reach what is imported and nothing else: no function of a system is.
func TestImportsNothingButTheHost(t *testing.T) {
	rt := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(t.Context())
	compiled, err := rt.CompileModule(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"try": true}
	for _, f := range imports {
		known[f.name] = true
	}
	for _, f := range compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if module != "host" || !known[name] {
			t.Errorf("the program imports %s.%s", module, name)
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("nothing imports %s", name)
	}
}
