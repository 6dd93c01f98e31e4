package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// eras that Inspector can be told to speak.
var eras = []string{"legacy", "auto", "modern"}

// conditional are tools that the everything server has only for clients with
// certain capabilities. Which it shows depends on what its client declares, and
// that is the gateway.
var conditional = []string{
	"get-roots-list", "trigger-elicitation-request", "trigger-url-elicitation", "trigger-sampling-request",
	"trigger-sampling-request-async", "trigger-elicitation-request-async", "simulate-research-query",
}

// checkSingle puts each server alone behind a gateway: nothing is renamed and
// every answer is the direct one.
func checkSingle(ctx context.Context, w *world) error {
	for _, s := range w.servers {
		g, err := w.gateway(ctx, "single-"+s.name, s)
		if err != nil {
			return err
		}
		through := map[string]any{"url": g.url()}
		for _, era := range eras {
			inParallel(ctx, w.probesIn(s.name, era), func(p probe) {
				w.tally.check(fmt.Sprintf("%s, %s: %s", s.name, era, p.name), w.compare(ctx, s.name, through, era, p))
			})
			switch s.name {
			case "files":
				w.checkWriting(ctx, through, era, "")
			case "memory":
				w.checkRemembering(ctx, through, era, "")
			case "everything":
				w.tally.check(fmt.Sprintf("%s, %s: instructions", s.name, era), w.sameInstructions(ctx, s, through, era))
			}
		}
	}
	return nil
}

// compare makes a probe through a gateway and holds it against the direct one.
func (w *world) compare(ctx context.Context, server string, through map[string]any, era string, p probe) error {
	want, err := w.direct(ctx, server, p)
	if err != nil {
		return err
	}
	got, err := w.inspect(ctx, through, era, p.args...)
	if err != nil {
		return err
	}
	if p.list == "" || got.code != 0 {
		return same(want, got)
	}
	return sameEntries(want, got, p, func(s string) string { return s }, printed(era))
}

// printed is how entries of lists look that were read in an era.
func printed(era string) func([]byte) []byte {
	if era == "legacy" {
		return func(b []byte) []byte { return b }
	}
	return reordered
}

// sameEntries compares two lists entry by entry; rename is what the gateway
// does to a name.
func sameEntries(direct, through answer, p probe, rename func(string) string, look func([]byte) []byte) error {
	want, err := named(direct.Result, p.list, p.key)
	if err != nil {
		return err
	}
	got, err := named(through.Result, p.list, p.key)
	if err != nil {
		return err
	}
	var errs []error
	for name, entry := range want {
		renamed, _ := json.Marshal(rename(name))
		original, _ := json.Marshal(name)
		expect := bytes.Replace(entry, append([]byte(`"`+p.key+`":`), original...), append([]byte(`"`+p.key+`":`), renamed...), 1)
		have, ok := got[rename(name)]
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%s is missing", rename(name)))
		case !bytes.Equal(look(expect), look(have)):
			errs = append(errs, fmt.Errorf("%s differs:\n      directly %.600s\n      through  %.600s", name, expect, have))
		}
		delete(got, rename(name))
	}
	for name := range got {
		if !slices.ContainsFunc(conditional, func(c string) bool { return rename(c) == name }) {
			errs = append(errs, fmt.Errorf("%s is there and not directly", name))
		}
	}
	if len(errs) > 2 {
		errs = append(errs[:2], fmt.Errorf("and %d more", len(errs)-2))
	}
	return errors.Join(errs...)
}

func (w *world) hello() string { return filepath.Join(w.filesDir, "hello.txt") }

// checkWriting writes a file and reads it again.
func (w *world) checkWriting(ctx context.Context, through map[string]any, era, prefix string) {
	path := filepath.Join(w.filesDir, "written", prefix+era+".txt")
	text := "first line\nsecond \"line\" \\ \u00fc \U0001F600\n" + era
	arguments, err := json.Marshal(map[string]string{"path": path, "content": text})
	if err == nil {
		err = w.succeeds(ctx, through, era, tool(prefix+"write_file", string(arguments)))
	}
	if err == nil {
		var b []byte
		if b, err = os.ReadFile(path); err == nil && string(b) != text {
			err = fmt.Errorf("the file holds %q", b)
		}
	}
	w.tally.check(fmt.Sprintf("files, %s: %swrite_file", era, prefix), err)
	read := fmt.Sprintf(`{"path":%q}`, path)
	w.tally.check(fmt.Sprintf("files, %s: %sread_text_file of it", era, prefix),
		w.sameNow(ctx, "files", tool("read_text_file", read), through, era, tool(prefix+"read_text_file", read)))
}

// checkRemembering creates an entity and reads the graph with it.
func (w *world) checkRemembering(ctx context.Context, through map[string]any, era, prefix string) {
	entity := "someone " + prefix + era
	arguments := fmt.Sprintf(`{"entities":[{"name":%q,"entityType":"person","observations":["likes \"quotes\" and \u00fcmlauts"]}]}`, entity)
	err := w.succeeds(ctx, through, era, tool(prefix+"create_entities", arguments))
	if err == nil {
		var b []byte
		if b, err = os.ReadFile(w.memoryFile); err == nil && !strings.Contains(string(b), entity) {
			err = fmt.Errorf("the file holds %q", b)
		}
	}
	w.tally.check(fmt.Sprintf("memory, %s: %screate_entities", era, prefix), err)
	w.tally.check(fmt.Sprintf("memory, %s: %sread_graph", era, prefix),
		w.sameNow(ctx, "memory", tool("read_graph", `{}`), through, era, tool(prefix+"read_graph", `{}`)))
}

func (w *world) succeeds(ctx context.Context, through map[string]any, era string, args []string) error {
	a, err := w.inspect(ctx, through, era, args...)
	if err == nil && a.code != 0 {
		err = fmt.Errorf("exit code %d: %s", a.code, a.text)
	}
	return err
}

// sameNow compares with a direct answer made now, because state has changed.
func (w *world) sameNow(ctx context.Context, server string, directly []string, through map[string]any, era string, args []string) error {
	want, err := w.inspect(ctx, w.server(server).entry, "legacy", directly...)
	if err != nil {
		return err
	}
	got, err := w.inspect(ctx, through, era, args...)
	if err != nil {
		return err
	}
	if want.code != 0 {
		return fmt.Errorf("directly exit code %d: %s", want.code, want.text)
	}
	return same(want, got)
}

// sameInstructions: a single server's instructions are relayed.
func (w *world) sameInstructions(ctx context.Context, s server, through map[string]any, era string) error {
	want, err := w.inspect(ctx, s.entry, "legacy", method("initialize")...)
	if err != nil {
		return err
	}
	got, err := w.inspect(ctx, through, era, method("initialize")...)
	if err != nil {
		return err
	}
	var a, b struct{ Instructions string }
	if err := errors.Join(json.Unmarshal(want.Result, &a), json.Unmarshal(got.Result, &b)); err != nil {
		return err
	}
	if a != b || a.Instructions == "" {
		return fmt.Errorf("differ:\n      directly %.200q\n      through  %.200q", a.Instructions, b.Instructions)
	}
	return nil
}
