local co = coroutine.create(function(a, b)
  local c = coroutine.yield(a + b)
  local d, e = coroutine.yield(c * 2)
  return d + e
end)
ok(coroutine.status(co) == "suspended")
ok(select(2, coroutine.resume(co, 1, 2)) == 3)
ok(select(2, coroutine.resume(co, 10)) == 20)
ok(select(2, coroutine.resume(co, 3, 4)) == 7)
ok(coroutine.status(co) == "dead")
ok(select(2, coroutine.resume(co)) == "cannot resume dead coroutine")
local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
ok(gen() == 1 and gen() == 2 and gen() == 3 and gen() == nil)
ok(not pcall(gen))
do
  local sum = 0
  for v in coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end) do sum = sum + v end
  ok(sum == 5050)
end
do
  local c = coroutine.create(function() error("inside", 0) end)
  local good, e = coroutine.resume(c)
  ok(not good and e == "inside" and coroutine.status(c) == "dead")
  c = coroutine.create(function() error({ code = 5 }) end)
  ok(select(2, coroutine.resume(c)).code == 5)
end
do -- yields across pcall, metamethods, iterators
  local c = coroutine.wrap(function()
    local good, v = pcall(function() local x = coroutine.yield("in pcall") error(x, 0) end)
    coroutine.yield(tostring(good) .. v)
    local t = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end, __add = function(a, b) return coroutine.yield("add") end })
    local i = t.key
    local s = t + 1
    for v in function() return coroutine.yield("iter") end do s = s .. v break end
    return i .. s
  end)
  ok(c() == "in pcall")
  ok(c("err") == "falseerr")
  ok(c() == "key")
  ok(c("I") == "add")
  ok(c("S") == "iter")
  ok(c("!") == "IS!")
end
do
  local c
  c = coroutine.create(function() ok(coroutine.running() == c) ok(coroutine.status(c) == "running") ok(coroutine.isyieldable()) end)
  ok(coroutine.resume(c))
  local _, main = coroutine.running()
  ok(main == true)
  ok(not coroutine.isyieldable())
  ok(not pcall(coroutine.yield))
end
do
  local outer = coroutine.wrap(function()
    local inner = coroutine.wrap(function() coroutine.yield("i1") coroutine.yield("i2") end)
    coroutine.yield(inner())
    coroutine.yield("o")
    coroutine.yield(inner())
  end)
  ok(outer() == "i1" and outer() == "o" and outer() == "i2")
end
do
  local closed
  local c = coroutine.create(function()
    local x <close> = setmetatable({}, { __close = function() closed = true end })
    coroutine.yield()
  end)
  coroutine.resume(c)
  ok(coroutine.close(c) and closed and coroutine.status(c) == "dead")
  ok(coroutine.close(coroutine.create(print)))
end
ok(not pcall(coroutine.create, 1))
ok(select(2, pcall(table.sort, { 3, 2, 1 }, function(a, b) coroutine.yield() end)) ~= nil)
do
  local threads, total = {}, 0
  for i = 1, 20 do threads[i] = coroutine.create(function(n) for j = 1, n do total = total + 1 coroutine.yield() end end) end
  local live = true
  local first = true
  while live do
    live = false
    for i, c in ipairs(threads) do
      if coroutine.status(c) ~= "dead" then coroutine.resume(c, i) live = true end
    end
  end
  ok(total == 210)
end
