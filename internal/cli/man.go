package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Manual pages are made of what the commands say of themselves. The flag library has a
// generator too, which brings a Markdown renderer along and writes all flags on one
// line; what our commands say needs little of it.

// manName is the name of a command's page.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's manual page, in the macros that every man has.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	name := manName(cmd)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"toolcrib %s\" \"Toolcrib\"\n", roffQuote(strings.ToUpper(name)), roff(version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(lowerFirst(cmd.Short)))
	b.WriteString(".SH SYNOPSIS\n.nf\n")
	for use := range strings.SplitSeq(cmd.UseLine(), " | ") {
		if !strings.HasPrefix(use, ownName) {
			use = strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + use
		}
		fmt.Fprintf(&b, "%s\n", roff(use))
	}
	b.WriteString(".fi\n")
	what, codes := splitExitCodes(cmd.Long)
	if what == "" {
		what = cmd.Short + "."
	}
	b.WriteString(".SH DESCRIPTION\n" + roffText(what))
	writeManCommands(&b, cmd)
	writeManFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	writeManFlags(&b, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if codes != "" {
		b.WriteString(".SH EXIT STATUS\n" + roffText(codes))
	}
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			b.WriteString(roff(strings.TrimPrefix(line, "  ")) + "\n")
		}
		b.WriteString(".fi\n")
	}
	writeManSeeAlso(&b, cmd)
	return b.String()
}

func writeManCommands(b *strings.Builder, cmd *cobra.Command) {
	first := true
	for _, sub := range cmd.Commands() {
		if !shown(sub) {
			continue
		}
		if first {
			b.WriteString(".SH COMMANDS\n")
			first = false
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s.\n", roff(sub.Name()), roff(sub.Short))
	}
}

func writeManFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	first := true
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			b.WriteString(".SH " + title + "\n")
			first = false
		}
		value, about := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR", roff(name))
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(value))
		}
		b.WriteString("\n" + roff(about))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "0s" {
			b.WriteString(" (default " + roff(f.DefValue) + ")")
		}
		b.WriteString(".\n")
	})
}

func writeManSeeAlso(b *strings.Builder, cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if shown(sub) {
			pages = append(pages, manName(sub))
		}
	}
	slices.Sort(pages)
	for i, page := range pages {
		end := ","
		if i == 0 {
			b.WriteString(".SH SEE ALSO\n")
		}
		if i == len(pages)-1 {
			end = ""
		}
		fmt.Fprintf(b, ".BR %s (1)%s\n", roff(page), end)
	}
}

// splitExitCodes takes the paragraph about exit codes out of a command's text.
func splitExitCodes(text string) (rest, codes string) {
	var kept []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if after, ok := strings.CutPrefix(paragraph, "Exit codes:"); ok {
			codes = strings.TrimPrefix(strings.TrimPrefix(after, "\n"), " ")
			continue
		}
		kept = append(kept, paragraph)
	}
	return strings.Join(kept, "\n\n"), codes
}

// roffText is paragraphs; lines that are indented stay lines.
func roffText(text string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		literal := false
		for line := range strings.SplitSeq(paragraph, "\n") {
			if indented := strings.HasPrefix(line, "  "); indented != literal {
				literal = indented
				b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[literal])
			}
			b.WriteString(roff(line) + "\n")
		}
		if literal {
			b.WriteString(".fi\n")
		}
	}
	return b.String()
}

// roff is text that means itself: no backslash, hyphen or dot of it is a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

func roffQuote(text string) string {
	return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"`
}

func lowerFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}
