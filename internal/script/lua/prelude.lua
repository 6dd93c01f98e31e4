-- What scripts are given besides Lua's own libraries, where it is easier to say in
-- Lua. It takes what it uses into locals first: a script may change any global.
local inner = ...
local spawn, is_task, is_handle, is_done = inner.spawn, inner.is_task, inner.is_handle, inner.is_done
local await_any, try = inner.await_any, inner.try
local resume, status, yield = coroutine.resume, coroutine.status, coroutine.yield
local array, null, error, type, tostring = array, null, error, type, tostring
local mtype = math.type

local function want_list(name, list)
  if type(list) ~= "table" then
    error(name .. " wants a list as its first argument, got " .. tostring(list), 3)
  end
end

-- Keeps the place of a nil in a list. (null is false, so "and or" would not do.)
local function placed(value)
  if value == nil then
    return null
  end
  return value
end

-- Waits for every call of a list, then gives their values in order. If any failed,
-- the first failure of the list is raised, but only when all have ended.
function await_all(list, ...)
  if is_handle(list) then
    list = { list, ... }
  end
  want_list("await_all", list)
  local values, failure = array({}), nil
  for i = 1, #list do
    local call = list[i]
    if is_handle(call) then
      local value, err = try(call)
      if err ~= nil and failure == nil then
        failure = err
      end
      values[i] = placed(value)
    else
      values[i] = placed(call)
    end
  end
  if failure ~= nil then
    error(failure, 0)
  end
  return values
end

-- Waits until one of the calls that the tasks wait for is done. A parallel inside a
-- task of another leaves the waiting to that one.
local function wait(tasks)
  local calls = {}
  for i = 1, #tasks do
    local waiting = tasks[i].waiting
    for j = 1, #waiting do
      calls[#calls + 1] = waiting[j]
    end
    if #waiting == 0 then
      return
    end
  end
  if is_task() then
    yield(calls)
  else
    await_any(calls)
  end
end

local function ready(task)
  local waiting = task.waiting
  for i = 1, #waiting do
    if is_done(waiting[i]) then
      return true
    end
  end
  return #waiting == 0
end

-- Calls fn(item, index) for every item of a list, up to n at a time, and gives what
-- they returned in order. A failure stops new items from being started; it is raised
-- when those that were have ended.
function parallel(list, fn, n)
  want_list("parallel", list)
  if type(fn) ~= "function" then
    error("parallel wants a function as its second argument: parallel(list, function(item) ... end, n)", 2)
  end
  if n ~= nil and (mtype(n) ~= "integer" or n < 1) then
    error("parallel wants a whole number of at least 1 as its third argument", 2)
  end
  local results, tasks, started, failure = array({}), {}, 0, nil
  local count, width = #list, n or 8

  local function body(item, index)
    local value = fn(item, index)
    if is_handle(value) then
      value = value:await()
    end
    return value
  end

  local function step(task, ...)
    local ok, value = resume(task.thread, ...)
    if status(task.thread) ~= "dead" then
      task.waiting = type(value) == "table" and is_handle(value[1]) and value or {}
      return true
    end
    if ok then
      results[task.index] = placed(value)
    elseif failure == nil then
      failure = { value }
    end
    return false
  end

  while true do
    while started < count and #tasks < width and failure == nil do
      started = started + 1
      local task = { thread = spawn(body), index = started }
      if step(task, list[started], started) then
        tasks[#tasks + 1] = task
      end
    end
    if #tasks == 0 and (started == count or failure ~= nil) then
      break
    end
    wait(tasks)
    local left = {}
    for i = 1, #tasks do
      if not ready(tasks[i]) or step(tasks[i]) then
        left[#left + 1] = tasks[i]
      end
    end
    tasks = left
  end
  if failure ~= nil then
    error(failure[1], 0)
  end
  return results
end
