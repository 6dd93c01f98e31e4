package call

import (
	"context"
	"hash/maphash"
	"strings"
	"sync"

	"toolcrib/internal/wire"
)

// A Mistake is arguments that do not fit the schema of their tool. It says all
// that is needed to do better the next time.
type Mistake struct {
	Server, Tool string   // whose schema it is, if known
	Problems     []string // in plain words, at most ten
	Schema       []byte   // raw, as the server sent it
}

func (m *Mistake) Error() string {
	what := "the arguments"
	if m.Tool != "" {
		what += " of " + m.Tool
	}
	return what + " do not fit the tool's schema, and the call was not sent: " + strings.Join(m.Problems, "; ")
}

// CheckArguments tells what is wrong with the arguments of a tool, nil if
// nothing is. A schema that cannot be read, and what of it is not understood,
// refuses nothing: the server checks as well.
func CheckArguments(schema, arguments []byte) *Mistake {
	if len(arguments) > 0 {
		if err := wire.CheckJSON(arguments); err != nil {
			return &Mistake{Problems: []string{"the arguments are no JSON: " + err.Error()}, Schema: schema}
		}
	}
	return check(compile(schema), schema, arguments)
}

// check wants arguments that are JSON, or none.
func check(s *schema, raw, arguments []byte) *Mistake {
	arguments = trimSpace(arguments)
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = []byte("{}")
	}
	c := checker{left: maxWork}
	if k := kindOf(arguments); k != kindObject {
		c.explain = true
		c.wrong(severe, "the arguments must be an object, not %s", k.word())
	} else if c.check(s, arguments, 0) {
		return nil
	} else {
		c = checker{left: maxWork, explain: true}
		c.check(s, arguments, 0)
	}
	if len(c.problems) == 0 { // all work went into finding out that something is
		c.problems = []string{"they do not fit"}
	}
	return &Mistake{Problems: c.problems, Schema: raw}
}

// Arguments checks the arguments of calls before they are sent. schemaOf is the
// input schema of a tool by the server's own name for it, nil if unknown. What
// is refused comes back as a *Mistake. What is not is sent as it is, but for an
// object that came inside a string, which is taken out of it.
func Arguments(schemaOf func(server, tool string) []byte) Middleware {
	known := newSchemas()
	return func(next Func) Func {
		return func(ctx context.Context, r *Request) ([]byte, error) {
			if r.Method != wire.MethodToolsCall {
				return next(ctx, r)
			}
			arguments := wire.Find(r.Params, "arguments")
			if plain := Unpack(arguments); len(plain) != len(arguments) {
				if params, err := wire.ParseObject(r.Params); err == nil {
					unpacked := *r
					unpacked.Params = params.With(wire.Change{Name: "arguments", Value: plain})
					r, arguments = &unpacked, plain
				}
			}
			if schema := schemaOf(r.Server, r.Name); schema != nil {
				if m := check(known.compiled(schema), schema, arguments); m != nil {
					m.Server, m.Tool = r.Server, r.Name
					return nil, m
				}
			}
			return next(ctx, r)
		}
	}
}

// Unpack returns the object that arguments sent as a JSON string hold, and any
// other arguments as they are. Some models write them so.
func Unpack(arguments []byte) []byte {
	if len(arguments) == 0 || arguments[0] != '"' {
		return arguments
	}
	text, _ := wire.Text(arguments)
	inner := trimSpace([]byte(text))
	if kindOf(inner) != kindObject || wire.CheckJSON(inner) != nil {
		return arguments
	}
	return inner
}

func trimSpace(raw []byte) []byte {
	for len(raw) > 0 && strings.IndexByte(" \n\t\r", raw[0]) >= 0 {
		raw = raw[1:]
	}
	for len(raw) > 0 && strings.IndexByte(" \n\t\r", raw[len(raw)-1]) >= 0 {
		raw = raw[:len(raw)-1]
	}
	return raw
}

// schemas keeps what was compiled, by what the schema says: a listing that is
// taken again says the same with other memory.
type schemas struct {
	seed maphash.Seed
	mu   sync.Mutex
	kept *lru[uint64, compiledSchema]
}

type compiledSchema struct {
	raw string
	*schema
}

// maxCompiled bounds the bytes of the schemas that are kept compiled, which
// takes some ten times as much.
const maxCompiled = 8 << 20

func newSchemas() *schemas {
	return &schemas{seed: maphash.MakeSeed(), kept: newLRU[uint64, compiledSchema](maxCompiled)}
}

func (k *schemas) compiled(raw []byte) *schema {
	key := maphash.Bytes(k.seed, raw)
	k.mu.Lock()
	one, ok := k.kept.get(key)
	k.mu.Unlock()
	if ok && one.raw == string(raw) {
		return one.schema
	}
	s := compile(raw)
	k.mu.Lock()
	k.kept.put(key, compiledSchema{string(raw), s}, len(raw)+256)
	k.mu.Unlock()
	return s
}
