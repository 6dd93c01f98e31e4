package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"syscall"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/store"
)

// ForgetAfter is how long a project has to be gone until what was approved of it is
// forgotten.
const ForgetAfter = store.ForgetAfter

// A KeptApproval is something of a project's file that the user agreed to, whether it
// is still there or not.
type KeptApproval struct {
	config.Approval
	Kept  string    // the file that keeps it
	Err   error     // why it cannot be read, and so counts for nothing
	Gone  bool      // its project's directory is not there
	Since time.Time // when that was first seen; zero if it is seen now
}

// All are the approvals that are kept. Nothing is changed or made by looking.
func (a *Approvals) All() []KeptApproval {
	var out []KeptApproval
	if !a.there() {
		return nil
	}
	for k := range a.open().All() {
		one := KeptApproval{Kept: k.File, Err: k.Err}
		if one.Err == nil {
			if err := json.Unmarshal(k.What, &one.Approval); err != nil {
				one.Err = fmt.Errorf("the content is not what was written: %w", err)
			}
		}
		if one.Gone = one.Err == nil && isGone(one.Project); one.Gone {
			one.Since = k.Gone
		}
		out = append(out, one)
	}
	return out
}

// Forget removes approvals whose projects have been gone for so long that they will
// hardly be back, and notes which are gone now.
func (a *Approvals) Forget(ctx context.Context, log *slog.Logger) {
	if !a.there() {
		return
	}
	removed := a.open().Forget(ctx, func(what []byte) bool {
		var given config.Approval
		return json.Unmarshal(what, &given) == nil && isGone(given.Project)
	})
	if removed > 0 {
		log.Info("approvals of projects that are gone for 90 days were removed", "count", removed)
	}
}

// there tells whether anything was ever approved: opening the store would make it.
func (a *Approvals) there() bool {
	if a.dir == "" {
		return false
	}
	_, err := os.Stat(a.dir)
	return err == nil
}

// isGone tells that a directory is certainly not there. One that cannot be looked at
// may be.
func isGone(dir string) bool {
	if dir == "" {
		return false // older approvals do not say of which project they are
	}
	_, err := os.Stat(dir)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// tidy forgets approvals of projects that are gone, while the gateway already serves:
// a project may be on a volume that answers slowly.
func (a *App) tidy(ctx context.Context) {
	a.tidied = make(chan struct{})
	go func() {
		defer close(a.tidied)
		OpenApprovals(a.o.StateDir).Forget(ctx, a.o.Log)
	}()
}

// tidyPatience is how long the end of a gateway waits for a volume to answer.
const tidyPatience = time.Second

func (a *App) awaitTidy() {
	if a.tidied == nil {
		return
	}
	select {
	case <-a.tidied:
	case <-time.After(tidyPatience):
	}
}
