package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// checkMerged puts all servers behind one gateway: names say which server is
// meant, and apart from them every answer is the direct one.
func checkMerged(ctx context.Context, w *world) error {
	g, err := w.gateway(ctx, "merged", w.servers...)
	if err != nil {
		return err
	}
	through := map[string]any{"url": g.url()}
	for _, era := range eras {
		for _, p := range []probe{listTools, listPrompts, listResources, listTemplates} {
			w.checkMergedList(ctx, through, era, p)
		}
		type call struct {
			server string
			probe  probe
			args   []string
		}
		var calls []call
		for _, s := range w.servers {
			for _, p := range w.probesIn(s.name, era) {
				if args, ok := mergedArgs(s.name, p); ok {
					calls = append(calls, call{s.name, p, args})
				}
			}
		}
		inParallel(ctx, calls, func(c call) {
			w.tally.check(fmt.Sprintf("merged, %s: %s %s", era, c.server, c.probe.name), w.compareMerged(ctx, c.server, c.probe, through, era, c.args))
		})
		w.checkWriting(ctx, through, era, "files__")
		w.checkRemembering(ctx, through, era, "memory__")
	}
	return nil
}

// merged is what the gateway calls an entry of a list.
func merged(server, list, name string) string {
	switch list {
	case "tools":
		return server + "__" + name
	case "prompts":
		return server + "." + name
	}
	return "toolcrib://" + server + "/" + name
}

// mergedArgs are a probe's arguments under merged names; probes that have none
// are left out.
func mergedArgs(server string, p probe) ([]string, bool) {
	list := map[string]string{"--tool-name": "tools", "--prompt-name": "prompts", "--uri": "resources"}
	args := append([]string(nil), p.args...)
	for i := range len(args) - 1 {
		if l, ok := list[args[i]]; ok {
			args[i+1] = merged(server, l, args[i+1])
			return args, true
		}
	}
	return nil, false
}

// compareMerged allows for URIs, which the gateway rewrites in results too.
func (w *world) compareMerged(ctx context.Context, server string, p probe, through map[string]any, era string, args []string) error {
	want, err := w.direct(ctx, server, p)
	if err != nil {
		return err
	}
	got, err := w.inspect(ctx, through, era, args...)
	if err != nil {
		return err
	}
	want.Result = json.RawMessage(strings.ReplaceAll(string(want.Result), `"uri":"`, `"uri":"toolcrib://`+server+`/`))
	return same(want, got)
}

// checkMergedList holds a merged list against the direct ones of all servers.
func (w *world) checkMergedList(ctx context.Context, through map[string]any, era string, p probe) {
	got, err := w.inspect(ctx, through, era, p.args...)
	if err == nil && got.code != 0 {
		err = fmt.Errorf("exit code %d: %s", got.code, got.text)
	}
	if err != nil {
		w.tally.check(fmt.Sprintf("merged, %s: %s", era, p.name), err)
		return
	}
	entries, err := named(got.Result, p.list, p.key)
	for _, s := range w.servers {
		if err != nil {
			break
		}
		if !has(w.probes(s.name), p.name) {
			continue
		}
		var want answer
		if want, err = w.direct(ctx, s.name, p); err != nil {
			break
		}
		rename := func(name string) string { return merged(s.name, p.list, name) }
		mine := answer{Result: only(entries, p, rename(""))}
		w.tally.check(fmt.Sprintf("merged, %s: %s of %s", era, p.name, s.name), sameEntries(want, mine, p, rename, printed(era)))
	}
	if err != nil {
		w.tally.check(fmt.Sprintf("merged, %s: %s", era, p.name), err)
	}
}

func has(probes []probe, name string) bool {
	for _, p := range probes {
		if p.name == name {
			return true
		}
	}
	return false
}

// only makes a list of the entries whose names begin with a prefix.
func only(entries map[string]json.RawMessage, p probe, prefix string) json.RawMessage {
	var mine []string
	for name, e := range entries {
		if strings.HasPrefix(name, prefix) {
			mine = append(mine, string(e))
		}
	}
	return json.RawMessage(`{"` + p.list + `":[` + strings.Join(mine, ",") + `]}`)
}
