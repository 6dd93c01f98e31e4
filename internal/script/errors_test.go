package script

import (
	"math"
	"strings"
	"testing"
)

// Errors teach: the right code, the right line, and a hint for the usual slips.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		source string
		code   Code
		line   int
		hint   string // part of the hint, or of the message
	}{
		{"local x = 1\nif x != 2 then end", CodeSyntax, 2, "~="},
		{"local x = 1\nlocal y = !x", CodeSyntax, 2, "not x"},
		{"if a && b then end", CodeSyntax, 1, "and, or"},
		{"if a || b then end", CodeSyntax, 1, "and, or"},
		{"local x = 1\nx += 1", CodeSyntax, 2, "x = x + 1"},
		{"local x = 1\nx++", CodeSyntax, 2, "x = x + 1"},
		{"// a comment\nreturn 1", CodeSyntax, 1, "--"},
		{"# a comment\nreturn 1", CodeSyntax, 1, "--"},
		{"return { \"a\": 1 }", CodeSyntax, 1, "{ name = value }"},
		{"return { a: 1 }", CodeSyntax, 1, "{ name = value }"},
		{"local list = [1, 2]", CodeSyntax, 1, "{ a, b, c }"},
		{"local f = (x) => x", CodeSyntax, 1, "function(x)"},
		{"if a then\n  b()\nelse if c then\n  d()\nend", CodeSyntax, 5, "elseif"},
		{"return await t.echo{}", CodeSyntax, 1, ":await()"},
		{"const x = 1", CodeSyntax, 1, "local"},
		{"local s = `x`", CodeSyntax, 1, "[[...]]"},
		{"for i = 1, 3 do\n  continue\nend", CodeSyntax, 3, "goto continue"},
		{"local x = a ? 1 : 2", CodeSyntax, 1, "and a or b"},
		{"if true then return 1", CodeSyntax, 1, "end"},
		{"return (1", CodeSyntax, 1, "closed"},

		{"local result = t.echo{}:await()\nresult(1)", CodeRuntime, 2, "hides the function result()"},
		{"local list = {1}\nreturn list[0].x", CodeRuntime, 2, "start at 1"},
		{"local r = calculator.add{a=1,b=2}\nreturn r.result", CodeNotAwaited, 2, ":await()"},
		{"local r = calculator.add{a=1,b=2}\nreturn r + 1", CodeNotAwaited, 2, ":await()"},
		{"local r = calculator.add{a=1,b=2}\nreturn 'x' .. r", CodeNotAwaited, 2, ":await()"},
		{"local r = calculator.add{a=1,b=2}\nreturn #r", CodeNotAwaited, 2, ":await()"},
		{"local r = calculator.add{a=1,b=2}\nfor k in pairs(r) do end", CodeNotAwaited, 2, ":await()"},
		{"local r = calculator.add{a=1,b=2}\nfor k in ipairs(r) do end", CodeNotAwaited, 2, ":await()"},
		{"return { x = calculator.add{a=1,b=2} }", CodeRuntime, 0, ":await()"},
		{"return calculator.add(calculator.add{a=1,b=2}):await()", CodeNotAwaited, 1, ":await()"},
		{"t.echo{}.await()", CodeRuntime, 1, "with a colon"},
		{"\nreturn calculator.ad{}", CodeUnknownTool, 2, "nearest: add"},
		{"\nreturn calculator.zzz{}", CodeUnknownTool, 2, "nearest: add, multiply"},
		{"\nreturn calculater.add{}", CodeRuntime, 2, "nearest: calculator"},
		{"\nreturn zzz.add{}", CodeRuntime, 2, "nearest: calculator"},
		{"\nreturn servers.calculater.add{}", CodeUnknownServer, 2, "nearest: calculator"},
		{"return calculator.add(1, 2):await()", CodeBadArguments, 1, "calculator.add({a = ..., b = ...})"},
		{"return calculator.add({1, 2}):await()", CodeBadArguments, 1, "named arguments"},
		{"return calculator.add('x'):await()", CodeBadArguments, 1, "named arguments"},
		{"return calculator{a=1}", CodeRuntime, 1, "server.tool"},
		{"local v = t.raw{json='{\"structuredContent\":{\"x\":null}}'}:await()\nreturn v.x.y", CodeRuntime, 2, "null"},
		{"return unpack({1})", CodeRuntime, 1, "table.unpack"},
		{"local f = require('fs')", CodeRuntime, 1, "cannot load modules"},
		{"return io.open('x')", CodeRuntime, 1, "no access to the system"},
		{"return os.execute('ls')", CodeRuntime, 1, "no access to the system"},
		{"return await(t.echo{})", CodeRuntime, 1, "await is a method"},
		{"return json.parse('1')", CodeRuntime, 1, "json.decode"},
		{"for _, v in ipairs(nil) do end", CodeRuntime, 1, "no list"},
		{"return 'x' .. {}", CodeRuntime, 1, "json.encode"},
		{"return 1 < '2'", CodeRuntime, 1, "tonumber"},
		{"local function f() return 1 + f() end\nreturn f()", CodeRuntime, 1, "calls itself"},
		{"return {1, nil, 3}", CodeRuntime, 0, "index 2"},
		{"return {1, x = 2}", CodeRuntime, 0, "array or an object"},
		{"return 0/0", CodeRuntime, 0, "nan"},
		{"return print", CodeRuntime, 0, "function"},
		{"return coroutine.create(print)", CodeRuntime, 0, "coroutine"},
		{"error('why')", CodeRuntime, 1, "why"},
		{"error({code = 5})", CodeRuntime, 1, `{"code":5}`},
		{"error(setmetatable({}, {__tostring = function() return 'said' end}))", CodeRuntime, 1, "said"},
		{"local function f()\n  error('deep')\nend\nf()", CodeRuntime, 2, "deep"},
		{"parallel({1}, function()\n  error('in a task')\nend)", CodeRuntime, 2, "in a task"},
		{"parallel({1}, function()\n  t.fail{}:await()\nend)", CodeToolError, 2, "it went wrong"},
		{"await_all({\n  t.echo{},\n  t.fail{}\n})", CodeToolError, 1, "it went wrong"},
		{"parallel(5, print)", CodeRuntime, 1, "wants a list"},
		{"parallel({}, 5)", CodeRuntime, 1, "wants a function"},
		{"parallel({}, print, 0)", CodeRuntime, 1, "at least 1"},
		{"await_all(5)", CodeRuntime, 1, "wants a list"},
		{"t.broken{}:await()", CodeCallFailed, 1, "the server is down"},
		{"t.denied{}:await()", "policy", 1, "not allowed"},
	} {
		_, e := failure(t, c.source, newHost(), nil)
		if e.Code != c.code || e.Line != c.line || !strings.Contains(e.Message+" | "+e.Hint, c.hint) {
			t.Errorf("%s\n  gave %+v\n  want %s at line %d with %q", c.source, *e, c.code, c.line, c.hint)
		}
	}
}

