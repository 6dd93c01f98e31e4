package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"toolcrib/test/internal/corpus"
)

// checkCorpus takes a handful of servers that misbehave: they print what is no
// protocol, stay when their input ends, start children, and name a missing
// credential only among their errors. Each is discovered by itself, and all that
// work are put behind one gateway. make corpus does the first with many more.
func checkCorpus(ctx context.Context, w *world) error {
	modules := filepath.Dir(w.scripts)
	bench := corpus.Bench{Node: w.node, Toolcrib: w.toolcrib, Modules: modules}
	var working []corpus.Server
	for _, t := range corpus.Few() {
		found, err := bench.Try(ctx, t, filepath.Join(w.dir, "corpus "+t.String()))
		w.tally.check(fmt.Sprintf("corpus: %s: %s: %s", t, t.Why(), found), err)
		if !t.Bare {
			working = append(working, t.Server)
		}
	}
	var behind []server
	for _, s := range working {
		dir := filepath.Join(w.dir, "corpus gateway "+s.Name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		behind = append(behind, server{s.Name, map[string]any{"command": w.node, "args": s.Arguments(modules, dir), "env": s.Env, "cwd": dir}})
	}
	g, err := w.gateway(ctx, "corpus", behind...)
	if err != nil {
		return err
	}
	for _, modern := range []bool{false, true} {
		w.tally.check(fmt.Sprintf("corpus: all that work behind one gateway, modern %t", modern), listsAll(ctx, g, modern, working))
	}
	w.tally.check("corpus: a call of a server that prints on stdout", callsTime(ctx, g))
	return nil
}

// callsTime asks a server for what stays true.
func callsTime(ctx context.Context, g *gateway) error {
	c, err := dialRaw(ctx, g.url(), false)
	if err != nil {
		return err
	}
	const name = "time-mcp__days_in_month"
	result, err := c.request(ctx, "tools/call", name, `"name":"`+name+`","arguments":{"date":"2024-02-03"}`)
	if err == nil && !bytes.Contains(result, []byte("29")) {
		err = fmt.Errorf("answered %.200s", result)
	}
	return err
}

// listsAll compares what a gateway lists with the tools of its servers.
func listsAll(ctx context.Context, g *gateway, modern bool, servers []corpus.Server) error {
	c, err := dialRaw(ctx, g.url(), modern)
	if err != nil {
		return err
	}
	result, err := c.request(ctx, "tools/list", "", "")
	if err != nil {
		return err
	}
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(result, &list); err != nil {
		return err
	}
	var got, want []string
	for _, t := range list.Tools {
		got = append(got, t.Name)
	}
	for _, s := range servers {
		names, err := s.Tools()
		if err != nil {
			return err
		}
		for _, n := range names {
			want = append(want, merged(s.Name, "tools", n))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("listed are %q, recorded %q", got, want)
	}
	return nil
}
