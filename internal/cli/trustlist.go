package cli

import (
	"fmt"
	"strings"
	"time"

	"toolcrib/internal/app"
)

type approvalJSON struct {
	Name      string    `json:"name,omitempty"` // of the entry; settings have none
	File      string    `json:"file,omitempty"`
	Project   string    `json:"project,omitempty"`
	Approved  time.Time `json:"approved,omitzero"`
	Kept      string    `json:"kept"`
	Error     string    `json:"error,omitempty"` // why it counts for nothing
	Gone      bool      `json:"gone,omitempty"`  // its project is not there
	Forgotten time.Time `json:"forgotten,omitzero"`
}

type approvalsOutput struct {
	Version   int            `json:"version"`
	Approvals []approvalJSON `json:"approvals"`
}

// listApprovals shows what was agreed to of projects' files, wherever they are.
func (i *inspection) listApprovals() error {
	all := app.OpenApprovals(i.app.StateDir).All()
	if i.json {
		out := approvalsOutput{Version: jsonVersion, Approvals: []approvalJSON{}}
		for _, a := range all {
			out.Approvals = append(out.Approvals, approvalJSONOf(a))
		}
		return i.printJSON(out)
	}
	t := &table{width: terminalOf(i.out, i.getenv).width}
	for _, a := range all {
		t.add(approvalRow(a, time.Now())...)
	}
	if err := t.print(i.out); err != nil {
		return err
	}
	fmt.Fprintln(i.err, approvalsText(all))
	return nil
}

// forgotten is when an approval of a project that is gone will be, at the earliest.
func forgotten(a app.KeptApproval, now time.Time) time.Time {
	if a.Since.IsZero() {
		return now.Add(app.ForgetAfter)
	}
	return a.Since.Add(app.ForgetAfter)
}

func approvalJSONOf(a app.KeptApproval) approvalJSON {
	out := approvalJSON{Name: a.Name, File: a.File, Project: a.Project, Approved: a.At, Kept: a.Kept, Gone: a.Gone}
	if a.Err != nil {
		out.Error = a.Err.Error()
	}
	if a.Gone {
		out.Forgotten = forgotten(a, time.Now()).UTC().Truncate(time.Second)
	}
	return out
}

// approvalRow is an approval in a line: what, where, and how it stands.
func approvalRow(a app.KeptApproval, now time.Time) []string {
	what, where := exact(a.Name), exact(a.File)
	switch {
	case a.Err != nil:
		return []string{"?", exact(a.Kept), "counts for nothing: " + clean(a.Err.Error())}
	case a.File == "":
		what, where = "?", exact(a.Kept) // older versions did not write it down
	case a.Name == "":
		what = "(settings)"
	}
	text := fmt.Sprintf("approved %s ago", ago(now.Sub(a.At)))
	if a.Gone {
		text += "; the project is gone, forgotten in " + ago(forgotten(a, now).Sub(now))
	}
	return []string{what, where, text}
}

// approvalsText is how many approvals there are, in one line.
func approvalsText(all []app.KeptApproval) string {
	gone, bad := 0, 0
	for _, a := range all {
		if a.Gone {
			gone++
		}
		if a.Err != nil {
			bad++
		}
	}
	if len(all) == 0 {
		return "nothing of projects' files is approved"
	}
	parts := []string{count(len(all), "approval") + " of entries and settings of projects' files"}
	if gone > 0 {
		parts = append(parts, fmt.Sprintf("%d of projects that are gone (forgotten %d days after that is seen)", gone, int(app.ForgetAfter.Hours()/24)))
	}
	if bad > 0 {
		parts = append(parts, fmt.Sprintf("%d cannot be read and count for nothing", bad))
	}
	return strings.Join(parts, "; ")
}
