local t = { 1, 2, 3, x = "y", [10] = 10, ["a b"] = 1, [1.0] = "one" }
ok(t[1] == 1 or t[1] == "one")
ok(t.x == "y" and t["a b"] == 1 and t[10] == 10)
ok(#{ 1, 2, 3 } == 3 and #{} == 0)
ok(#{ n = 1 } == 0)
ok(({ 1, 2, nil, 4 })[4] == 4)
t = {}
t[1.0] = "a"
ok(t[1] == "a")
t[2 ^ 53] = "b"
ok(t[2 ^ 53 | 0] == "b")
ok(not pcall(function() t[nil] = 1 end))
ok(not pcall(function() t[0 / 0] = 1 end))
ok(t[nil] == nil and t[0 / 0] == nil)
t = { 5, 3, 1, 4, 2 }
table.sort(t)
ok(table.concat(t, ",") == "1,2,3,4,5")
table.sort(t, function(a, b) return a > b end)
ok(table.concat(t, ",") == "5,4,3,2,1")
do
  local words = { "pear", "Apple", "fig" }
  table.sort(words)
  ok(table.concat(words, " ") == "Apple fig pear")
  table.sort(words, function(a, b) return #a < #b end)
  ok(words[1] == "fig" and words[3] == "Apple")
end
ok(not pcall(table.sort, { 1, "a" }))
ok(not pcall(table.sort, { 3, 2, 1, 4 }, function() error("x") end))
do
  local big = {}
  for i = 1, 1000 do big[i] = (i * 7919) % 1009 end
  table.sort(big)
  local sorted = true
  for i = 2, #big do sorted = sorted and big[i - 1] <= big[i] end
  ok(sorted)
end
t = {}
table.insert(t, "a")
table.insert(t, 1, "b")
ok(t[1] == "b" and t[2] == "a" and #t == 2)
ok(not pcall(table.insert, t, 5, "x"))
ok(not pcall(table.insert, t))
ok(table.remove(t, 1) == "b" and #t == 1)
ok(table.remove(t) == "a" and #t == 0)
ok(table.remove(t) == nil)
ok(table.remove({}, 0) == nil)
ok(table.concat({}, ",") == "")
ok(table.concat({ 1, 2.5, "x" }, "-") == "1-2.5-x")
ok(table.concat({ 1, 2, 3, 4 }, ",", 2, 3) == "2,3")
ok(not pcall(table.concat, { {} }))
ok(select("#", table.unpack({ 1, 2, 3 })) == 3)
ok(select("#", table.unpack({}, 1, 3)) == 3)
ok(table.unpack({ 1, 2, 3 }, 2) == 2)
ok(table.unpack({ 1, 2, 3 }, -1, 1) == nil)
do
  local p = table.pack(1, nil, 3)
  ok(p.n == 3 and p[1] == 1 and p[2] == nil and p[3] == 3)
  ok(table.pack().n == 0)
end
do
  local m = table.move({ 1, 2, 3 }, 1, 3, 2)
  ok(m[1] == 1 and m[2] == 1 and m[4] == 3)
  m = table.move({ 1, 2, 3 }, 2, 3, 1)
  ok(m[1] == 2 and m[2] == 3 and m[3] == 3)
  m = table.move({ 1, 2 }, 1, 2, 1, {})
  ok(#m == 2)
end
-- next, pairs, ipairs
ok(next({}) == nil)
ok(next({ 10 }) == 1)
ok(not pcall(next, {}, "nokey"))
do
  local n, sum = 0, 0
  for i, v in ipairs({ 10, 20, nil, 40 }) do n = i sum = sum + v end
  ok(n == 2 and sum == 30)
  n = 0
  for k, v in pairs({ a = 1, b = 2, 3 }) do n = n + v end
  ok(n == 6)
  local keys = { a = 1, b = 2, c = 3, d = 4 }
  for k in pairs(keys) do keys[k] = nil end
  ok(next(keys) == nil)
  local seen = {}
  for k, v in pairs(setmetatable({}, { __pairs = function() return function(_, k) if not k then return 1, 2 end end, {}, nil end })) do seen[k] = v end
  ok(seen[1] == 2)
  local proxy = setmetatable({}, { __index = function(_, i) if i <= 3 then return i * i end end })
  sum = 0
  for _, v in ipairs(proxy) do sum = sum + v end
  ok(sum == 14)
end
ok(rawlen({ 1, 2 }) == 2 and rawlen("abc") == 3)
ok(rawequal(t, t) and not rawequal({}, {}))
ok(rawget(setmetatable({}, { __index = { x = 1 } }), "x") == nil)
do
  local raw = setmetatable({}, { __newindex = function() error("no") end })
  rawset(raw, "x", 1)
  ok(raw.x == 1)
end
ok(select(-1, 1, 2, 3) == 3 and select(2, "a", "b") == "b")
ok(select("#") == 0 and select("#", nil, nil) == 2)
ok(not pcall(select, 0))
do
  local huge = {}
  for i = 1, 5000 do huge[i] = i huge["k" .. i] = i end
  ok(#huge == 5000 and huge.k5000 == 5000)
  for i = 1, 5000 do huge[i] = nil end
  ok(#huge == 0 and huge.k1 == 1)
end
