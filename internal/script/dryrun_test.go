package script

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// show is a plan in short.
func show(p *Plan) string {
	var parts []string
	add := func(kind string, tools []PlannedTool) {
		for _, t := range tools {
			parts = append(parts, fmt.Sprintf("%s %s.%s%v", kind, t.Server, t.Tool, t.Lines))
		}
	}
	add("read", p.ReadOnly)
	add("write", p.Writing)
	add("unknown", p.Unknown)
	add("missing", p.Missing)
	for _, d := range p.Doubts {
		parts = append(parts, fmt.Sprintf("doubt[%d]", d.Line))
	}
	return strings.Join(parts, ", ")
}

func TestDryRun(t *testing.T) {
	h := newHost()
	h.tools["math"] = map[string]fakeTool{"solve": h.tools["t"]["lists"]}
	for source, want := range map[string]string{
		`return 1`:                               ``,
		`return calculator.add{a=1,b=2}:await()`: `read calculator.add[1]`,
		`t.lists{}`:                              `write t.lists[1]`,
		`t.echo{}`:                               `unknown t.echo[1]`,
		"calculator.add{}\ncalculator.add{}\ncalculator.add{}": `read calculator.add[1 2 3]`,
		`calculator:add{}`:                                              `read calculator.add[1]`,
		`calculator["add"]{}`:                                           `read calculator.add[1]`,
		`calculator[ 'add' ]{}`:                                         `read calculator.add[1]`,
		`calculator[ [[add]] ]{}`:                                       `read calculator.add[1]`,
		`calculator["a\100d"]{}`:                                        `doubt[1]`,
		`calculator["ad" .. "d"]{}`:                                     `doubt[1]`,
		`servers.calculator.add{}`:                                      `read calculator.add[1]`,
		`servers["calculator"]["add"]{}`:                                `read calculator.add[1]`,
		`servers[x].add{}`:                                              `doubt[1]`,
		`local s = servers`:                                             `doubt[1]`,
		`servers.nobody.add{}`:                                          `missing nobody.[1]`,
		`calculator.nothing{}`:                                          `missing calculator.nothing[1]`,
		`pcall(calculator.add, {})`:                                     `read calculator.add[1]`,
		`local f = calculator.add f{}`:                                  `read calculator.add[1]`,
		`parallel({}, calculator.add)`:                                  `read calculator.add[1]`,
		"local c = calculator\nc.add{}":                                 `read calculator.add[2]`,
		"local c <const> = calculator\nc.add{}":                         `read calculator.add[2]`,
		"local c = calculator\nc[x]{}":                                  `doubt[2]`,
		"local c = calculator or t\nc.add{}":                            `doubt[1], doubt[1]`,
		"local c, d = calculator, t":                                    `doubt[1], doubt[1]`,
		"c = calculator":                                                `doubt[1]`,
		"local x = { calculator }":                                      `doubt[1]`,
		"f(calculator)":                                                 `doubt[1]`,
		"for k in pairs(calculator) do end":                             `doubt[1]`,
		`local name = "add" calculator[name]{}`:                         `doubt[1]`,
		`_G["calc" .. "ulator"].add{}`:                                  `doubt[1]`,
		`local e = _ENV e.calculator.add{}`:                             `doubt[1]`,
		`load("calculator.add{}")()`:                                    `doubt[1]`,
		`local l = load`:                                                `doubt[1]`,
		`return { calculator = 1, t = 2 }`:                              ``,
		`return { calculator = calculator.add{} }`:                      `read calculator.add[1]`,
		`local r = {} r.calculator = 1 r.t.add()`:                       ``,
		`-- calculator.add{}`:                                           ``,
		"--[[ calculator.add{}\n]] t.lists{}":                           `write t.lists[2]`,
		`return "calculator.add{}", 'x', [[t.echo]]`:                    ``,
		"local s = [==[\n]] ]==]\nt.lists{}":                            `write t.lists[3]`,
		"local s = 'a\\\nb'\nt.lists{}":                                 `write t.lists[3]`,
		`goto t ::t:: return 1`:                                         ``,
		`local t = 5 return t + 1`:                                      ``,
		`local t = t.echo{} return t[1], t.nothing`:                     `unknown t.echo[1]`,
		`local t = t return t.echo{}`:                                   `unknown t.echo[1]`,
		`local x, t = t.echo{}, 1 return t.x`:                           `unknown t.echo[1]`,
		`do local t = 1 end t.echo{}`:                                   `unknown t.echo[1]`,
		`if x then local t = 1 else t.echo{} end`:                       `unknown t.echo[1]`,
		`if x then local t = 1 elseif y then t.echo{} end`:              `unknown t.echo[1]`,
		`for t = 1, 2 do t.x() end t.echo{}`:                            `unknown t.echo[1]`,
		`for _, t in ipairs(t.echo{}:await()) do t.x() end`:             `unknown t.echo[1]`,
		`for a in (function() for t in x do end end)() do t.echo{} end`: `unknown t.echo[1]`,
		`while x do local t = 1 end t.echo{}`:                           `unknown t.echo[1]`,
		`repeat local t = 1 until x t.echo{}`:                           `unknown t.echo[1]`,
		`local function t() return t.x end t()`:                         ``,
		`local function f(t) return t.x end return t.echo{}`:            `unknown t.echo[1]`,
		`local f = function(a, t, ...) return t.x end t.echo{}`:         `unknown t.echo[1]`,
		`function f(t) t.x() end t.echo{}`:                              `unknown t.echo[1]`,
		`local t t.x()`:                                                 ``,
		`local t; t.x()`:                                                ``,
		`local a = { function() local t = 1 return t.x end, t.echo{} }`: `unknown t.echo[1]`,
		`local t = (function() return t.echo{} end)() t.x()`:            `unknown t.echo[1]`,
		"local t = f\n(t.echo{})":                                       `unknown t.echo[2]`,
		"local t = f\n{t.echo{}}":                                       `unknown t.echo[2]`,
		"local t = f .. t.echo{} or t.lists{}":                          `write t.lists[1], unknown t.echo[1]`,
		"local t = not t.echo{}":                                        `unknown t.echo[1]`,
		"local t <const> = t\nt.echo{}":                                 `unknown t.echo[2]`,
		"local c = t local c = 1 c.x()":                                 ``,
		"local c = t do local c = 1 c.x() end c.echo{}":                 `unknown t.echo[1]`,
		"local c = t c = calculator c.add{}":                            `missing t.add[1], doubt[1]`,
		"local load = 1 return load":                                    ``,
		"local load = load":                                             `doubt[1]`,
		"local _ENV = {} x()":                                           `doubt[1]`,
		"local servers = 1 return servers.x":                            ``,
		"function t:x() return self.y end":                              ``,
		`return math.floor(1), math.pi`:                                 ``,
		`return math.solve{}`:                                           `write math.solve[1]`,
		`local m = math return 1`:                                       ``,
		`return 0x10, 1e5, 3 .. "", 5 // 2, a == b, a ~= b`:             ``,
	} {
		p, err := shared().DryRun(t.Context(), &Request{Source: source}, h)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := show(p); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

// A dry run runs nothing, and a script that does not compile has no plan.
func TestDryRunDoesNotRun(t *testing.T) {
	h := newHost()
	p, err := shared().DryRun(t.Context(), &Request{Source: `while true do calculator.add{} end`}, h)
	if err != nil || !p.Clean() || h.calls.Load() != 0 {
		t.Errorf("%+v %v, %d calls", p, err, h.calls.Load())
	}
	if p, _ := shared().DryRun(t.Context(), &Request{Source: `t.lists{}`}, h); p.Clean() {
		t.Error("a plan that writes is clean")
	}
	_, err = shared().DryRun(t.Context(), &Request{Source: "return 1\n!"}, h)
	if code(err) != CodeSyntax {
		t.Error(err)
	}
	_, err = shared().DryRun(t.Context(), &Request{Source: strings.Repeat(" ", 70*kb)}, h)
	if code(err) != CodeSourceLimit {
		t.Error(err)
	}
	p, err = shared().DryRun(t.Context(), &Request{Source: `return 1`}, h)
	text, _ := json.Marshal(p)
	if err != nil || string(text) != `{"read_only":[],"writing":[],"unknown":[],"missing":[],"doubts":[]}` {
		t.Errorf("%s %v", text, err)
	}
}

// Whatever a script does, it calls no tool that its plan does not name, unless the
// plan has doubts.
func TestPlanIsWhatHappens(t *testing.T) {
	for _, source := range []string{
		`local c = calculator return c.add{a=1,b=1}:await()`,
		`local f = calculator["multiply"] return f{a=1,b=1}:await()`,
		`return parallel({{a=1,b=1}}, calculator.add)`,
		`for _, n in ipairs{"add", "multiply"} do calculator[n]{a=1,b=1}:await() end`,
		`local x = {c = calculator} return x.c.add{a=1,b=1}:await()`,
		`return load("return calculator.add{a=1,b=1}:await()")()`,
		`local calculator = servers.t return calculator.echo{}:await()`,
		`local function f(s) return s.add{a=1,b=1}:await() end return f(calculator)`,
		`local t = t.echo{}:await() do local t = servers.calculator return t.add{a=1,b=1}:await() end`,
		`local x = (function(t) return calculator.add(t) end){a=1,b=1}:await()`,
		`local calculator = 1 do local _ = calculator end return t.echo{}:await()`,
		`local f = function(calculator) return calculator end return calculator.add{a=1,b=1}:await()`,
		`for calculator = 1, 1 do t.echo{}:await() end return calculator.add{a=1,b=1}:await()`,
		"local a = t\nlocal b = a\nreturn b.echo{}:await()",
		`repeat local calculator = 1 until t.echo{}:await()`,
		`local calculator local function f() return calculator end f() return t.echo{}:await()`,
		`return (function(...) local a, calculator = ... return t.echo{}:await() end)(1, 2)`,
		`local r = {} for i, calculator in ipairs{1} do r[i] = t.echo{i = calculator}:await() end return calculator.add{a=1,b=1}:await()`,
	} {
		h := newHost()
		p, err := shared().DryRun(t.Context(), &Request{Source: source}, h)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := runScript(t, source, h)
		checkPlan(t, source, p, r)
		if len(r.Ledger) == 0 {
			t.Errorf("%s called nothing", source)
		}
	}
}

// checkPlan holds what a script did against its plan.
func checkPlan(t *testing.T, source string, p *Plan, r *Result) {
	t.Helper()
	if len(p.Doubts) > 0 {
		return
	}
	for _, c := range r.Ledger {
		named := func(planned PlannedTool) bool { return planned.Server == c.Server && planned.Tool == c.Tool }
		if !slices.ContainsFunc(slices.Concat(p.ReadOnly, p.Writing, p.Unknown), named) {
			t.Errorf("%q called %s.%s, planned %s", source, c.Server, c.Tool, show(p))
		}
	}
}
