package call_test

import (
	"bytes"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

func FuzzCheckArguments(f *testing.F) {
	f.Add([]byte(issueSchema), []byte(`{"owner":"o","titel":1,"user":{"friends":[{}]}}`))
	f.Add([]byte(issueSchema), []byte(`"{\"owner\":\"o\"}"`))
	for _, test := range hostileSchemas {
		if len(test.schema) < 1000 {
			f.Add([]byte(test.schema), []byte(test.arguments))
		}
	}
	f.Fuzz(func(t *testing.T, schema, arguments []byte) {
		sent := bytes.Clone(arguments)
		if m := call.CheckArguments(schema, arguments); m != nil && (len(m.Problems) == 0 || len(m.Problems) > 10) {
			t.Errorf("%d problems", len(m.Problems))
		}
		if inner := call.Unpack(arguments); !bytes.Equal(inner, arguments) && wire.CheckJSON(inner) != nil {
			t.Errorf("%q unpacked to %q", arguments, inner)
		}
		if !bytes.Equal(sent, arguments) {
			t.Error("the arguments were changed")
		}
		example := call.Example(schema)
		if err := wire.CheckJSON(example); err != nil || example[0] != '{' {
			t.Errorf("example %s: %v", example, err)
		}
		if again := call.Example(schema); !bytes.Equal(example, again) {
			t.Errorf("examples differ: %s and %s", example, again)
		}
		call.ExampleLua(schema)
	})
}
