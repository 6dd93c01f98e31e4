package cli

import (
	"fmt"
	"strings"
	"time"

	"toolcrib/internal/app"
	"toolcrib/internal/catalog"
)

type waitingJSON struct {
	ID     string    `json:"id"`
	Server string    `json:"server"`
	Tool   string    `json:"tool"`
	New    bool      `json:"new"`
	Serves bool      `json:"serves"` // meanwhile, by the definition of before
	Since  time.Time `json:"since"`
	Diff   []string  `json:"diff"`
}

func waitingJSONOf(w app.Waiting) waitingJSON {
	return waitingJSON{idOf(w), w.Server, w.Tool, w.Before == nil, w.Serves, w.Since, app.DefinitionDiff(w.Before, w.Now)}
}

func writeWaiting(b *strings.Builder, waiting []app.Waiting) {
	for _, w := range waiting {
		b.WriteString(standing(w, time.Now()) + "\n")
		for _, line := range app.DefinitionDiff(w.Before, w.Now) {
			b.WriteString("  " + line + "\n")
		}
		b.WriteByte('\n')
	}
}

// talk says how many there are, and what can be done about it.
func (i *inspection) talk(n, approved int, thing, one, many string, yes bool, next string) {
	verb := many
	if n == 1 {
		verb = one
	}
	switch {
	case n == 0:
		fmt.Fprintf(i.err, "no %s %s\n", thing, one)
	case yes && approved < n:
		fmt.Fprintf(i.err, "%d of %s approved; the rest changed meanwhile, or was approved before: look again\n", approved, count(n, thing))
	case yes:
		fmt.Fprintf(i.err, "%s approved\n", count(n, thing))
	default:
		fmt.Fprintf(i.err, "%s %s; %s approves what is shown\n", count(n, thing), verb, next)
	}
}

func idOf(w app.Waiting) string {
	return catalog.Identifier(w.Server) + "." + catalog.Identifier(w.Tool)
}

// standing is what became of a definition, in a line.
func standing(w app.Waiting, now time.Time) string {
	text := fmt.Sprintf("%s changed %s ago; ", idOf(w), ago(now.Sub(w.Since)))
	switch {
	case w.Before == nil:
		return fmt.Sprintf("%s is new since %s ago; it cannot be called before it is approved", idOf(w), ago(now.Sub(w.Since)))
	case w.Serves:
		return text + "meanwhile the definition of before is shown and serves"
	}
	return text + "it wants other arguments than before, and cannot be called until it is approved"
}

type suspectJSON struct {
	ID       string        `json:"id"`
	Accepted bool          `json:"accepted"`
	Findings []app.Finding `json:"findings"`
}

// trustFindings shows tools in whose definitions something was found, and lets them
// through.
func (t *trusting) trustFindings(in *app.Inspection) error {
	suspects := in.Suspects(t.names...)
	approved, open := 0, 0
	for _, s := range suspects {
		if !s.Accepted {
			open++
		}
	}
	if t.yes {
		approved = in.Accept(suspects)
	}
	if t.json {
		out := trustOutput{Version: jsonVersion, Approved: approved, Findings: []suspectJSON{}}
		for _, s := range suspects {
			out.Findings = append(out.Findings, suspectJSON{string(s.Tool.ID()), s.Accepted, s.Findings})
		}
		return t.printJSON(out)
	}
	var b strings.Builder
	for _, s := range suspects {
		b.WriteString(string(s.Tool.ID()))
		if s.Accepted {
			b.WriteString(" (approved)")
		}
		b.WriteByte('\n')
		for _, found := range s.Findings {
			fmt.Fprintf(&b, "  %s\n", clean(found.String()))
			if found.Excerpt != "" {
				fmt.Fprintf(&b, "    %s\n", app.Visible(found.Excerpt, textWidth*2))
			}
		}
	}
	if _, err := fmt.Fprint(t.out, b.String()); err != nil {
		return err
	}
	t.talk(open, approved, "suspicious definition", "is not approved", "are not approved", t.yes, ownCommand(t.config, "trust --findings", append(t.names, "--yes")...))
	return nil
}
