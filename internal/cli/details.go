package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
)

// textWidth is how wide a paragraph is at most.
const textWidth = 100

// writeDetail writes all there is to know of a tool, for reading.
func (i *inspection) writeDetail(b *strings.Builder, counter *app.Counter, t *catalog.Tool, file string, width int) {
	d := detailOf(counter, t).Detail
	b.WriteString(d.Name + "\n")
	if d.Description != "" {
		writeText(b, "  ", d.Description, width)
	}
	b.WriteByte('\n')
	about := &table{width: width}
	for _, row := range []struct{ name, value string }{
		{"Title", d.Title},
		{"Server", d.Server},
		{"Its own name", d.Original},
		{"Category", d.Category},
		{"Tags", strings.Join(d.Tags, ", ")},
		{"Says it is", hints(t.Annotations())},
		{"Found by", foundBy(d)},
		{"State", d.State},
	} {
		if value := clean(row.value); value != "" {
			about.add("  "+row.name, value)
		}
	}
	_ = about.print(b) // a Builder takes everything
	writeParameters(b, "Parameters", d.Parameters, width)
	if d.Omitted != "" {
		fmt.Fprintf(b, "  Left out: %s; --json has the whole definition\n", clean(d.Omitted))
	}
	writeOutput(b, d.Output, width)
	for _, note := range d.Notes {
		writeText(b, "  ", note, width)
	}
	if d.NotCallable != "" {
		writeText(b, "  ", "It cannot be called: "+d.NotCallable, width)
	}
	if d.Example != nil {
		fmt.Fprintf(b, "\n  Call\n    %s\n", exampleCall(file, d))
		b.WriteString("\n  In a script\n")
		for line := range strings.SplitSeq(d.Example.Lua, "\n") {
			b.WriteString("    " + line + "\n")
		}
	}
	if len(d.Related) > 0 {
		b.WriteString("\n  Related\n")
		for _, r := range d.Related {
			b.WriteString("    " + clean(r) + "\n")
		}
	}
}

// exampleCall is a call of a tool as it can be typed.
func exampleCall(file string, d *disclose.Detail) string {
	var request struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(d.Example.JSON, &request) != nil || string(request.Arguments) == "{}" {
		return ownCommand(file, "tools call", d.Name)
	}
	return ownCommand(file, "tools call", d.Name, "--json-args", string(request.Arguments))
}

func foundBy(d *disclose.Detail) string {
	if d.Provenance == string(catalog.Protocol) {
		return "its server's own listing"
	}
	return fmt.Sprintf("%s, %s sure", d.Provenance, percent(d.Confidence))
}

// hints are what a server says of what a tool does.
func hints(a catalog.Annotations) string {
	var out []string
	for _, h := range []struct {
		hint    catalog.Hint
		yes, no string
	}{
		{a.ReadOnly, "read-only", "not read-only"},
		{a.Destructive, "destructive", "not destructive"},
		{a.Idempotent, "idempotent", ""},
		{a.OpenWorld, "open to the world outside", ""},
	} {
		switch {
		case h.hint == catalog.Yes:
			out = append(out, h.yes)
		case h.hint == catalog.No && h.no != "":
			out = append(out, h.no)
		}
	}
	return strings.Join(out, ", ")
}

// writeParameters writes what a tool takes; required ones have a star.
func writeParameters(b *strings.Builder, title string, list []disclose.Parameter, width int) {
	if len(list) == 0 {
		fmt.Fprintf(b, "\n  %s: none\n", title)
		return
	}
	fmt.Fprintf(b, "\n  %s\n", title)
	t := &table{width: width}
	addParameters(t, "    ", list)
	_ = t.print(b)
}

func addParameters(t *table, indent string, list []disclose.Parameter) {
	for _, p := range list {
		name := p.Name
		if p.Required {
			name += "*"
		}
		about := clean(p.Description)
		for _, more := range []struct{ name, value string }{{"", p.Limits}, {"one of ", string(p.Enum)}, {"default ", string(p.Default)}} {
			if more.value != "" {
				about += " (" + more.name + clean(more.value) + ")"
			}
		}
		t.add(indent+clean(name), clean(p.Type), strings.TrimSpace(about))
		addParameters(t, indent+"  ", p.Fields)
	}
}

// writeOutput writes what a tool answers, where its server says it.
func writeOutput(b *strings.Builder, schema json.RawMessage, width int) {
	if len(schema) == 0 {
		return
	}
	if fields, _ := disclose.Parameters(schema); len(fields) > 0 {
		writeParameters(b, "Answers", fields, width)
		return
	}
	fmt.Fprintf(b, "\n  Answers\n    %s\n", clean(string(schema)))
}

// writeText writes a text in lines that fit.
func writeText(b *strings.Builder, indent, text string, width int) {
	if width == 0 || width > textWidth {
		width = textWidth
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		used := 0
		for _, word := range strings.Fields(clean(line)) {
			if used > 0 && used+1+cells(word) > width {
				b.WriteByte('\n')
				used = 0
			}
			if used == 0 {
				b.WriteString(indent)
				used = len(indent)
			} else {
				b.WriteByte(' ')
				used++
			}
			b.WriteString(word)
			used += cells(word)
		}
		b.WriteByte('\n')
	}
}
