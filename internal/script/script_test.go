package script

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Values come from return or result, and calls give what mission and docs say.
func TestValues(t *testing.T) {
	for source, want := range map[string]string{
		`return 1`:            `1`,
		`return 1, nil, "x"`:  `[1,null,"x"]`,
		`return nil`:          `null`,
		`return {}`:           `{}`,
		`return array{}`:      `[]`,
		`result(1) result(2)`: `2`,
		`result(1) return 2`:  `1`,
		`result()`:            `null`,
		`return args`:         `null`,
		`return "\xff"`:       `"` + "\uFFFD" + `"`,
		`return calculator.add{a=1,b=2}:await().result`:                                                    `3`,
		`return calculator:add({a=1,b=2}):await().result`:                                                  `3`,
		`return servers.calculator.add{a=1,b=2}:await().result`:                                            `3`,
		`return servers["calculator"]["add"]{a=1,b=2}:await().result`:                                      `3`,
		`local h = calculator.add{a=1,b=2} h:await() return h:await().result`:                              `3`,
		`return calculator.add{a=1,b=2}`:                                                                   `{"result":3}`,
		`result(calculator.add{a=1,b=2})`:                                                                  `{"result":3}`,
		`return t.text{text='{"a":[1,null]}'}:await()`:                                                     `{"a":[1,null]}`,
		`return t.text{text='plain'}:await()`:                                                              `"plain"`,
		`return t.text{text='12'}:await() + 1`:                                                             `13`,
		`return t.text{text='123456789012345678901234'}:await()`:                                           `"123456789012345678901234"`,
		`return t.text{text=''}:await()`:                                                                   `""`,
		`return t.raw{json='{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}'}:await()`: `[{"text":"a","type":"text"},{"text":"b","type":"text"}]`,
		`return t.raw{json='{"content":[]}'}:await()`:                                                      `[]`,
		`return t.raw{json='{"content":[{"type":"text","text":"x"}],"structuredContent":null}'}:await()`:   `"x"`,
		`return t.raw{json='{"structuredContent":{"n":9007199254740993,"m":-9223372036854775808,"f":1.5,"e":[],"o":{},"z":null}}'}:await()`: `{"e":[],"f":1.5,"m":-9223372036854775808,"n":9007199254740993,"o":{},"z":null}`,
		`return t.echo():await()`:                                                            `{}`,
		`return t.echo(nil):await()`:                                                         `{}`,
		`return t.echo(null):await()`:                                                        `{}`,
		`return t.echo{n=9007199254740993, x=null}:await()`:                                  `{"n":9007199254740993,"x":null}`,
		`return t.echo{a={b={c={1,2,{d=true}}}}}:await()`:                                    `{"a":{"b":{"c":[1,2,{"d":true}]}}}`,
		`return t.echo{n=10/2, f=2^0.5}:await()`:                                             `{"f":1.4142135623730951,"n":5}`,
		`return await_all{t.echo{i=1}, t.echo{i=2}, 3}`:                                      `[{"i":1},{"i":2},3]`,
		`return await_all(t.echo{i=1}, t.echo{i=2})`:                                         `[{"i":1},{"i":2}]`,
		`return await_all{}`:                                                                 `[]`,
		`return parallel({1,2,3}, function(x, i) return t.echo{x=x*10, i=i}:await() end, 2)`: `[{"i":1,"x":10},{"i":2,"x":20},{"i":3,"x":30}]`,
		`return parallel({1,2}, function(x) return t.echo{x=x} end)`:                         `[{"x":1},{"x":2}]`,
		`return parallel({{x=1},{x=2}}, t.echo)`:                                             `[{"x":1},{"x":2}]`,
		`return parallel({}, t.echo)`:                                                        `[]`,
		`return parallel({1,2}, function() end)`:                                             `[null,null]`,
		`return parallel({1,2}, function(a) return parallel({3,4}, function(b) return t.echo{p=a*b}:await().p end) end)`:             `[[3,4],[6,8]]`,
		`return parallel({3,1,2}, function(x) coroutine.yield() return x end)`:                                                       `[3,1,2]`,
		`return parallel({1,2}, function(x) local co = coroutine.wrap(function() return t.echo{x=x}:await().x end) return co() end)`: `[1,2]`,
		`return parallel({1,2}, function(x) local ok, v = pcall(function() return t.echo{x=x}:await().x end) return v end)`:          `[1,2]`,
		`local v, e = t.fail{}:try() return {v == nil, e.code, e.server, e.tool, e.message, e.line}`:                                 `[true,"tool_error","t","fail","it went wrong",1]`,
		`local v, e = t.echo{x=1}:try() return {v.x, e == nil}`:                                                                      `[1,true]`,
		`local v, e = t.broken{}:try() return e.code .. ": " .. e`:                                                                   `"call_failed: script:1: t.broken: the server is down"`,
		`local v, e = t.denied{}:try() return e.code`:                                                                                `"policy"`,
		`local ok, e = pcall(function() t.fail{}:await() end) return tostring(e)`:                                                    `"script:1: t.fail: it went wrong"`,
		`local ok, e = pcall(await_all, {t.echo{}, t.fail{}}) return e.code`:                                                         `"tool_error"`,
		`local ok, e = pcall(parallel, {1,2,3}, function(x) if x == 2 then error("no", 0) end return x end) return e`:                `"no"`,
		`local h = t.fail{} local _, a = h:try() local _, b = h:try() return a == b`:                                                 `true`,
		`if t.raw{json='{"structuredContent":{"x":null}}'}:await().x then return "yes" else return "no" end`:                         `"no"`,
	} {
		if got := value(t, source, newHost()); got != want {
			t.Errorf("%s:\n got %s\nwant %s", source, got, want)
		}
	}
}

