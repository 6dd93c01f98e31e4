package app

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/script"
)

func stored(t *testing.T, entry string) *StoredScript {
	t.Helper()
	c, err := config.Parse("c.yaml", []byte("servers: {a: {command: x}}\nscripts:\n  s:\n"+entry))
	if err != nil {
		t.Fatal(err)
	}
	return &StoredScripts(c)[0]
}

func TestStoredScript(t *testing.T) {
	s := stored(t, `
    description: adds
    source: return args.a
    parameters:
      a: {type: integer, required: true, description: "the <first>"}
      b: {type: array, default: [1, {c: null}]}
      kind: {enum: [x, y]}
`)
	if want := `{"type":"object","properties":{"a":{"type":"integer","description":"the \u003cfirst\u003e"},"b":{"type":"array","default":[1,{"c":null}]},"kind":{"enum":["x","y"]}},"required":["a"],"additionalProperties":false}`; string(s.Schema) != want {
		t.Errorf("schema %s\nwant   %s", s.Schema, want)
	}
	if s.Name != "s" || s.Description != "adds" {
		t.Errorf("%+v", s)
	}
	for given, want := range map[string]string{
		`{"a":12345678901234567}`:      `{"a":12345678901234567,"b":[1,{"c":null}]}`,
		`{"a":1,"b":[],"kind":"x"}`:    `{"a":1,"b":[],"kind":"x"}`,
		` {"a": 1, "kind": "y"} `:      `{"a":1,"b":[1,{"c":null}],"kind":"y"}`,
		`{"b":[]}`:                     "",
		``:                             "",
		`{"a":"1"}`:                    "",
		`{"a":1,"more":1}`:             "",
		`{"a":1,"kind":"z"}`:           "",
		`[1]`:                          "",
		`{"a":1`:                       "",
		`null`:                         "",
		`{"a":1,"b":{"not":"a list"}}`: "",
	} {
		r, err := s.Request(json.RawMessage(given))
		var told *CallError
		switch {
		case want == "" && (!errors.As(err, &told) || told.Kind != WrongArguments):
			t.Errorf("%s: %+v, %v", given, r, err)
		case want != "" && (err != nil || string(r.Args) != want || r.Source != "return args.a"):
			t.Errorf("%s: %+v, %v", given, r, err)
		}
	}
}

func TestStoredScriptWithoutParameters(t *testing.T) {
	s := stored(t, "    source: return 1\n")
	for _, given := range []string{"", "{}", "null"} {
		if r, err := s.Request(json.RawMessage(given)); err != nil || string(r.Args) != "{}" {
			t.Errorf("%q: %+v, %v", given, r, err)
		}
	}
	if _, err := s.Request(json.RawMessage(`{"a":1}`)); err == nil {
		t.Error("it took what it has no parameter for")
	}
}

// A file is read each time, and what editors and shells put in front is no Lua.
func TestStoredScriptFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.lua")
	s := stored(t, "    file: "+file+"\n")
	if _, err := s.Request(nil); err == nil || !strings.Contains(err.Error(), "script s at c.yaml:3:3: ") || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for text, want := range map[string]string{
		"return 1":                   "return 1",
		"\ufeffreturn 2":             "return 2",
		"#!/usr/bin/lua\nreturn 3":   "--#!/usr/bin/lua\nreturn 3",
		strings.Repeat(" ", 256<<10): strings.Repeat(" ", 256<<10),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Request(nil); err != nil || r.Source != want {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if err := os.WriteFile(file, make([]byte, script.Maxima().Source+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Request(nil); err == nil || !strings.Contains(err.Error(), "longer than 256 KiB") {
		t.Errorf("a long file: %v", err)
	}
	if _, err := ReadScript(dir); err == nil {
		t.Error("a directory is no script")
	}
}
