-- scope, closures, varargs, goto
local function counter() local n = 0 return function() n = n + 1 return n end end
local a, b = counter(), counter()
ok(a() == 1 and a() == 2 and b() == 1)
do
  local fs = {}
  for i = 1, 3 do fs[i] = function() return i end end
  ok(fs[1]() == 1 and fs[2]() == 2 and fs[3]() == 3)
  fs = {}
  local i = 1
  while i <= 2 do local j = i fs[i] = function() j = j + 1 return j end i = i + 1 end
  ok(fs[1]() == 2 and fs[1]() == 3 and fs[2]() == 3)
end
local x = 1
do local x = 2 ok(x == 2) end
ok(x == 1)
local function va(...) return select("#", ...), ... end
ok(va() == 0 and va(nil) == 1 and va(nil, nil) == 2)
ok(select(3, va("a", "b")) == "b")
ok((va(1, 2, 3)) == 3)
ok(#{ va(1, 2) } == 3)
ok(#{ va(1, 2), 10 } == 2)
local function pass(...) local p, q = ... return q, p end
ok(pass(1, 2) == 2)
local function tail(n) if n == 0 then return "done" end return tail(n - 1) end
ok(tail(100000) == "done")
local function fact(n) return n <= 1 and 1 or n * fact(n - 1) end
ok(fact(20) == 2432902008176640000)
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
ok(fib(20) == 6765)
do
  local n = 0
  for i = 1, 10 do
    if i % 2 == 0 then goto continue end
    n = n + i
    ::continue::
  end
  ok(n == 25)
  local i = 1
  ::top::
  if i < 5 then i = i + 1 goto top end
  ok(i == 5)
  for i = 1, 3 do for j = 1, 3 do if j == 2 then goto out end end end
  ::out::
  ok(true)
end
do
  local n = 0
  repeat local stop = n >= 3 n = n + 1 until stop
  ok(n == 4)
  while true do n = n + 1 if n > 10 then break end end
  ok(n == 11)
end
if nil then ok(false) elseif false then ok(false) else ok(true) end
if 0 then ok(true) else ok(false) end
if "" then ok(true) else ok(false) end
local p, q, r = 1, 2
ok(p == 1 and q == 2 and r == nil)
p, q = q, p
ok(p == 2 and q == 1)
do
  local t = { 1, 2 }
  local i = 1
  i, t[i] = i + 1, 20
  ok(i == 2 and t[1] == 20)
end
do
  local o = { n = 1 }
  function o:add(k) self.n = self.n + k return self end
  ok(o:add(2):add(3).n == 6)
  function o.plain(k) return k end
  ok(o.plain(5) == 5)
end
do
  local log = {}
  do
    local c <close> = setmetatable({}, { __close = function(_, e) log[#log + 1] = "c" end })
    local d <close> = setmetatable({}, { __close = function() log[#log + 1] = "d" end })
    local n <close> = nil
  end
  ok(table.concat(log) == "dc")
  local err
  pcall(function()
    local c <close> = setmetatable({}, { __close = function(_, e) err = e end })
    error("boom", 0)
  end)
  ok(err == "boom")
  ok(not pcall(function() local c <close> = 42 end))
  ok(load("local x <const> = 1; x = 2") == nil)
  local k <const> = 5
  ok(k == 5)
end
-- load and environments
ok(load("return 1 + 1")() == 2)
ok(load("return ...")(7) == 7)
ok(load("syntax error here") == nil)
ok(select(2, load("x =", "=chunk")):match("^chunk:1:") ~= nil)
ok(load("return x", "c", "t", { x = 9 })() == 9)
do
  local parts, i = { "return ", "40", "+2" }, 0
  ok(load(function() i = i + 1 return parts[i] end)() == 42)
  local env = {}
  load("y = 5; function f() return y end", "c", "t", env)()
  ok(env.y == 5 and env.f() == 5)
  ok(load("local _ENV = { z = 3 } return z")() == 3)
end
ok(_VERSION == "Lua 5.4")
ok(type(_G) == "table" and _G._G == _G)
ok(load("goto nowhere") == nil and load("break") == nil and load("::a:: ::a::") == nil)
ok(load("return 'unfinished") == nil and load("return [[x") == nil)
ok(load("for i in 1 do end") ~= nil)
ok(load("local a <foo> = 1") == nil)
ok(load("--[[ comment ]] return 1")() == 1)
ok(load("--[==[ \n ]] ]==] return 2")() == 2)
ok(load("return 0x") == nil and load("return 1..2") == nil)
ok(load(";;; return 3;")() == 3)
ok(load("return function() end")() ~= nil)
ok(load("a.b:c = 1") == nil and load("a() = 1") == nil)
ok(load("return (1)") and load("return -(-1)")() == 1)
ok(load("# not a comment") == nil)
