package cli

import (
	"errors"
	"fmt"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/script"
)

type planOutput struct {
	Version int  `json:"version"`
	Clean   bool `json:"clean"` // it calls nothing else, and all of it is read-only
	*script.Plan
}

// plan shows what a script may call.
func (i *inspection) plan(local *app.Local, request *script.Request) error {
	p, err := local.Plan(i.ctx, request)
	var told *script.Error
	switch {
	case i.ctx.Err() != nil:
		return nil
	case errors.As(err, &told):
		return failure{exitTool, errors.New(scriptError(told))}
	case err != nil:
		return err
	}
	if i.json {
		err = i.printJSON(planOutput{Version: jsonVersion, Clean: p.Clean(), Plan: p})
	} else {
		err = i.printPlan(local, p)
	}
	if err == nil && len(p.Missing) > 0 {
		return exitError{exitUnknown}
	}
	return err
}

func (i *inspection) printPlan(local *app.Local, p *script.Plan) error {
	t := &table{width: terminalOf(i.out, i.getenv).width}
	t.add("ACCESS", "TOOL", "LINES")
	host := local.Host()
	for _, part := range []struct {
		access string
		tools  []script.PlannedTool
	}{{"read-only", p.ReadOnly}, {"writing", p.Writing}, {"unknown", p.Unknown}, {"missing", p.Missing}} {
		for _, tool := range part.tools {
			lines := strings.Trim(fmt.Sprint(tool.Lines), "[]")
			if part.access == "missing" {
				lines += missingTool(host, tool)
			}
			t.add(part.access, clean(tool.Server+"."+tool.Tool), lines)
		}
	}
	if len(t.rows) > 1 {
		if err := t.print(i.out); err != nil {
			return err
		}
	}
	for _, d := range p.Doubts {
		fmt.Fprintf(i.err, "line %d: %s\n", d.Line, clean(d.Why))
	}
	switch {
	case len(t.rows) == 1 && len(p.Doubts) == 0:
		fmt.Fprintln(i.err, "it calls no tool")
	case p.Clean():
		fmt.Fprintln(i.err, "it calls nothing that its servers do not mark read-only")
	default:
		fmt.Fprintln(i.err, "it may change something, or call more than its text tells")
	}
	return nil
}

func missingTool(host script.Host, tool script.PlannedTool) string {
	server, name := tool.Server, tool.Tool
	if !host.Server(server) {
		server, name = "", tool.Server
	}
	if near := host.Nearest(server, name); len(near) > 0 {
		return " (nearest: " + several(near) + ")"
	}
	return ""
}
