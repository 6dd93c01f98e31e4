-- what is here, and what is not
for _, name in ipairs({ "io", "package", "debug", "require", "dofile", "loadfile", "collectgarbage", "warn" }) do
  ok(_G[name] == nil)
end
ok(string.dump == nil)
for _, name in ipairs({ "execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname" }) do
  ok(os[name] == nil)
end
ok(type(os.time()) == "number" and os.time() > 1700000000)
ok(os.time({ year = 2020, month = 1, day = 1, hour = 0 }) == 1577836800)
ok(os.date("!%Y-%m-%d %H:%M:%S", 0) == "1970-01-01 00:00:00")
ok(os.date("!*t", 86400).day == 2)
ok(type(os.clock()) == "number" and os.difftime(5, 3) == 2.0)
ok(load("\27Lua") == nil and load("\27Lua", "x", "b") == nil and load("\27Lua", "x", "bt") == nil)
ok(load("return 1", "x", "b") ~= nil) -- text whatever is asked for
ok(not pcall(setmetatable, _G, {}))
ok(getmetatable(_G) == false)
ok(nobody_knows_this == nil)
x_global = 5
ok(x_global == 5 and _G.x_global == 5)
-- null
ok(null ~= nil and not null and tostring(null) == "null" and type(null) == "userdata")
ok((null or "other") == "other" and (null and 1) == null)
if null then ok(false) else ok(true) end
ok(null == null and json.decode("null") == null)
ok(json.decode('{"a":null}').a == null)
-- json
ok(json.encode({ 1, 2, 3 }) == "[1,2,3]")
ok(json.encode({ b = 1, a = 2 }) == '{"a":2,"b":1}')
ok(json.encode({}) == "{}" and json.encode(array({})) == "[]" and json.encode(array()) == "[]")
ok(json.encode(json.decode("[]")) == "[]" and json.encode(json.decode("{}")) == "{}")
ok(json.encode("a\"b\\c\n\t\1/é") == '"a\\"b\\\\c\\n\\t\\u0001/é"')
ok(json.encode(9007199254740993) == "9007199254740993")
ok(json.encode(math.mininteger) == "-9223372036854775808")
ok(json.encode(0.1) == "0.1" and json.encode(1e300) == "1e+300" and json.encode(5.0) == "5" and json.encode(-0.0) == "-0.0")
ok(json.encode(1 / 3) == "0.3333333333333333")
ok(json.encode(true) == "true" and json.encode(null) == "null" and json.encode(nil) == "null")
ok(json.encode({ null, 1 }) == "[null,1]")
ok(json.encode("\xff") == '"\u{FFFD}"' and json.encode("a\xc3") == '"a\u{FFFD}"' and json.encode("\xed\xa0\x80") == '"\u{FFFD}\u{FFFD}\u{FFFD}"')
for _, bad in ipairs({ { 1, 2, nil, 4 }, { 1, x = 2 }, { [true] = 1 }, { [1.5] = 1 }, { [0] = 1 }, { f = print }, 0 / 0, 1 / 0 }) do
  ok(not pcall(json.encode, bad))
end
ok(not pcall(json.encode))
ok(select(2, pcall(json.encode, { 1, nil, 3 })):match("index 2"))
for text, want in pairs({ ["1"] = 1, ["-1"] = -1, [" 1 "] = 1, ["1.5"] = 1.5, ["1e3"] = 1000.0, ['"x"'] = "x", ["true"] = true, ["false"] = false,
  ["9223372036854775807"] = math.maxinteger, ["-9223372036854775808"] = math.mininteger, ['"\\u00e9"'] = "é", ['"\\ud83d\\ude00"'] = "😀",
  ['"\\ud800"'] = "\u{FFFD}", ['"\\/\\b\\f"'] = "/\b\f", ["1E+2"] = 100.0, ["0"] = 0 }) do
  ok(json.decode(text) == want and math.type(json.decode(text)) == math.type(want), text)
end
for _, bad in ipairs({ "", " ", "[", "[1,]", "{", '{"a"}', '{"a":}', "{a:1}", "01", "1.", ".5", "-", "+1", "1e", "tru", "nul", '"', '"\\x"', '"\\u12"', "[1 2]", "1 2", "'x'", "\1", '"\n"', "[1]]", "NaN", "Infinity", "{,}", "[,]", '{"a":1,}' }) do
  ok(not pcall(json.decode, bad), bad)
end
do
  local t = json.decode('{"list":[1,[2,{"x":[]}]],"o":{}}')
  ok(t.list[2][2].x ~= nil and #t.list == 2)
  ok(json.encode(t) == '{"list":[1,[2,{"x":[]}]],"o":{}}')
  t.list[#t.list + 1] = 3
  ok(json.encode(t.list) == '[1,[2,{"x":[]}],3]')
end
ok(pcall(json.decode, ("["):rep(64) .. ("]"):rep(64)) and not pcall(json.decode, ("["):rep(65) .. ("]"):rep(65)))
