package call_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"toolcrib/internal/call"
)

// A realTool is one that a public server listed.
type realTool struct {
	server, name string
	schema       []byte
}

// realTools are what many public servers listed. They are not part of the
// project: tests that want them are skipped without.
func realTools(t testing.TB) []realTool {
	t.Helper()
	f, err := os.Open("../../../shared/data/servers/listings.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no listings of real servers: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var tools []realTool
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var server struct {
			Name  string
			Tools []struct {
				Name        string
				InputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &server); err != nil {
			t.Fatal(err)
		}
		for _, tool := range server.Tools {
			tools = append(tools, realTool{server.Name, tool.Name, tool.InputSchema})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		tools = tools[:len(tools)/8]
	}
	return tools
}

// oracle is another implementation of JSON schema. It cannot take the place of
// ours: a schema that refers to itself overflows its stack, which ends the
// process, so only schemas known to be harmless are given to it.
func oracle(t *testing.T, schema []byte) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

func verdict(t *testing.T, o *jsonschema.Resolved, arguments []byte) error {
	t.Helper()
	var value any
	if err := json.Unmarshal(arguments, &value); err != nil {
		t.Fatalf("%s: %v", arguments, err)
	}
	return o.Validate(value)
}

// Examples of real schemas fit them, as we and the oracle see it.
func TestExamplesOfRealToolsFit(t *testing.T) {
	unknown, misfit := 0, 0
	tools := realTools(t)
	for _, tool := range tools {
		example := call.Example(tool.schema)
		if m := call.CheckArguments(tool.schema, example); m != nil {
			t.Errorf("%s.%s: %s: %v", tool.server, tool.name, example, m)
		}
		o := oracle(t, tool.schema)
		if o == nil {
			unknown++
			continue
		}
		if err := verdict(t, o, example); err != nil {
			misfit++
			if why := err.Error(); !strings.Contains(why, "pattern:") && !strings.Contains(why, "/else:") {
				t.Errorf("%s.%s: %s: the oracle says %v", tool.server, tool.name, example, err)
			}
		}
	}
	t.Logf("%d tools; %d examples do not match a pattern or an if; the oracle cannot read %d schemas", len(tools), misfit, unknown)
}

// oneOf is how many tools one is compared of. Comparing all takes a
// minute.
const oneOf = 25

// What we refuse, the oracle refuses as well; how much of what it refuses we
// let through is logged.
func TestOracleRefusesWhatWeRefuse(t *testing.T) {
	refused, passed, compared := 0, 0, 0
	for i, tool := range realTools(t) {
		if i%oneOf != 0 {
			continue
		}
		o := oracle(t, tool.schema)
		if o == nil {
			continue
		}
		for _, arguments := range spoilt(t, tool.schema) {
			compared++
			m, err := call.CheckArguments(tool.schema, arguments), verdict(t, o, arguments)
			switch {
			case m != nil && err == nil:
				t.Errorf("%s.%s: %s: we refuse it, the oracle does not: %v", tool.server, tool.name, arguments, m)
			case m != nil:
				refused++
			case err != nil:
				passed++
			}
		}
	}
	t.Logf("%d arguments: both refuse %d, only the oracle %d", compared, refused, passed)
	if passed*20 > refused {
		t.Errorf("too much is let through")
	}
}

// spoilt are arguments made of an example of every property by changing one
// thing in each.
func spoilt(t *testing.T, schema []byte) (all [][]byte) {
	t.Helper()
	var top struct {
		Properties map[string]json.RawMessage
	}
	if err := json.Unmarshal(schema, &top); err != nil {
		t.Fatal(err)
	}
	add := func(change func(members map[string]any)) {
		var members map[string]any
		if err := json.Unmarshal(call.Example(schema), &members); err != nil {
			t.Fatal(err)
		}
		change(members)
		raw, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw)
	}
	add(func(m map[string]any) { m["no_such_name"] = 1 })
	for name := range top.Properties {
		add(func(m map[string]any) { delete(m, name) })
		for _, value := range []any{
			nil, true, -1, 0, 7, 1.5, 1e15, "", "text", strings.Repeat("long ", 2000),
			[]any{},
			[]any{1},
			[]any{"a", "a"},
			[]any{map[string]any{}},
			map[string]any{},
			map[string]any{"type": "text", "id": 7, "name": nil},
		} {
			add(func(m map[string]any) { m[name] = value })
		}
	}
	return all
}
