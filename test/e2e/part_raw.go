package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// checkRaw compares bytes on the wire: nothing but what an era demands may be
// different.
func checkRaw(ctx context.Context, w *world) error {
	url, _ := w.server("web").entry["url"].(string)
	direct, err := dialRaw(ctx, url, false)
	if err != nil {
		return err
	}
	for _, s := range []string{"everything", "web", "events"} {
		g, err := w.gateway(ctx, "single-"+s, w.server(s))
		if err != nil {
			return err
		}
		for _, modern := range []bool{false, true} {
			label := fmt.Sprintf("raw, %s on %s: ", map[bool]string{false: "legacy", true: "modern"}[modern], s)
			through, err := dialRaw(ctx, g.url(), modern)
			w.tally.check(label+"connect", err)
			if err != nil {
				continue
			}
			for _, p := range []struct{ method, name, params, list, key string }{
				{"tools/list", "", "", "tools", "name"},
				{"resources/list", "", "", "resources", "uri"},
				{"resources/templates/list", "", "", "resourceTemplates", "uriTemplate"},
				{"prompts/list", "", "", "prompts", "name"},
				{"tools/call", "echo", `"name":"echo","arguments":{"message":"h\u00e9llo \ud83d\ude00"}`, "", ""},
				{"tools/call", "get-annotated-message", `"name":"get-annotated-message","arguments":{"messageType":"success","includeImage":true}`, "", ""},
				{"tools/call", "get-structured-content", `"name":"get-structured-content","arguments":{"location":"New York"}`, "", ""},
				{"resources/read", document, `"uri":"` + document + `"`, "", ""},
				{"prompts/get", "args-prompt", `"name":"args-prompt","arguments":{"city":"Paris"}`, "", ""},
			} {
				want, err := direct.request(ctx, p.method, p.name, p.params)
				if err == nil {
					var got json.RawMessage
					if got, err = through.request(ctx, p.method, p.name, p.params); err == nil {
						err = sameBytes(want, got, probe{list: p.list, key: p.key})
					}
				}
				w.tally.check(label+p.method+" "+p.name, err)
			}
		}
	}
	return nil
}

func sameBytes(want, got json.RawMessage, p probe) error {
	if p.list != "" {
		return sameEntries(answer{Result: want}, answer{Result: got}, p, func(s string) string { return s }, func(b []byte) []byte { return b })
	}
	a, err := withoutEra(want)
	if err != nil {
		return err
	}
	b, err := withoutEra(got)
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("differs:\n      directly %.600s\n      through  %.600s", a, b)
	}
	return nil
}