// What an empty table becomes is decided by the schema of the tool.
func TestEmptyTables(t *testing.T) {
	for arguments, want := range map[string]string{
		`{labels={}}`:                  `{"labels":[]}`,
		`{filter={}}`:                  `{"filter":{}}`,
		`{filter={tags={}}}`:           `{"filter":{"tags":[]}}`,
		`{rows={{}, {}}}`:              `{"rows":[[],[]]}`,
		`{rows={{{}}}}`:                `{"rows":[[{}]]}`,
		`{ref={}}`:                     `{"ref":[]}`,
		`{any={}}`:                     `{"any":[]}`,
		`{both={}}`:                    `{"both":{}}`,
		`{other={}}`:                   `{"other":[]}`,
		`{filter={x={}}}`:              `{"filter":{"x":{}}}`,
		`{labels=array{}}`:             `{"labels":[]}`,
		`{filter=array{}}`:             `{"filter":[]}`,
		`{["a\"}"]={}, labels={"\\"}}`: `{"a\"}":[],"labels":["\\"]}`,
		`{}`:                           `{}`,
	} {
		if got := value(t, `return json.encode(t.lists(`+arguments+`):await())`, newHost()); got != mustJSON(want) {
			t.Errorf("%s became %s, want %s", arguments, got, mustJSON(want))
		}
	}
	if got := value(t, `return t.echo{a={}}:await()`, newHost()); got != `{"a":{}}` {
		t.Errorf("without a schema: %s", got)
	}
}

func mustJSON(text string) string {
	quoted, err := marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// The examples of the first description of scripts run as they stand.
func TestSeedExamples(t *testing.T) {
	seed := filepath.Join("..", "..", "..", "shared", "seeds", "progressive-discovery.md")
	text, err := os.ReadFile(seed)
	if err != nil {
		t.Skipf("the seed's examples are not beside the checkout: %v", err)
	}
	blocks := regexp.MustCompile("(?s)```lua\n(.*?)```").FindAllSubmatch(text, -1)
	inline := regexp.MustCompile(`execute\("(result\(.*?\))"\)`).FindAllSubmatch(text, -1)
	if len(blocks) == 0 || len(inline) == 0 {
		t.Fatal("no examples in the seed")
	}
	want := `{"product":{"result":60},"sum":{"result":30}}`
	for _, block := range blocks {
		if got := value(t, string(block[1]), newHost()); got != want {
			t.Errorf("%s gives %s", block[1], got)
		}
	}
	for _, line := range inline {
		if got := value(t, string(line[1]), newHost()); got != `{"result":8}` {
			t.Errorf("%s gives %s", line[1], got)
		}
	}
	template := regexp.MustCompile(`(?s)local result = calculator\.add.*?:await\(\)`).Find(text)
	r, err := runScript(t, string(template), newHost())
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "return result") {
		t.Errorf("%s: %v %q", template, err, r.Notes)
	}
}

