package toolcrib_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "toolcrib"

// imports is the law: which packages of ours each package may import. A new edge
// is a line to be reviewed here, and in docs/design.md.
var imports = map[string][]string{
	"":             {},
	"cmd/toolcrib": {"internal/cli"},

	"internal/cli": {"internal/app", "internal/config", "internal/demo", "internal/conformance"},
	"internal/app": {"internal/call", "internal/config", "internal/gateway", "internal/upstream", "internal/wire"},

	"internal/gateway":  {"internal/call", "internal/wire"},
	"internal/upstream": {"internal/call", "internal/wire"},
	"internal/call":     {"internal/wire"},
	"internal/wire":     {},
	"internal/config":   {},

	"internal/demo":        {},
	"internal/conformance": {"internal/wire"},
	"internal/mcptest":     {},
}

// testTool tells whether a package is there to test with. Those under test see
// the product from outside, as its users do: through its command line.
func testTool(dir string) bool { return dir == "internal/mcptest" || underTest(dir) }

func underTest(dir string) bool { return strings.HasPrefix(dir, "test/") }

// testTools are packages of ours that those under test may import.
// Besides, they may import each other.
var testTools = []string{"internal/cli", "internal/mcptest"}

// inTests is what test files may import besides.
var inTests = map[string][]string{
	"cmd/toolcrib":      {"internal/mcptest"},
	"internal/app":      {"internal/mcptest"},
	"internal/gateway":  {"internal/mcptest", "internal/upstream"},
	"internal/upstream": {"internal/mcptest"},
	"internal/wire":     {"internal/mcptest"},
}

// walls are modules of others and the packages that may know of them. What is
// not named here is not a dependency of the product.
var walls = map[string][]string{
	"github.com/goccy/go-yaml":               {"internal/config"},
	"github.com/tailscale/hujson":            {"internal/config"},
	"github.com/spf13/cobra":                 {"internal/cli"},
	"github.com/modelcontextprotocol/go-sdk": {"internal/demo", "internal/conformance"},
	"github.com/cenkalti/backoff/v5":         {"internal/upstream"},
	"golang.org/x/sync":                      {"internal/upstream", "internal/gateway", "internal/call", "internal/wire"},
	"golang.org/x/sys":                       {"internal/upstream"},
	"golang.org/x/oauth2":                    {"internal/wire"},
}

// testWalls are modules that any test file may use, and any package that only
// tests use.
var testWalls = []string{
	"github.com/google/go-cmp", "github.com/modelcontextprotocol/go-sdk",
	"github.com/rogpeppe/go-internal", "go.uber.org/goleak", "golang.org/x/sync", "golang.org/x/sys",
}

func TestImportLaw(t *testing.T) {
	for dir, p := range packages(t) {
		allowed, known := imports[dir]
		if underTest(dir) {
			allowed, known = testTools, true
		}
		if !known {
			t.Errorf("package %q is not in the law: add it to imports in arch_test.go and to docs/design.md", dir)
			continue
		}
		for imp, where := range p.imports {
			var others []string
			if testTool(dir) {
				others = testWalls
			}
			if why := illegal(dir, imp, allowed, others); why != "" {
				t.Errorf("%s: %s", where, why)
			}
		}
		for imp, where := range p.testImports {
			if why := illegal(dir, imp, slices.Concat(allowed, inTests[dir], []string{dir}), testWalls); why != "" {
				t.Errorf("%s: %s", where, why)
			}
		}
	}
}

// illegal says why package dir may not import imp, "" if it may.
func illegal(dir, imp string, ours, others []string) string {
	if rest, ok := cutModule(imp); ok {
		if underTest(dir) && underTest(rest) {
			return ""
		}
		if !slices.Contains(ours, rest) {
			return fmt.Sprintf("%s may not import %s", dir, rest)
		}
		return ""
	}
	if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
		return "" // the standard library
	}
	within := func(mod string) bool { return imp == mod || strings.HasPrefix(imp, mod+"/") }
	if slices.ContainsFunc(others, within) {
		return ""
	}
	for mod, users := range walls {
		if within(mod) {
			if !slices.Contains(users, dir) {
				return fmt.Sprintf("%s is only for %s", mod, strings.Join(users, ", "))
			}
			return ""
		}
	}
	return fmt.Sprintf("%s is in nobody's wall: add it to walls in arch_test.go", imp)
}

func cutModule(imp string) (string, bool) {
	if imp == module {
		return "", true
	}
	return strings.CutPrefix(imp, module+"/")
}

// The law names no package that is gone.
func TestLawIsCurrent(t *testing.T) {
	all := packages(t)
	for dir := range imports {
		if all[dir] == nil {
			t.Errorf("the law names %q, which has no Go files", dir)
		}
	}
}

func TestEveryPackageTellsItsStory(t *testing.T) {
	for dir, p := range packages(t) {
		if !p.documented {
			t.Errorf("package %q has no package comment", dir)
		}
	}
}

type pkg struct {
	imports, testImports map[string]string // path to the file that imports it
	documented           bool
}

// packages reads the imports of every file, for all systems.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	all := map[string]*pkg{}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && file != "." && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(files, file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(file))
		if dir == "." {
			dir = ""
		}
		p := all[dir]
		if p == nil {
			p = &pkg{imports: map[string]string{}, testImports: map[string]string{}}
			all[dir] = p
		}
		to := p.imports
		if strings.HasSuffix(name, "_test.go") {
			to = p.testImports
		} else if parsed.Doc != nil {
			p.documented = true
		}
		for _, imp := range parsed.Imports {
			to[strings.Trim(imp.Path.Value, `"`)] = file
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
