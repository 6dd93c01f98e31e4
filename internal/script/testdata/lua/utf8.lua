ok(utf8.char(228) == "ä" and utf8.char(0x20AC) == "€" and utf8.char(0x1F600) == "😀")
ok(utf8.char() == "" and utf8.char(72, 228) == "Hä")
ok(utf8.len("häß") == 3 and utf8.len("") == 0)
ok(utf8.len("\xff") == nil)
ok(select(2, utf8.len("ab\xff")) == 3)
ok(utf8.codepoint("ä") == 228)
ok(select("#", utf8.codepoint("äöü", 1, -1)) == 3)
ok(not pcall(utf8.codepoint, "\xff"))
ok(utf8.offset("aäb", 3) == 4)
ok(utf8.offset("aäb", -1) == 4)
ok(utf8.offset("abc", 5) == nil)
do
  local t = {}
  for p, c in utf8.codes("aä€") do t[#t + 1] = p .. ":" .. c end
  ok(table.concat(t, " ") == "1:97 2:228 4:8364")
end
ok(not pcall(function() for _ in utf8.codes("\xff") do end end))
ok(("aä€"):match(utf8.charpattern) == "a")
do local n = 0 for _ in ("aä€"):gmatch(utf8.charpattern) do n = n + 1 end ok(n == 3) end
ok(utf8.len("\u{D7FF}") == 1)
ok(utf8.len("\xed\xa0\x80") == nil)
ok(utf8.len("\u{7FFFFFFF}", 1, -1, true) == 1)
ok("\u{e4}" == "ä" and #"\u{10FFFF}" == 4)
