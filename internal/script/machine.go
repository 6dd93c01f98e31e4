package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// A machine is one Lua, for one script. All of it but the calls in flight belongs to
// the goroutine that runs the script.
type machine struct {
	engine *Engine
	caller string
	host   Host
	limits *Limits
	ctx    context.Context // ends with the script, at the latest with its time
	cancel context.CancelFunc
	start  time.Time

	module  api.Module
	memory  api.Memory
	linear  *linearMemory
	protect protector

	units   int64 // of work
	ticks   int   // since the turn was last given up
	turn    bool  // whether it is held
	stopped *Error

	servers numbered[string]
	tools   numbered[toolKey]
	bound   []*boundTool // by the number of their key
	flight  *flight
	blobs   *blobs
	fault   []byte // to be taken by Lua

	printed  strings.Builder
	result   []byte
	failure  []byte
	awaited  bool // result was given a call
	resultOf bool // whether there is a result
	inexact  string
}

type toolKey struct{ server, name string }

type boundTool struct {
	toolKey
	*Tool
}

// numbered gives things numbers. A script that asks for the same again and again gets
// the same number, and makes nothing grow.
type numbered[K comparable] struct {
	all   []K
	index map[K]int
}

func (n *numbered[K]) number(k K) int {
	i, known := n.index[k]
	if !known {
		if n.index == nil {
			n.index = map[K]int{}
		}
		i = len(n.all)
		n.index[k] = i
		n.all = append(n.all, k)
	}
	return i
}

// The causes with which a script's context may end.
var errTimeLimit = errors.New("time limit")

// enter waits for admission and makes a machine. leave must be called after it.
func (e *Engine) enter(ctx context.Context, caller string, limits *Limits, host Host) (*machine, *Error) {
	if err := e.begin(); err != nil {
		return nil, &Error{Code: CodeCancelled, Message: err.Error()}
	}
	rt, compiled, err := e.program()
	if err != nil {
		e.running.Done()
		return nil, &Error{Code: CodeInternal, Message: err.Error()}
	}
	ctx, end := context.WithCancel(ctx)
	unlink := context.AfterFunc(e.ctx, end)
	if err := e.queue.enter(ctx, caller); err != nil {
		unlink()
		end()
		e.running.Done()
		return nil, err
	}
	m := &machine{engine: e, caller: caller, host: host, limits: limits, start: time.Now()}
	ctx, stop := context.WithTimeoutCause(ctx, limits.Wall, errTimeLimit)
	m.ctx, m.cancel = ctx, func() { unlink(); stop(); end() }
	m.blobs = &blobs{room: limits.Memory}
	m.flight = newFlight(ctx, host, limits, m.blobs)
	if err := m.boot(rt, compiled); err != nil {
		m.leave()
		return nil, err
	}
	return m, nil
}

// boot makes the Lua.
func (m *machine) boot(rt wazero.Runtime, compiled wazero.CompiledModule) *Error {
	if !m.takeTurn() {
		return m.stopReason()
	}
	m.linear = &linearMemory{budget: m.engine.budget, most: linearLimit(m.limits.Memory)}
	ctx := experimental.WithMemoryAllocator(m.ctx, m.linear.allocator())
	module, err := rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return &Error{Code: CodeInternal, Message: fmt.Sprintf("make a machine for the script: %v", err)}
	}
	m.module, m.memory = module, module.Memory()
	m.protect.init(module)
	at, err := m.write(prelude)
	if err != nil {
		return m.failed(err)
	}
	l := m.limits
	status, err := m.call("open", uint64(l.Memory), uint64(l.Arguments), uint64(l.ResultBytes), at, uint64(len(prelude)))
	if err != nil {
		return m.failed(err)
	}
	if status != 0 {
		return &Error{Code: CodeMemoryLimit, Message: "there is not enough memory to start a script", Hint: "raise the memory limit"}
	}
	return nil
}

// leave ends the calls and gives everything back.
func (m *machine) leave() {
	m.giveTurn()
	m.cancel()
	m.flight.wait()
	if m.module != nil {
		_ = m.module.Close(context.Background())
	}
	m.engine.queue.leave(m.caller)
	m.engine.running.Done()
}

// run runs a script to its end.
func (m *machine) run(source string, args json.RawMessage) (*Result, error) {
	status, err := m.execute("run", []byte(source), args)
	m.giveTurn()
	unfinished := m.flight.finish()
	r := &Result{
		Printed: m.printed.String(), Ledger: m.flight.ledger(),
		Ticks: int(m.units / unitsPerTick), Memory: m.peak(), Wall: time.Since(m.start),
	}
	if m.resultOf {
		r.Value = m.result
		r.IsToolResult = isToolResult(m.result)
	}
	r.Notes = m.notes(source, unfinished)
	if failure := m.outcome(source, status, err); failure != nil {
		return r, failure
	}
	return r, nil
}

// execute calls an entry of the program with the source and the arguments.
func (m *machine) execute(entry string, texts ...[]byte) (uint64, error) {
	params := make([]uint64, 0, 4)
	for _, text := range texts {
		at, err := m.write(text)
		if err != nil {
			return 0, err
		}
		params = append(params, at, uint64(len(text)))
	}
	return m.call(entry, params...)
}

// outcome is what went wrong, nil if nothing did.
func (m *machine) outcome(source string, status uint64, err error) *Error {
	if err != nil {
		return m.failed(err)
	}
	if status == 0 {
		return nil
	}
	return m.explain(source)
}

// failed is the error of a machine that did not come back by itself.
func (m *machine) failed(err error) *Error {
	if m.stopped != nil {
		return m.stopped
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return &Error{Code: CodeInternal, Message: "the script's machine failed: " + text, Hint: "please report this script"}
}

func (m *machine) call(name string, params ...uint64) (uint64, error) {
	results, err := m.module.ExportedFunction(name).Call(withMachine(m.ctx, m), params...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

func (m *machine) write(text []byte) (uint64, error) {
	at, err := m.call("allocate", uint64(len(text)+1))
	if err != nil {
		return 0, err
	}
	if at == 0 || !m.memory.Write(uint32(at), text) {
		return 0, errors.New("no room for the script")
	}
	return at, nil
}

// peak is the most memory that Lua had. A machine that was stopped cannot be asked.
func (m *machine) peak() int {
	if m.stopped != nil {
		return int(m.memory.Size())
	}
	n, err := m.call("peak")
	if err != nil {
		return int(m.memory.Size())
	}
	return int(n)
}
