package gateway

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
	"toolcrib/internal/wire"
)

var execute = &tool{
	name:        "execute",
	description: "Run a Lua script over all tools: local r = server.tool({a=1}):await(); result(r). Also await_all({...}), parallel(list, fn, n). dry_run lists the tools it may call.",
	input:       `"script":{"type":"string"},"timeout":{"type":"number","description":"seconds"},"dry_run":{"type":"boolean"}`,
	required:    `"script"`,
	writes:      true,
	lean:        true,
	do:          (*Gateway).answerExecute,
}

func (g *Gateway) answerExecute(ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error) {
	who := g.callerOf(in)
	source, limits := args.text("script"), g.limits(who, args.seconds("timeout"))
	given, dry := args.raw("arguments"), args.flag("dry_run")
	if args.wrong == nil && strings.TrimSpace(source) == "" {
		args.wrong = &disclose.Problem{Message: "the script is empty", Next: `Send one: {"script":"result(server.tool({}):await())"}.`}
	}
	if args.wrong != nil {
		return g.problem(in, args.wrong), nil
	}
	request, problem := g.source(source, given)
	if problem != nil {
		return g.problem(in, problem), nil
	}
	request.Caller, request.Limits = disclose.CallerKey(&call.Request{Caller: who, Params: in.Params}), &limits
	g.patiently(ctx, g.sight(in)) // its text does not tell which servers it needs
	host := &scriptHost{ScriptTools: ScriptTools{g.sight(in).Snapshot()}, g: g, in: in, who: who}
	if dry || g.o.CleanScripts {
		answer, clean, err := g.plan(ctx, in, request, host)
		if dry || !clean || err != nil {
			return answer, err
		}
	}
	run := func(ctx context.Context, _ *call.Request) ([]byte, error) {
		done, err := g.o.Scripts.Run(ctx, request, host)
		if ctx.Err() != nil {
			return nil, ctx.Err() // nobody waits for an answer
		}
		answer, err := script.Answer(done, err, &script.AnswerOptions{Ledger: args.flag("ledger")})
		if err != nil {
			return nil, err
		}
		if in.Era == wire.Modern {
			return fitModern(in.Method, answer), nil
		}
		return answer, nil
	}
	return call.Chain(run, g.o.Around...)(ctx, &call.Request{Method: wire.MethodToolsCall, Name: "execute", Params: in.Params, Caller: who})
}

// limits are those of a caller's script. What the caller asks for may be less.
func (g *Gateway) limits(who call.Caller, asked time.Duration) script.Limits {
	var l script.Limits
	if g.o.ScriptLimits != nil {
		l = g.o.ScriptLimits(who)
	}
	switch {
	case l.Wall == 0:
		l.Wall = asked
	case asked > 0:
		l.Wall = min(l.Wall, asked)
	}
	return l
}

// plan answers with what a script may call, and tells whether that is nothing but
// tools that are read-only. The script is not run.
func (g *Gateway) plan(ctx context.Context, in *wire.Incoming, r *script.Request, host script.Host) (answer []byte, clean bool, err error) {
	p, err := g.o.Scripts.DryRun(ctx, r, host)
	if err != nil {
		var e *script.Error
		if !errors.As(err, &e) {
			return nil, false, err
		}
		return g.problem(in, &disclose.Problem{Message: e.Error(), Next: "Mend the script and send it again."}), false, nil
	}
	next := "It calls nothing that its servers do not mark read-only."
	switch {
	case p.Clean():
	case g.o.CleanScripts:
		next = "Only scripts that call nothing but read-only tools run here (execute.read_only): call what writes with call_tool."
	default:
		next = "What it writes, or may call besides, is listed; run it without dry_run if that is wanted."
	}
	return toolResult(in, disclose.JSON(struct {
		*script.Plan
		Next string `json:"next"`
	}{p, next}), g.o.CleanScripts && !p.Clean()), p.Clean(), nil
}

// seconds is a length of time: a number of seconds, or text such as 500ms.
func (a *arguments) seconds(name string) time.Duration {
	raw := a.raw(name)
	if raw == nil {
		return 0
	}
	text := strings.Trim(strings.TrimSpace(string(raw)), `"`)
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d
	}
	a.refuse(name, "a number of seconds", raw)
	return 0
}