// Where nothing is, nothing is nearest, and no tool of the gateway's can show more.
func TestNothingToCall(t *testing.T) {
	for source, c := range map[string]struct {
		host *fakeHost
		want string
	}{
		"return zzz.add{}":  {&fakeHost{}, `there is no server or variable "zzz"; no server has tools that a script can call`},
		"return bare.add{}": {&fakeHost{tools: map[string]map[string]fakeTool{"bare": {}}}, `server bare has no tool "add", and none that a script can call`},
	} {
		if _, e := failure(t, source, c.host, nil); !strings.Contains(e.Message+" | "+e.Hint, c.want) {
			t.Errorf("%s: %+v", source, *e)
		}
	}
}

// A script that gives no result hears how to.
func TestNoResult(t *testing.T) {
	for source, want := range map[string]string{
		`local x = 1`:                     "return value",
		`local result = t.echo{}:await()`: "return result",
		`return t.echo{x=1}`:              "",
		`result(t.echo{x=1})`:             ":await()",
		`local h = t.echo{} result(h)`:    ":await()",
		`if false then return 1 end`:      "result(value)",
	} {
		r, err := runScript(t, source, newHost())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Notes, " "); !strings.Contains(got, want) {
			t.Errorf("%s: noted %q", source, got)
		}
	}
}

// Limits have codes of their own, and what was done before is kept.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		source string
		limits Limits
		code   Code
	}{
		{strings.Repeat("-", 2000), Limits{Source: 1000}, CodeSourceLimit},
		{`print("kept") while true do end`, Limits{Ticks: 5}, CodeCPULimit},
		{`print("kept") t.echo{}:await() local s = ("x"):rep(1e8)`, Limits{Memory: mb}, CodeMemoryLimit},
		{`print("kept") for i = 1, 10 do t.echo{}:await() end`, Limits{Calls: 3}, CodeCallLimit},
		{`print("kept") print(("x"):rep(100))`, Limits{Print: 50}, CodePrintLimit},
		{`print("kept") return ("x"):rep(100)`, Limits{ResultBytes: 50}, CodeResultLimit},
		{`print("kept") t.echo{x=("x"):rep(100)}`, Limits{Arguments: 50}, CodeArgumentLimit},
		{`print("kept") t.echo{x=("x"):rep(100)}:await()`, Limits{CallResult: 50}, CodeCallResult},
		{`print("kept") t.hang{}:await()`, Limits{Wall: 20_000_000}, CodeTimeLimit},
	} {
		r, e := failure(t, c.source, newHost(), &c.limits)
		if e.Code != c.code || e.Message == "" {
			t.Errorf("%s: %v", clip(c.source, 60), e)
		}
		if c.code != CodeSourceLimit && !strings.HasPrefix(r.Printed, "kept") {
			t.Errorf("%s: printed %q", c.source, r.Printed)
		}
	}
	r, _ := failure(t, `t.echo{}:await() t.hang{}:await()`, newHost(), &Limits{Wall: 20_000_000})
	if len(r.Ledger) != 2 || r.Ledger[0].Status != StatusOK || r.Ledger[1].Status != StatusCancelled {
		t.Errorf("%+v", r.Ledger)
	}
	if r, _ := failure(t, `print(("ä"):rep(30)) print(("ä"):rep(30))`, newHost(), &Limits{Print: 100}); !strings.HasPrefix(r.Printed, "ä") || strings.ContainsRune(r.Printed, '\uFFFD') {
		t.Errorf("%q", r.Printed)
	}
}

func TestLimitsAreBounded(t *testing.T) {
	huge := &Limits{Source: math.MaxInt, Memory: math.MaxInt, Ticks: math.MaxInt, Wall: 1 << 60, Calls: math.MaxInt, InFlight: math.MaxInt, PerServer: math.MaxInt, Arguments: math.MaxInt, CallResult: math.MaxInt, Print: math.MaxInt, ResultBytes: math.MaxInt}
	if got := huge.withDefaults(); got != Maxima() {
		t.Errorf("%+v", got)
	}
	if got := (&Limits{Calls: -1}).withDefaults(); got != Defaults() {
		t.Errorf("%+v", got)
	}
}
