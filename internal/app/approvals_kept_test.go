package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/store"
)

// A gateway that starts forgets what was approved of projects that are long gone, and
// nothing else.
func TestApprovalsOfGoneProjects(t *testing.T) {
	state, projects := t.TempDir(), t.TempDir()
	approvals := OpenApprovals(state)
	if all := approvals.All(); len(all) != 0 {
		t.Fatalf("%v", all)
	}
	if _, err := os.Stat(filepath.Join(state, approvalsDir)); err == nil {
		t.Error("looking made the directory")
	}
	claim := func(project string) config.Claim {
		root := filepath.Join(projects, project)
		return config.Claim{File: filepath.Join(root, ".cursor", "mcp.json"), Root: root, Name: "docs", Sum: project}
	}
	old := config.Claim{File: filepath.Join(projects, "old", ".mcp.json"), Name: "docs", Sum: "old"} // does not say of which project it is
	for _, c := range []config.Claim{claim("here"), claim("away"), claim("long away"), old} {
		if err := approvals.Approve(c, c.Approval(time.Now())); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(projects, "here"), 0o700); err != nil { // without .cursor: that may be on another branch
		t.Fatal(err)
	}
	started := func() {
		t.Helper()
		a, err := Open(t.Context(), config.Config{}, Options{StateDir: state})
		if err != nil {
			t.Fatal(err)
		}
		<-a.tidied
		if err := a.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	started()
	gone := map[string]time.Time{}
	for _, k := range OpenApprovals(state).All() {
		if k.Gone {
			gone[k.Sum] = k.Since
		}
	}
	if len(gone) != 2 || gone["away"].IsZero() || gone["long away"].IsZero() {
		t.Errorf("gone: %v", gone)
	}
	c := claim("long away")
	kept := store.Open(filepath.Join(state, approvalsDir), nil).Approvals().Path(c.Name, c.File)
	marks, err := filepath.Glob(kept[:len(kept)-len(".v1.approval")] + ".*gone")
	if err != nil || len(marks) != 1 {
		t.Fatalf("%v, %v", marks, err)
	}
	before := time.Now().Add(-ForgetAfter - time.Hour)
	if err := os.Chtimes(marks[0], before, before); err != nil {
		t.Fatal(err)
	}
	started()
	left := map[string]bool{}
	for _, k := range OpenApprovals(state).All() {
		left[k.Sum] = k.Gone
	}
	if len(left) != 3 || left["here"] || !left["away"] || left["old"] {
		t.Errorf("left: %v", left)
	}
}
