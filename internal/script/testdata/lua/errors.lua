-- errors and pcall
do
  local good, e = pcall(error, "msg")
  ok(not good and e == "msg")
  good, e = pcall(error, { code = 1 })
  ok(not good and e.code == 1)
  good, e = pcall(error)
  ok(not good and e == nil)
  good, e = pcall(function() error("x", 0) end)
  ok(e == "x")
  good, e = pcall(function() error("x") end)
  ok(e:match("^script:%d+: x$") ~= nil)
  good, e = pcall(function() error("x", 2) end)
  ok(type(e) == "string")
end
ok(select("#", pcall(function() return 1, 2, 3 end)) == 4)
ok(select(2, pcall(function() return "v" end)) == "v")
ok(pcall(pcall, error))
do
  local trace
  local good, v = xpcall(function() error("a", 0) end, function(m) trace = m return m .. "!" end)
  ok(not good and v == "a!" and trace == "a")
  ok(xpcall(function(...) return select("#", ...) == 2 end, print, 1, 2))
end
ok(select(2, pcall(function() local x; x.y = 1 end)):match("local 'x'"))
ok(select(2, pcall(function() local t = {} t.a.b = 1 end)):match("field 'a'"))
ok(select(2, pcall(function() undefined_thing() end)):match("global 'undefined_thing'"))
ok(select(2, pcall(function() local s = "x" s:nope() end)):match("method 'nope'"))
ok(select(2, pcall(function() return 1 + {} end)):match("arithmetic on a table"))
ok(select(2, pcall(function() return 1 + "abc" end)):match("string"))
ok(select(2, pcall(function() return {} .. "x" end)):match("concatenate"))
ok(select(2, pcall(function() return {} < {} end)):match("compare two table"))
ok(select(2, pcall(function() return 1 < "x" end)):match("number with string"))
ok(select(2, pcall(function() return #5 end)):match("length of a number"))
ok(select(2, pcall(function() return 2 ^ 53 | 1.5 end)):match("no integer representation"))
ok(select(2, pcall(function() string.rep() end)):match("bad argument #1 to 'rep'"))
ok(select(2, pcall(setmetatable, 1, {})):match("table expected"))
ok(select(2, pcall(ipairs)):match("bad argument #1"))
ok(select(2, pcall(tostring)):match("value expected"))
ok(assert(1, "x") == 1)
ok(select("#", assert(1, 2, 3)) == 3)
ok(select(2, pcall(assert, false)) == "assertion failed!")
ok(select(2, pcall(assert, nil, "why")) == "why")
ok(select(2, pcall(assert, false, { 1 }))[1] == 1)
do
  local function deep(n) return n == 0 and error("bottom", 0) or (deep(n - 1)) end
  ok(select(2, pcall(deep, 100)) == "bottom")
  local function forever() return 1 + forever() end
  local good, e = pcall(forever)
  ok(not good and e:match("stack overflow"))
  ok(select(2, pcall(string.rep, "x", 1 << 40)):match("memory") or select(2, pcall(string.rep, "x", 1 << 40)):match("too large"))
end
-- a caught error leaves everything usable
for i = 1, 50 do
  local good, e = pcall(function() local t = { pcall(error, i) } error(t[2], 0) end)
  ok(not good and e == i)
end
