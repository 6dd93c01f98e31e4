package toolcrib_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
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
	"":             {"internal/app", "internal/config", "internal/wrap"},
	"cmd/toolcrib": {"internal/cli"},

	"internal/cli": {
		"internal/app", "internal/catalog", "internal/config", "internal/conformance", "internal/demo", "internal/disclose", "internal/index", "internal/index/trial",
		"internal/script",
	},
	"internal/app": {
		"internal/index/embed",
		"internal/login", "internal/auth", "internal/call", "internal/catalog", "internal/config", "internal/disclose", "internal/discovery", "internal/gateway", "internal/guard", "internal/index", "internal/lane",
		"internal/probe", "internal/script", "internal/store", "internal/trace", "internal/upstream", "internal/web", "internal/wire",
	},

	"internal/gateway":     {"internal/call", "internal/catalog", "internal/disclose", "internal/script", "internal/wire"},
	"internal/disclose":    {"internal/call", "internal/catalog", "internal/index", "internal/wire"},
	"internal/wrap":        {"internal/call", "internal/catalog", "internal/disclose", "internal/index", "internal/wire"},
	"internal/guard":       {"internal/call", "internal/catalog", "internal/lazyre", "internal/wire"},
	"internal/script":      {"internal/catalog"},
	"internal/discovery":   {"internal/catalog", "internal/index"},
	"internal/probe":       {"internal/catalog", "internal/lazyre", "internal/wire"},
	"internal/store":       {"internal/catalog"},
	"internal/trace":       {"internal/call", "internal/wire"},
	"internal/upstream":    {"internal/call", "internal/catalog", "internal/wire"},
	"internal/web":         {"internal/disclose", "internal/wire"},
	"internal/index":       {"internal/catalog", "internal/wire"},
	"internal/index/trial": {"internal/catalog", "internal/index"},
	"internal/index/embed": {},
	"internal/index/train": {"internal/catalog", "internal/index", "internal/index/trial"},
	"internal/call":        {"internal/wire"},
	"internal/catalog":     {"internal/wire"},
	"internal/auth":        {"internal/wire"},
	"internal/login":       {"internal/safedial", "internal/wire"},
	"internal/lane":        {"internal/wire"},
	"internal/lazyre":      {},
	"internal/safedial":    {},
	"internal/wire":        {},
	"internal/config":      {},

	"internal/demo":        {},
	"internal/conformance": {"internal/login", "internal/wire"},
	"internal/mcptest":     {},
}

// testTool tells whether a package is there to test with. Those under test see
// the product from outside, as its users do: through its command line.
func testTool(dir string) bool { return dir == "internal/mcptest" || underTest(dir) }

func underTest(dir string) bool { return strings.HasPrefix(dir, "test/") }

// testTools are packages of ours that those under test may import.
// Besides, they may import each other.
var testTools = []string{"internal/cli", "internal/mcptest"}

// measured are packages that one of those under test looks into, because what it
// measures cannot be seen from outside.
var measured = map[string][]string{
	"test/bench": {"internal/catalog"},
}

// inTests is what test files may import besides.
var inTests = map[string][]string{
	"":                  {"internal/mcptest"},
	"cmd/toolcrib":      {"internal/mcptest"},
	"internal/app":      {"internal/mcptest"},
	"internal/auth":     {"internal/mcptest"},
	"internal/login":    {"internal/mcptest"},
	"internal/gateway":  {"internal/discovery", "internal/mcptest", "internal/upstream"},
	"internal/upstream": {"internal/mcptest"},
	"internal/wire":     {"internal/mcptest"},
}

// walls are modules of others and the packages that may know of them. What is
// not named here is not a dependency of the product.
var walls = map[string][]string{
	"github.com/goccy/go-yaml":               {"internal/config"},
	"github.com/tailscale/hujson":            {"internal/config"},
	"github.com/pelletier/go-toml/v2":        {"internal/config"},
	"github.com/fsnotify/fsnotify":           {"internal/config"},
	"github.com/spf13/cobra":                 {"internal/cli"},
	"github.com/spf13/pflag":                 {"internal/cli"},
	"github.com/modelcontextprotocol/go-sdk": {"", "internal/auth", "internal/conformance", "internal/demo", "internal/login", "internal/wrap"},
	"github.com/cenkalti/backoff/v5":         {"internal/upstream"},
	"golang.org/x/sync":                      {"internal/upstream", "internal/gateway", "internal/call", "internal/wire"},
	"golang.org/x/sys":                       {"internal/upstream", "internal/cli"},
	"github.com/go-jose/go-jose/v4":          {"internal/auth"},
	"golang.org/x/oauth2":                    {"internal/login", "internal/wire"},
	"github.com/zalando/go-keyring":          {"internal/login"},
	"golang.org/x/text":                      {"internal/disclose"},
	"github.com/gofrs/flock":                 {"internal/login", "internal/store"},
	"github.com/google/jsonschema-go":        {"internal/call", "internal/disclose"},
	"github.com/tetratelabs/wazero":          {"internal/script"},
	"go.opentelemetry.io":                    {"internal/trace"},
	"google.golang.org/protobuf":             {"internal/trace"},
	"github.com/prometheus":                  {"internal/trace"},
}

// testWalls are modules that any test file may use, and any package that only
// tests use.
var testWalls = []string{
	"github.com/google/go-cmp", "github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk", "github.com/prometheus", "go.opentelemetry.io/proto/otlp", "google.golang.org/protobuf",
	"github.com/rogpeppe/go-internal", "github.com/tiktoken-go/tokenizer", "go.uber.org/goleak", "golang.org/x/net", "golang.org/x/oauth2", "golang.org/x/sync", "golang.org/x/sys",
}

func TestImportLaw(t *testing.T) {
	for dir, p := range packages(t) {
		allowed, known := imports[dir]
		if underTest(dir) {
			allowed, known = slices.Concat(testTools, measured[dir]), true
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

// A package that may be imported has a row of its own: a name that nobody has is
// a slip of the pen, and a package that nobody described no part of the design.
func TestLawIsClosed(t *testing.T) {
	for _, rows := range []map[string][]string{imports, inTests, measured} {
		for dir, allowed := range rows {
			if _, ok := imports[dir]; !ok && !underTest(dir) {
				t.Errorf("the law has a row for tests of %q, and none for itself", dir)
			}
			for _, imp := range allowed {
				if _, ok := imports[imp]; !ok {
					t.Errorf("%q may import %q, which has no row", dir, imp)
				}
			}
		}
	}
}

// What imports what is a drawing without circles, also with rows of packages
// whose first file is not written.
func TestLawHasNoCircle(t *testing.T) {
	var walk func(dir string, above []string)
	walk = func(dir string, above []string) {
		if slices.Contains(above, dir) {
			t.Fatalf("a circle: %s", strings.Join(append(above, dir), " -> "))
		}
		for _, imp := range imports[dir] {
			walk(imp, append(slices.Clone(above), dir))
		}
	}
	for dir := range imports {
		walk(dir, nil)
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
		if _, err := os.Stat(filepath.Join(file, "go.mod")); d.IsDir() && file != "." && err == nil {
			return filepath.SkipDir // a module of its own
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
