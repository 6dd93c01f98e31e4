package script

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// unitsPerTick is FUEL_TICK of lua/fuel.h.
const unitsPerTick = 200_000

type machineKey struct{}

func withMachine(ctx context.Context, m *machine) context.Context {
	return context.WithValue(ctx, machineKey{}, m)
}

// imports are the functions of the host, by the names lua/fuel.h and lua/bridge.h
// give them: how many i32 they take, what they return, and what they do with the
// stack that holds the one and then the other.
var imports = []struct {
	name    string
	takes   int
	returns []api.ValueType
	do      func(m *machine, s []uint64)
}{
	{"tick", 1, nil, func(m *machine, s []uint64) { m.tick(int64(int32(s[0]))) }},
	{"throw", 0, nil, func(*machine, []uint64) { panic(errThrow) }},
	{"seed", 0, i32, func(_ *machine, s []uint64) { s[0] = uint64(rand.Uint32()) }},
	{"time", 0, i64, func(_ *machine, s []uint64) { s[0] = uint64(time.Now().Unix()) }},
	{"clock", 0, i64, func(m *machine, s []uint64) { s[0] = uint64(time.Since(m.start)) }},

	{"print", 2, nil, func(m *machine, s []uint64) { m.print(m.view(s[0], s[1])) }},
	{"result", 2, nil, func(m *machine, s []uint64) { m.setResult(m.view(s[0], s[1])) }},
	{"failure", 2, nil, func(m *machine, s []uint64) { m.failure = m.copy(s[0], s[1]) }},
	{"awaited_result", 0, nil, func(m *machine, _ []uint64) { m.awaited = true }},
	{"inexact", 2, nil, func(m *machine, s []uint64) { m.inexact = string(m.view(s[0], s[1])) }},

	{"server", 3, i32, func(m *machine, s []uint64) { s[0] = id(m.server(m.text(s[0], s[1]), s[2] != 0)) }},
	{"tool", 3, i32, func(m *machine, s []uint64) { s[0] = id(m.tool(int(int32(s[0])), m.text(s[1], s[2]))) }},
	{"call", 4, i32, func(m *machine, s []uint64) {
		s[0] = id(m.startCall(int(int32(s[0])), m.copy(s[1], s[2]), int(int32(s[3]))))
	}},
	{"done", 1, i32, func(m *machine, s []uint64) { s[0] = flag(m.flight.isDone(int(int32(s[0])))) }},
	{"await", 1, i32, func(m *machine, s []uint64) { s[0] = id(m.await(int(int32(s[0])))) }},
	{"await_any", 2, i32, func(m *machine, s []uint64) {
		m.awaitAny(m.view(s[0], s[1]*4))
		s[0] = 0
	}},
	{"take", 3, i32, func(m *machine, s []uint64) { s[0] = uint64(copy(m.view(s[1], s[2]), m.flight.take(int(int32(s[0]))))) }},
	{"take_fault", 2, i32, func(m *machine, s []uint64) { s[0] = uint64(copy(m.view(s[0], s[1]), m.fault)) }},

	{"blob", 1, i32, func(m *machine, s []uint64) { s[0] = uint64(len(m.blobs.get(int(int32(s[0]))).data)) }},
	{"take_blob", 2, nil, func(m *machine, s []uint64) { m.put(s[1], []byte(m.blobs.get(int(int32(s[0]))).data)) }},
	{"take_blob_type", 3, i32, func(m *machine, s []uint64) {
		kind := m.blobs.get(int(int32(s[0]))).mimeType
		kind = strings.ToValidUTF8(kind[:min(len(kind), int(int32(s[2])))], "")
		m.put(s[1], []byte(kind))
		s[0] = uint64(len(kind))
	}},
}

var (
	i32 = []api.ValueType{api.ValueTypeI32}
	i64 = []api.ValueType{api.ValueTypeI64}
)

// exportHost makes the functions known to the runtime.
func exportHost(ctx context.Context, rt wazero.Runtime) error {
	builder := rt.NewHostModuleBuilder("host")
	three := []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}
	for _, f := range imports {
		do := f.do
		builder = builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
			do(ctx.Value(machineKey{}).(*machine), stack)
		}), three[:f.takes], f.returns).Export(f.name)
	}
	builder = builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
		ctx.Value(machineKey{}).(*machine).protect.try(ctx, stack)
	}), three[:3], i32).Export("try")
	_, err := builder.Instantiate(ctx)
	return err
}

func id(n int) uint64 { return uint64(uint32(int32(n))) }

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// view is memory of the machine, until it runs on. The program is ours, and gives
// only pointers into its own memory.
func (m *machine) view(at, n uint64) []byte {
	bytes, ok := m.memory.Read(uint32(at), uint32(n))
	if !ok {
		m.stop(&Error{Code: CodeInternal, Message: "the script's machine gave an address that it does not have"})
	}
	return bytes
}

func (m *machine) copy(at, n uint64) []byte { return append([]byte(nil), m.view(at, n)...) }

func (m *machine) text(at, n uint64) string { return string(m.view(at, n)) }

func (m *machine) put(at uint64, bytes []byte) { copy(m.view(at, uint64(len(bytes))), bytes) }
