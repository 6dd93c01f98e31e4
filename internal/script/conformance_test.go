package script

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// checker counts the checks of a file. It stays on the first line, so that the lines
// of the file are right.
const checker = `local checks = 0 local function ok(c, m) checks = checks + 1 if not c then error("check failed: " .. tostring(m or "?"), 2) end end `

// The Lua that was built is Lua 5.4: every file of testdata/lua holds checks of one
// part of the language.
func TestLua(t *testing.T) {
	files, err := filepath.Glob("testdata/lua/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	total := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".lua"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(value(t, checker+string(source)+"\nreturn checks", newHost()))
			if err != nil || n < 10 {
				t.Errorf("%d checks: %v", n, err)
			}
			total += n
		})
	}
	if total < 600 {
		t.Errorf("only %d checks were made", total)
	}
	t.Logf("%d checks", total)
}
