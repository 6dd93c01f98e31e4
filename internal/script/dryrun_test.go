package script

import (
	"encoding/json"
	"fmt"
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
		`calculator:add{}`:                                  `read calculator.add[1]`,
		`calculator["add"]{}`:                               `read calculator.add[1]`,
		`calculator[ 'add' ]{}`:                             `read calculator.add[1]`,
		`calculator[ [[add]] ]{}`:                           `read calculator.add[1]`,
		`calculator["a\100d"]{}`:                            `doubt[1]`,
		`calculator["ad" .. "d"]{}`:                         `doubt[1]`,
		`servers.calculator.add{}`:                          `read calculator.add[1]`,
		`servers["calculator"]["add"]{}`:                    `read calculator.add[1]`,
		`servers[x].add{}`:                                  `doubt[1]`,
		`local s = servers`:                                 `doubt[1]`,
		`servers.nobody.add{}`:                              `missing nobody.[1]`,
		`calculator.nothing{}`:                              `missing calculator.nothing[1]`,
		`pcall(calculator.add, {})`:                         `read calculator.add[1]`,
		`local f = calculator.add f{}`:                      `read calculator.add[1]`,
		`parallel({}, calculator.add)`:                      `read calculator.add[1]`,
		"local c = calculator\nc.add{}":                     `read calculator.add[2]`,
		"local c <const> = calculator\nc.add{}":             `read calculator.add[2]`,
		"local c = calculator\nc[x]{}":                      `doubt[2]`,
		"local c = calculator or t\nc.add{}":                `doubt[1], doubt[1]`,
		"local c, d = calculator, t":                        `doubt[1], doubt[1]`,
		"c = calculator":                                    `doubt[1]`,
		"local x = { calculator }":                          `doubt[1]`,
		"f(calculator)":                                     `doubt[1]`,
		"for k in pairs(calculator) do end":                 `doubt[1]`,
		`local name = "add" calculator[name]{}`:             `doubt[1]`,
		`_G["calc" .. "ulator"].add{}`:                      `doubt[1]`,
		`local e = _ENV e.calculator.add{}`:                 `doubt[1]`,
		`load("calculator.add{}")()`:                        `doubt[1]`,
		`local l = load`:                                    `doubt[1]`,
		`return { calculator = 1, t = 2 }`:                  ``,
		`return { calculator = calculator.add{} }`:          `read calculator.add[1]`,
		`local r = {} r.calculator = 1 r.t.add()`:           ``,
		`-- calculator.add{}`:                               ``,
		"--[[ calculator.add{}\n]] t.lists{}":               `write t.lists[2]`,
		`return "calculator.add{}", 'x', [[t.echo]]`:        ``,
		"local s = [==[\n]] ]==]\nt.lists{}":                `write t.lists[3]`,
		"local s = 'a\\\nb'\nt.lists{}":                     `write t.lists[3]`,
		`goto t ::t:: return 1`:                             ``,
		`local t = 5 return t + 1`:                          `doubt[1]`, // it might be the server: more, not less
		`return math.floor(1), math.pi`:                     ``,
		`return math.solve{}`:                               `write math.solve[1]`,
		`local m = math return 1`:                           ``,
		`return 0x10, 1e5, 3 .. "", 5 // 2, a == b, a ~= b`: ``,
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
	} {
		h := newHost()
		p, err := shared().DryRun(t.Context(), &Request{Source: source}, h)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := runScript(t, source, h)
		for _, c := range r.Ledger {
			if !strings.Contains(show(p), c.Server+"."+c.Tool) && len(p.Doubts) == 0 {
				t.Errorf("%s called %s.%s, planned %s", source, c.Server, c.Tool, show(p))
			}
		}
		if len(r.Ledger) == 0 {
			t.Errorf("%s called nothing", source)
		}
	}
}
