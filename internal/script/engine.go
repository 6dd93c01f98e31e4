package script

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
)

// program is Lua and its bridge, built by lua/build.sh.
//
//go:embed lua/lua.wasm
var program []byte

// prelude is the part of the bridge that is written in Lua.
//
//go:embed lua/prelude.lua
var prelude []byte

// Options are the settings of an Engine.
type Options struct {
	// CacheDir keeps the compiled program between starts: it is made if it is not
	// there, for its owner alone. "" compiles at each start.
	CacheDir string
	// AtOnce is how many scripts run at a time, those that wait for calls included:
	// 128 if 0. PerCaller is how many of them may be one caller's: half if 0. Queue is
	// how many may wait for admission: 256 if 0.
	AtOnce, PerCaller, Queue int
	// Memory is how many bytes all scripts may have together, beyond 2 MB for each:
	// 512 MB if 0.
	Memory int64
	// Log gets what is worth knowing; nil for nothing.
	Log *slog.Logger
}

// An Engine runs scripts. The program is compiled when the first one comes.
type Engine struct {
	options Options
	queue   *queue
	turns   *turns
	budget  *budget

	ctx      context.Context // ends when the engine is closed
	close    context.CancelCauseFunc
	running  sync.WaitGroup
	mu       sync.Mutex
	closed   bool
	cache    wazero.CompilationCache
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

var errClosed = errors.New("the script engine is closed")

// New returns an engine; nil options are the defaults.
func New(options *Options) *Engine {
	e := &Engine{}
	if options != nil {
		e.options = *options
	}
	o := &e.options
	if o.AtOnce <= 0 {
		o.AtOnce = 128
	}
	if o.PerCaller <= 0 {
		o.PerCaller = max(1, o.AtOnce/2)
	}
	if o.Queue <= 0 {
		o.Queue = 256
	}
	if o.Memory <= 0 {
		o.Memory = 512 * mb
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e.queue = newQueue(o.AtOnce, o.PerCaller, o.Queue)
	e.turns = newTurns(max(1, runtime.GOMAXPROCS(0)-1))
	e.budget = &budget{most: o.Memory}
	e.ctx, e.close = context.WithCancelCause(context.Background())
	return e
}

// Close ends every script and waits for them.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.close(errClosed)
	e.running.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	var err error
	if e.runtime != nil {
		err = e.runtime.Close(context.Background())
	}
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
	}
	e.runtime, e.compiled, e.cache = nil, nil, nil
	return err
}

// Warm compiles the program ahead of the first script.
func (e *Engine) Warm() error {
	_, _, err := e.program()
	return err
}

// begin counts a script in, unless the engine is closed.
func (e *Engine) begin() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosed
	}
	e.running.Add(1)
	return nil
}

// program returns the compiled program. Scripts that come while it is being compiled
// wait for it.
func (e *Engine) program() (wazero.Runtime, wazero.CompiledModule, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, nil, errClosed
	}
	if e.compiled != nil {
		return e.runtime, e.compiled, nil
	}
	cache, err := openCache(e.options.CacheDir)
	if err != nil {
		e.options.Log.Warn("scripts: no compilation cache", "dir", e.options.CacheDir, "error", err)
	}
	if err := e.compile(cache); err != nil && cache != nil {
		// A damaged cache must not keep scripts from running.
		e.options.Log.Warn("scripts: compiling anew without the cache", "dir", e.options.CacheDir, "error", err)
		closeQuietly(cache)
		if err := e.compile(nil); err != nil {
			return nil, nil, err
		}
	} else if err != nil {
		return nil, nil, err
	}
	return e.runtime, e.compiled, nil
}

func (e *Engine) compile(cache wazero.CompilationCache) error {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(pages(linearLimit(maximumLimits.Memory))).WithDebugInfoEnabled(false)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	rt := wazero.NewRuntimeWithConfig(ctx, config)
	if err := exportHost(ctx, rt); err != nil {
		return errors.Join(fmt.Errorf("prepare the script engine: %w", err), rt.Close(ctx))
	}
	compiled, err := rt.CompileModule(ctx, program)
	if err != nil {
		return errors.Join(fmt.Errorf("compile the script engine: %w", err), rt.Close(ctx))
	}
	e.runtime, e.compiled, e.cache = rt, compiled, cache
	return nil
}
