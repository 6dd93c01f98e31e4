package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// checkScript runs one Lua script over three real servers, for agents of both
// eras, and one that fails half way.
func checkScript(ctx context.Context, w *world) error {
	servers := []server{w.server("everything"), w.server("files"), w.server("memory")}
	path, err := w.configFor(map[string]any{"surface": "lean", "first_call": "off"}, "scripts", servers...)
	if err != nil {
		return err
	}
	g, err := w.serve(ctx, "scripts", path)
	if err != nil {
		return err
	}
	for _, modern := range []bool{false, true} {
		label := "script, " + map[bool]string{false: "legacy: ", true: "modern: "}[modern]
		c, err := dialRaw(ctx, g.url(), modern)
		if err != nil {
			return err
		}
		run := func(script string, dry bool) (string, error) {
			arguments, err := json.Marshal(map[string]any{"script": script, "dry_run": dry})
			if err != nil {
				return "", err
			}
			got, err := c.request(ctx, "tools/call", "execute", fmt.Sprintf(`"name":"execute","arguments":%s`, arguments))
			return string(got), err
		}
		holds := func(what, script string, dry bool, wants ...string) {
			got, err := run(script, dry)
			for _, want := range wants {
				if err == nil && !strings.Contains(got, want) {
					err = fmt.Errorf("no %s in %.800s", want, got)
				}
			}
			w.tally.check(label+what, err)
		}
		entity := fmt.Sprintf("hello-%t", modern)
		holds("three servers in one script", fmt.Sprintf(`
local text = files.read_text_file({path = %q}):await().content
local echoed = parallel({"a", "b", "c"}, function(word) return everything.echo({message = word}):await() end, 3)
memory.create_entities({entities = {{name = %q, entityType = "file", observations = {text}}}}):await()
local found = memory.search_nodes({query = %q}):await()
result({text = text, echoed = echoed, name = found.entities[1].name, kept = found.entities[1].observations[1] == text})`, w.hello(), entity, entity), false,
			`"name":"`+entity+`"`, `"kept":true`, `Echo: c`, `tabs and \"quotes\"`)
		holds("what was done before a failure is told", `
everything.echo({message = "one"}):await()
files.read_text_file({path = "/not/allowed"}):await()
everything.echo({message = "never"}):await()`, false,
			`"isError":true`, `"tool":"echo","line":2,"status":"ok"`, `"tool":"read_text_file","line":3,"status":"error"`)
		holds("what it may call is known before", "files.write_file({path = 'x', content = 'y'})", true, `"writing":[{"server":"files","tool":"write_file"`)
	}
	return nil
}
