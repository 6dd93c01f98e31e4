package store

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// TryLock asks to be the one that discovers a server. It does not wait, and it is
// advice: nothing else in the store minds it. Where files cannot be locked
// everybody is told yes. A holder that dies lets go by dying.
//
//	for {
//		if l, ok := s.Load(server, identity); ok && fresh(l) {
//			return l // another process was faster
//		}
//		if release, ok := s.TryLock(server); ok {
//			defer release()
//			// Load once more: the last holder may have just saved. Else discover and Save.
//		}
//		// wait a little; give up waiting in the end, as a holder may hang
//	}
//
// release may be called more than once.
func (s *Store) TryLock(server string) (release func(), ok bool) {
	nothing := func() {}
	if s.dir == "" {
		return nothing, true
	}
	path := s.path(serverStem(server) + lockSuffix)
	lock := flock.New(path, flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) && makeDir(s.dir) == nil {
		got, err = lock.TryLock()
	}
	switch {
	case err != nil:
		s.log.Debug("no lock against discovering a server twice", "server", server, "error", err)
		return nothing, true
	case !got:
		return nothing, false
	}
	now := time.Now()
	_ = os.Chmod(path, 0o600) // whatever the umask left of it
	_ = os.Chtimes(path, now, now)
	return sync.OnceFunc(func() { _ = lock.Unlock() }), true
}