// Any name that the catalog gives a server or tool can be used, those of Lua's own
// things included.
func TestNames(t *testing.T) {
	h := newHost()
	echo := h.tools["t"]["echo"]
	for _, name := range []string{"_while", "_goto", "_123numbers", "my_api", "my_api_2", "_unnamed", "math", "string", "print", "parallel", "result", "json"} {
		h.tools[name] = map[string]fakeTool{"_end": echo, "floor2": echo, "_while": echo, "a_b": echo}
	}
	h.tools["my.api"] = map[string]fakeTool{"get-it": echo}
	for source, want := range map[string]string{
		`return _while._end{x=1}:await().x`:                                             `1`,
		`return _goto._while{x=1}:await().x`:                                            `1`,
		`return _123numbers.a_b{x=1}:await().x`:                                         `1`,
		`return my_api.a_b{x=1}:await().x + my_api_2.a_b{x=2}:await().x`:                `3`,
		`return _unnamed.a_b{x=1}:await().x`:                                            `1`,
		`return servers["my.api"]["get-it"]{x=1}:await().x`:                             `1`,
		`return {math.floor(1.5), math.floor2{x=2}:await().x}`:                          `[1,2]`,
		`return {("x"):upper(), string.a_b{x=2}:await().x}`:                             `["X",2]`,
		`print("still") return print.a_b{x=1}:await().x`:                                `1`,
		`return {parallel({1}, function(x) return x end), parallel.a_b{x=1}:await().x}`: `[[1],1]`,
		`result(result.a_b{x=1}:await().x)`:                                             `1`,
		`return {json.encode(1), json.a_b{x=1}:await().x}`:                              `["1",1]`,
		`return servers.math.floor2{x=1}:await().x`:                                     `1`,
		`return tostring(my_api)`:                                                       `"server my_api"`,
	} {
		if got := value(t, source, h); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// The arguments of a request are the global args.
func TestArguments(t *testing.T) {
	r, err := shared().Run(t.Context(), &Request{
		Source: `return args.n + 1, args.list, args.big`, Args: json.RawMessage(`{"n":1,"list":[],"big":9007199254740993}`),
	}, newHost())
	if err != nil || string(r.Value) != `[2,[],9007199254740993]` {
		t.Errorf("%s %v", r.Value, err)
	}
	_, err = shared().Run(t.Context(), &Request{Source: `return 1`, Args: json.RawMessage(`{"n":`)}, newHost())
	if code(err) != CodeBadArguments {
		t.Errorf("bad arguments: %v", err)
	}
}

// Binary content stays outside: a script sees what it is, and passes it on.
func TestBinaryContent(t *testing.T) {
	image := `{"content":[{"type":"image","data":"AAECAw==","mimeType":"image/png"},{"type":"resource","resource":{"uri":"x:y","blob":"QUJD","mimeType":"application/zip"}}]}`
	call := `local c = t.raw{json=` + quote(image) + `}:await() `
	for source, want := range map[string]string{
		`return c[1].type, c[1].mimeType, c[1].data.mimeType, c[1].data.size, #c[2].resource.blob`: `["image","image/png","image/png",6,3]`,
		`return c[1].data:base64(), tostring(c[2].resource.blob)`:                                  `["AAECAw==","<application/zip, 3 bytes>"]`,
		`return c[1]`: `{"data":"AAECAw==","mimeType":"image/png","type":"image"}`,
		`return t.echo{file=c[1].data, also={}}:await().file`: `"AAECAw=="`,
		`print(c) return 1`: `1`,
	} {
		if got := value(t, call+source, newHost()); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
	r, err := runScript(t, call+`return {content = c}`, newHost())
	if err != nil || !r.IsToolResult || !strings.Contains(string(r.Value), `"blob":"QUJD"`) {
		t.Errorf("%v %v %s", r.IsToolResult, err, r.Value)
	}
	_, e := failure(t, `local x = ("A"):rep(2e6) for i = 1, 9 do t.raw{json='{"content":[{"type":"image","data":"' .. x .. '","mimeType":"x"}]}'}:await() end`,
		newHost(), &Limits{Memory: 16 * mb, Arguments: 4 * mb, Ticks: 30_000})
	if e.Code != CodeCallResult || !strings.Contains(e.Message, "binary content") {
		t.Error(e)
	}
	if _, e := failure(t, call+`return json.encode(c)`, newHost(), nil); !strings.Contains(e.Message, "base64") {
		t.Error(e)
	}
	if _, e := failure(t, call+`return c[1].data.nope`, newHost(), nil); !strings.Contains(e.Message, "base64") {
		t.Error(e)
	}
}

// A script that ends with calls under way cancels them and says so.
func TestCallsThatWereNotAwaited(t *testing.T) {
	h := newHost()
	r, err := runScript(t, "t.hang{}\nt.echo{}:await()\nreturn 1", h)
	if err != nil || string(r.Value) != "1" {
		t.Fatalf("%s %v", r.Value, err)
	}
	if len(r.Ledger) != 2 || r.Ledger[0].Status != StatusCancelled || r.Ledger[0].Awaited || r.Ledger[1].Status != StatusOK || !r.Ledger[1].Awaited {
		t.Errorf("%+v", r.Ledger)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "t.hang") || strings.Contains(r.Notes[0], "t.echo") {
		t.Errorf("%q", r.Notes)
	}
	if h.active.Load() != 0 {
		t.Error("a call is still under way")
	}
}

// A failure in the middle keeps what was done before it, and nothing is done twice.
func TestLedgerOfAFailure(t *testing.T) {
	h := newHost()
	r, e := failure(t, "print('start')\nt.echo{n=1}:await()\nt.fail{}:await()\nt.echo{n=2}:await()", h, nil)
	if e.Code != CodeToolError || e.Line != 3 || e.Server != "t" || e.Tool != "fail" || e.Message != "it went wrong" {
		t.Errorf("%+v", e)
	}
	if r.Printed != "start\n" {
		t.Errorf("%q", r.Printed)
	}
	if len(r.Ledger) != 2 || r.Ledger[0].Status != StatusOK || r.Ledger[0].Line != 2 || r.Ledger[1].Status != StatusFailed || r.Ledger[1].Error != "it went wrong" {
		t.Errorf("%+v", r.Ledger)
	}
	if h.calls.Load() != 2 {
		t.Errorf("%d calls were made", h.calls.Load())
	}
}

// parallel starts nothing new after a failure, and lets what was started end.
func TestParallelFails(t *testing.T) {
	h := newHost()
	r, e := failure(t, `parallel({1,2,3,4,5,6}, function(i) if i == 2 then t.fail{}:await() end t.echo{}:await() t.echo{}:await() end, 2)`, h, nil)
	if e.Code != CodeToolError {
		t.Error(e)
	}
	for _, c := range r.Ledger {
		if !c.Awaited || c.Status == StatusCancelled {
			t.Errorf("%+v", c)
		}
	}
	if n := len(r.Ledger); n < 2 || n > 7 {
		t.Errorf("%d calls", n)
	}
}

// So many calls run at a time, in all and per server; the others wait.
func TestCallsInFlight(t *testing.T) {
	h := newHost()
	all := make(chan struct{})
	meet := sync.OnceFunc(func() { close(all) })
	h.tools["t"]["meet"] = fakeTool{do: func(ctx context.Context, _ json.RawMessage) (string, error) {
		if h.active.Load() == 3 {
			meet()
		}
		select {
		case <-all:
			return textResult("met")
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}}
	source := `local h = {} for i = 1, 20 do h[i] = t.meet{} end await_all(h)`
	if _, err := runLimited(t, source, h, &Limits{InFlight: 8, PerServer: 3}); err != nil {
		t.Fatal(err)
	}
	if most := h.most.Load(); most != 3 {
		t.Errorf("%d calls at a time", most)
	}
}

// Integers that Lua cannot hold are noted, never rounded in silence.
func TestInexactIntegers(t *testing.T) {
	r, err := runScript(t, `return t.raw{json='{"structuredContent":{"n":123456789012345678901}}'}:await().n > 1`, newHost())
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "123456789012345678901") {
		t.Errorf("%v %q", err, r.Notes)
	}
}

// What tools answer may be anything; a script gets a value or an error.
func TestStrangeResults(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for raw, want := range map[string]Code{
		`not json`:                           CodeCallFailed,
		`[]`:                                 CodeCallFailed,
		``:                                   CodeCallFailed,
		`{"content":5}`:                      CodeCallFailed,
		`{"structuredContent":` + deep + `}`: CodeCallResult,
		`{"isError":true}`:                   CodeToolError,
		`{"isError":true,"structuredContent":{"why":"x"}}`: CodeToolError,
	} {
		h := newHost()
		h.tools["t"]["odd"] = fakeTool{do: func(context.Context, json.RawMessage) (string, error) { return raw, nil }}
		_, e := failure(t, `return t.odd{}:await()`, h, nil)
		if e.Code != want || e.Line != 1 || e.Tool != "odd" {
			t.Errorf("%s: %v", clip(raw, 50), e)
		}
	}
	for raw, want := range map[string]string{
		`{}`:               `[]`,
		`{"content":null}`: `[]`,
		`{"content":[1,"x",null,{"type":7},{"type":"video","data":"x"}]}`: `[1,"x",null,{"type":7},{"data":"x","type":"video"}]`,
		`{"content":[{"type":"image","data":5}]}`:                         `[{"data":5,"type":"image"}]`,
		`{"content":[{"type":"resource","resource":"x"}]}`:                `[{"resource":"x","type":"resource"}]`,
		`{"content":[{"type":"text","text":` + mustJSON(deep) + `}]}`:     mustJSON(deep),
	} {
		h := newHost()
		h.tools["t"]["odd"] = fakeTool{do: func(context.Context, json.RawMessage) (string, error) { return raw, nil }}
		if got := value(t, `return t.odd{}:await()`, h); got != want {
			t.Errorf("%s: %s", clip(raw, 50), got)
		}
	}
}

// A finalizer may run at any allocation, and use the bridge as well: neither
// disturbs the other.
func TestFinalizersUseTheBridge(t *testing.T) {
	source := `
local runs, shared = 0, nil
local function arm()
  setmetatable({}, { __gc = function()
    runs = runs + 1
    json.encode({ noise = ("n"):rep(100), list = { runs, runs } })
    json.decode('{"noise":[1,2,3]}')
    pcall(function() t.broken{}:await() end)
    pcall(function() return t.missing end)
    pcall(function() shared:await() end)
    print(runs)
    if runs < 150 then arm() end
  end })
end
arm()
local big = {}
for i = 1, 300 do big["key" .. i] = { i, "value " .. i } end
local text = json.encode(big)
for i = 1, 150 do
  shared = t.echo(big)
  assert(json.encode(shared:await()) == text, "a value was changed")
  assert(json.encode(json.decode(text)) == text, "JSON was changed")
  local _, err = t.fail{}:try()
  assert(err.message == "it went wrong" and err.tool == "fail", "an error was changed")
  local ok, err = pcall(function() return t.nothing end)
  assert(err.code == "unknown_tool" and err.tool == "nothing", "a lookup was changed")
end
return runs`
	r, err := runLimited(t, source, newHost(), &Limits{Calls: 1000, Ticks: 30_000})
	if err != nil {
		t.Fatal(err)
	}
	var runs int
	if err := json.Unmarshal(r.Value, &runs); err != nil || runs < 50 {
		t.Errorf("%d finalizers ran: %v", runs, err)
	}
}
