local mt = {}
local function new(v) return setmetatable({ v = v }, mt) end
local function val(o) return type(o) == "table" and o.v or o end
for name, f in pairs({
  __add = function(a, b) return "add" .. val(a) .. val(b) end, __sub = function(a, b) return "sub" end,
  __mul = function(a, b) return "mul" end, __div = function(a, b) return "div" end,
  __mod = function(a, b) return "mod" end, __pow = function(a, b) return "pow" end,
  __unm = function(a) return "unm" end, __idiv = function(a, b) return "idiv" end,
  __band = function(a, b) return "band" end, __bor = function(a, b) return "bor" end,
  __bxor = function(a, b) return "bxor" end, __shl = function(a, b) return "shl" end,
  __shr = function(a, b) return "shr" end, __bnot = function(a) return "bnot" end,
  __concat = function(a, b) return "concat" .. val(a) .. val(b) end, __len = function() return 42 end,
  __eq = function(a, b) return a.v == b.v end, __lt = function(a, b) return val(a) < val(b) end,
  __le = function(a, b) return val(a) <= val(b) end, __call = function(self, ...) return self.v, ... end,
  __tostring = function(self) return "obj" .. self.v end,
}) do mt[name] = f end
local a, b = new(1), new(2)
ok(a + b == "add12" and a + 5 == "add15" and 5 + a == "add51")
ok(a - b == "sub" and a * b == "mul" and a / b == "div" and a % b == "mod" and a ^ b == "pow")
ok(-a == "unm" and a // b == "idiv" and a & b == "band" and a | b == "bor" and a ~ b == "bxor")
ok(a << b == "shl" and a >> b == "shr" and ~a == "bnot")
ok(a .. b == "concat12" and a .. "x" == "concat1x" and "x" .. a == "concatx1")
ok(#a == 42)
ok(a == new(1) and a ~= b and not (a == 1))
ok(a < b and a <= b and not (b < a) and a <= new(1) and b > a and b >= a)
ok(select("#", a(10, 20)) == 3 and select(2, a(10)) == 10)
ok(tostring(a) == "obj1")
-- index chains
local base = { greet = function() return "hi" end }
local derived = setmetatable({}, { __index = base })
local object = setmetatable({}, { __index = derived })
ok(object.greet() == "hi" and object.nothing == nil)
local calls = 0
local lazy = setmetatable({}, { __index = function(t, k) calls = calls + 1 rawset(t, k, k .. "!") return k .. "!" end })
ok(lazy.x == "x!" and lazy.x == "x!" and calls == 1)
local store = {}
local proxy = setmetatable({}, { __newindex = store, __index = store })
proxy.z = 1
ok(rawget(proxy, "z") == nil and store.z == 1 and proxy.z == 1)
local readonly = setmetatable({}, { __newindex = function() error("read only", 0) end })
ok(select(2, pcall(function() readonly.x = 1 end)) == "read only")
ok(getmetatable("").__index == string)
ok(getmetatable(setmetatable({}, { __metatable = "locked" })) == "locked")
ok(not pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {}))
ok(getmetatable({}) == nil and getmetatable(1) == nil)
local weak = setmetatable({}, { __mode = "k" })
weak[{}] = 1
ok(type(weak) == "table")
ok(tostring(setmetatable({}, { __name = "My.Type" })):match("^My.Type: "))
ok(not pcall(function() return setmetatable({}, { __index = function() error("e") end }).x end))
do -- classes
  local Account = {}
  Account.__index = Account
  function Account.new(n) return setmetatable({ balance = n }, Account) end
  function Account:deposit(n) self.balance = self.balance + n end
  local acc = Account.new(10)
  acc:deposit(5)
  ok(acc.balance == 15)
  local Special = setmetatable({}, { __index = Account })
  Special.__index = Special
  local s = setmetatable(Account.new(1), Special)
  s:deposit(1)
  ok(s.balance == 2)
end
do
  local order = {}
  local t = setmetatable({}, { __index = function(_, k) order[#order + 1] = k return k end })
  local _ = t.a, t.b
  ok(table.concat(order) == "ab")
end
ok(pcall(function() local t = setmetatable({}, { __lt = function() return nil end }) return t < t end))
ok((setmetatable({}, { __lt = function() return 1 end }) < {}) == true)
ok(not pcall(function() return setmetatable({}, { __call = 1 })() end))
