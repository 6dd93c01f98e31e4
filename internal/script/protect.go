package script

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero/api"
)

// errThrow unwinds the machine to the innermost protected call; errStopped unwinds
// all of it. They are told apart here alone, so that pcall catches errors of Lua and
// never a stop.
var (
	errThrow   = errors.New("lua error")
	errStopped = errors.New("script stopped")
)

// A protector does protected calls for Lua: wasm has no setjmp, so Lua asks the host
// to call it back, and the host restores the stack when that call was unwound.
type protector struct {
	module  api.Module
	stack   api.MutableGlobal
	callers []api.Function // one per depth: a Function may not be entered twice
	depth   int
}

func (p *protector) init(module api.Module) {
	p.module = module
	p.stack = module.ExportedGlobal("__stack_pointer").(api.MutableGlobal)
}

// try calls f(L, ud), which are the three on the stack, and leaves whether it threw.
func (p *protector) try(ctx context.Context, stack []uint64) {
	top, depth := p.stack.Get(), p.depth
	if depth == len(p.callers) {
		p.callers = append(p.callers, p.module.ExportedFunction("call"))
	}
	p.depth++
	err := p.callers[depth].CallWithStack(ctx, stack)
	p.depth = depth
	switch {
	case err == nil:
		stack[0] = 0
	case errors.Is(err, errThrow):
		p.stack.Set(top)
		stack[0] = 1
	case errors.Is(err, errStopped):
		panic(errStopped) // not err, which would grow by a trace at each depth
	default:
		panic(err)
	}
}
