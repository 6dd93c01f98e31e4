package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// waitingEntries are the named ones, or else all, that are not started because nobody
// has approved them.
func (t *trusting) waitingEntries() []config.Server {
	var out []config.Server
	for _, s := range t.c.Servers {
		named := len(t.names) == 0 || slices.ContainsFunc(t.names, func(name string) bool {
			meant, _ := t.c.Server(name)
			return meant.Name == s.Name
		})
		if named && s.Untrusted && !s.Disabled {
			out = append(out, s)
		}
	}
	return out
}

// shown are the approvals of entries as they are when they are shown. Files are read
// for it only where entries are named.
func (t *trusting) shown(entries []config.Server) []config.Approval {
	if len(t.names) == 0 {
		return nil
	}
	var out []config.Approval
	for _, e := range entries {
		out = append(out, e.Claim.Approval(time.Now()))
	}
	return out
}

// exact is a text of a project's file as it is, with what cannot be seen, and what
// would begin another line, as numbers.
func exact(text string) string {
	text = strings.NewReplacer("\n", "<U+000A>", "\r", "<U+000D>", "\t", "<U+0009>").Replace(text)
	return app.Visible(text, len(text)+1)
}

// whyWaits says since when something waits.
func whyWaits(c config.Claim, now time.Time) string {
	if c.Since.IsZero() {
		return "is new"
	}
	return fmt.Sprintf("is not what was approved %s ago", ago(now.Sub(c.Since)))
}

func placeOf(s config.Server) string { return fmt.Sprintf("%s:%d", exact(s.Source), s.At.Line) }

// entryLine is an entry in a line.
func entryLine(s config.Server) string {
	what := exact(s.Masked().URL)
	if what == "" {
		what = exact(commandLine(append([]string{s.Masked().Command}, s.Masked().Args...)))
	}
	return fmt.Sprintf("%s %s, in %s: %s", exact(s.Name), whyWaits(s.Claim, time.Now()), placeOf(s), cut(what, longestLine))
}

// entryText is all that an entry says.
func entryText(s config.Server) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, in %s\n", exact(s.Name), whyWaits(s.Claim, time.Now()), placeOf(s))
	last := ""
	for _, term := range s.Terms() {
		what := term.What
		if what == last {
			what = "" // one of several
		}
		last = term.What
		text := exact(term.Text)
		if text == "" || strings.TrimSpace(text) != text {
			text = `"` + text + `"`
		}
		if term.Name != "" {
			text = exact(term.Name) + " = " + text
		}
		fmt.Fprintf(&b, "  %-12s  %s\n", what, text)
		for _, note := range []string{from(term.From), term.Caution} {
			if note != "" {
				fmt.Fprintf(&b, "  %-12s    (%s)\n", "", exact(note))
			}
		}
	}
	for _, file := range s.Claim.Reads {
		fmt.Fprintf(&b, "  %-12s  %s\n", "reads", exact(file))
		for _, term := range config.TermsOfFile(file) {
			text := exact(term.Name) + " = " + exact(term.Text)
			if term.Caution != "" {
				text += " (" + term.Caution + ")"
			}
			fmt.Fprintf(&b, "  %-12s    %s\n", "", text)
		}
	}
	if u, ok := s.Unpinned(); ok {
		fmt.Fprintf(&b, "  %-12s  %s\n", "caution", exact(u.String()))
	}
	fmt.Fprintf(&b, "  %-12s  sha256 %s\n", "sum", s.Claim.Sum)
	return b.String()
}

func from(origin string) string {
	if origin == "" {
		return ""
	}
	return "gets " + origin
}

type entryClaim struct {
	Server string     `json:"server"`
	File   string     `json:"file"`
	Line   int        `json:"line"`
	New    bool       `json:"new"` // else it was approved when it said something else
	Type   string     `json:"transport"`
	Terms  []termJSON `json:"terms"`
	Reads  []string   `json:"reads"` // files of the project that are part of what is approved
	Sum    string     `json:"sum"`
	Advice string     `json:"advice,omitempty"`
}

type termJSON struct {
	What    string `json:"what"`
	Name    string `json:"name,omitempty"`
	Text    string `json:"text"`
	From    string `json:"from,omitempty"`
	Caution string `json:"caution,omitempty"`
}

func entryJSONOf(s config.Server) entryClaim {
	out := entryClaim{
		Server: s.Name, File: s.Source, Line: s.At.Line, New: s.Claim.Since.IsZero(), Type: string(s.Type), Terms: []termJSON{},
		Reads: append([]string{}, s.Claim.Reads...), Sum: s.Claim.Sum,
	}
	if u, ok := s.Unpinned(); ok {
		out.Advice = u.String()
	}
	for _, term := range s.Terms() {
		out.Terms = append(out.Terms, termJSON(term))
	}
	return out
}

type settingsJSON struct {
	File  string   `json:"file"`
	Parts []string `json:"parts"`
	Held  bool     `json:"held"` // they do not count
	Text  string   `json:"text"` // as YAML
	Reads []string `json:"reads"`
	Sum   string   `json:"sum"`
}

func settingsJSONOf(p config.Project) *settingsJSON {
	return &settingsJSON{File: p.File, Parts: p.Parts, Held: p.Held, Text: p.Text, Reads: append([]string{}, p.Settings.Reads...), Sum: p.Settings.Sum}
}

// trustSettings shows what a project's file says besides its servers, and approves it.
func (t *trusting) trustSettings() error {
	p := t.c.Project
	if p.Settings.File == "" {
		if t.json {
			return t.printJSON(trustOutput{Version: jsonVersion})
		}
		fmt.Fprintln(t.err, "there are no settings of a project's file here")
		return nil
	}
	out := trustOutput{Version: jsonVersion, Settings: settingsJSONOf(p)}
	shown := p.Settings.Approval(time.Now())
	if !t.json {
		if err := t.showSettings(p); err != nil {
			return err
		}
	}
	yes := t.yes
	if !yes && !t.json && p.Held && t.attended() {
		if err := t.agree("Have these settings count here?", "nothing was approved", ""); err != nil {
			return err
		}
		yes = true
	}
	if yes && p.Held {
		if err := t.approvals.Approve(p.Settings, shown); err != nil {
			return err
		}
		out.Agreed = []string{p.File}
	}
	switch {
	case t.json:
		return t.printJSON(out)
	case !p.Held:
		fmt.Fprintln(t.err, "these settings are approved")
	case yes:
		fmt.Fprintln(t.err, "settings approved; a gateway that runs uses most of them within seconds")
	default:
		fmt.Fprintf(t.err, "these settings wait for approval; %s approves what is shown\n", t.command("--settings", "--yes"))
	}
	return nil
}

func (t *trusting) showSettings(p config.Project) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s says, besides its servers:\n", p.File)
	for line := range strings.SplitSeq(strings.TrimRight(p.Text, "\n"), "\n") {
		b.WriteString("  " + exact(line) + "\n")
	}
	for _, file := range p.Settings.Reads {
		fmt.Fprintf(&b, "and reads %s\n", exact(file))
	}
	if t.c.File != p.File {
		fmt.Fprintf(&b, "Parts that %s names too are taken from there.\n", t.c.File)
	}
	_, err := fmt.Fprint(t.out, b.String())
	return err
}
