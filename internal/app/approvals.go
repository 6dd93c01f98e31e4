package app

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"sync"

	"toolcrib/internal/config"
	"toolcrib/internal/store"
)

// Approvals are what the user agreed to of projects' own files.
type Approvals struct {
	dir  string // "" if there is none
	open func() store.Approvals
}

// approvalsDir is where approvals are kept, below the state directory.
const approvalsDir = "approvals"

// OpenApprovals opens those of a state directory, when they are first asked for. With
// stateDir "" nothing is approved.
func OpenApprovals(stateDir string) *Approvals {
	dir := ""
	if stateDir != "" {
		dir = filepath.Join(stateDir, approvalsDir)
	}
	return &Approvals{dir, sync.OnceValue(func() store.Approvals { return store.Open(dir, nil).Approvals() })}
}

// Of is what was agreed to under a name in a file, and where that is kept: what a
// config.Reader asks.
func (a *Approvals) Of(file, name string) (approval config.Approval, kept string, err error) {
	s := a.open()
	kept = s.Path(name, file)
	b, err := s.Load(name, file)
	if b == nil || err != nil {
		return config.Approval{}, kept, err
	}
	if err := json.Unmarshal(b, &approval); err != nil {
		return config.Approval{}, kept, fmt.Errorf("the approval in %s cannot be read: %w", kept, err)
	}
	return approval, kept, nil
}

// Approve keeps that a person has seen a claim and agreed to it. shown is made before
// that: what was written differently since is not what was approved.
func (a *Approvals) Approve(c config.Claim, shown config.Approval) error {
	b, err := json.Marshal(shown)
	if err != nil {
		return fmt.Errorf("approve %s: %w", c.Name, err)
	}
	return a.open().Save(c.Name, c.File, b)
}

// Revoke takes an approval back, and says whether there was one.
func (a *Approvals) Revoke(c config.Claim) (bool, error) { return a.open().Remove(c.Name, c.File) }

// plainWord is a name that a shell takes for itself.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@.][A-Za-z0-9_@./-]*$`)

// TrustCommand is what a person types to look at a server's entry. A project's file
// chooses its name, so that of a strange one nothing is there to be pasted.
func TrustCommand(server string) string {
	if !plainWord.MatchString(server) {
		return "toolcrib trust"
	}
	return "toolcrib trust " + server
}

// waits says what keeps a server of a project's file from being started.
func waits(server string) string {
	return "it is from a project's own file and waits for its user's approval: run " + TrustCommand(server)
}
